import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { readMerchantsOf, readSubjectsOf } from '../../src/operations/actors/actor-rows.ts';
import {
  getActor,
  listActions,
  listActors,
  listDeadLetters,
  listMerchants,
  listNextTimers,
  readActorIssues,
  readHealth,
  readJournalPage,
  readPopulation,
} from '../../src/operations/index.ts';
import { readChangesSince } from '../../src/operations/live/live-changes.ts';
import { insertMetadataValues } from '../../src/payments/projection/metadata-values.ts';
import { type Database, readTransactionHorizon } from '../../src/platform/db/index.ts';
import { openRecorded } from '../support/database/recorded-connection.ts';
import { nodesOf, type PlanNode } from '../support/database/slow-plans.ts';
import { createPostgresDatabase, describePostgres } from '../support/database/test-database.ts';
import { createInstallation } from './installation.ts';

/** The filled tables of those that grow with the installation. */
const LARGE = [
  'actor',
  'journal_entry',
  'timer',
  'transaction_metadata',
  'transaction_terms',
  'webhook_delivery',
  'webhook_event',
];
const ACTORS = 20_000;
/** Statements that run in `readByIndex`. */
const BY_INDEX =
  /inserted_xid|percentile_disc|oldest_at|as requested|state_entered_at <= \$\d+\) or|from timer where timer.actor_id = actor.id\)|as "merchantName"/;

describePostgres('statements of the operator pages', () => {
  test('scan no large table', async () => {
    const database = await createPostgresDatabase();
    const queries: CompiledQuery[] = [];
    const db = openRecorded(database, (query) => void queries.push(query));
    const all = createInstallation({ db });
    const now = new Date(all.clock.now());
    await sql`
      insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
      select 'actor-' || md5(number::text), 'transaction', '1',
        (array['open.awaitingPayment', 'confirming', 'expired.watching', 'closedCompleted'])[1 + number % 4], 'active',
        '{"value": "x", "context": {}, "status": "active"}', 1, ${now}, ${now}, ${now}::timestamptz - number * interval '1 minute'
      from generate_series(1, ${ACTORS}::int4) as series (number)`.execute(db);
    await sql`
      insert into journal_entry (actor_id, sequence, event_id, event_type, event, outcome, state, kind, version, at,
        born)
      select id, 1, 'actor.started', 'actor.started', '{}', 'started', state, kind, version, created_at, created_at from actor`.execute(
      db,
    );
    await sql`
      insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, gate, queue, partition)
      select id, 'a', 1, state_entered_at + interval '40 days', state_entered_at + interval '40 days',
        case when state = 'confirming' then 'net' end, 'q', 0 from actor`.execute(db);
    await fillFeatures(db, now);
    await sql`insert into watermark (gate, reached_at) values ('net', ${now})`.execute(db);
    await sql`analyze`.execute(db);
    const id = await all.startTransaction();
    const since = await readTransactionHorizon(db);
    queries.length = 0;

    await readPopulation(all, 'transaction');
    const list = (filter: object) =>
      listActors(all, { filter: { kind: 'transaction', ...filter }, cursor: null, limit: 50 });
    const { cursor, actors } = await list({});
    expect(actors.map(({ subject }) => subject?.merchantName)).toEqual(Array.from({ length: 50 }, () => 'Plan shop'));
    // For the whole page, however many rows it has.
    expect(queries.filter(({ sql: text }) => text.includes('"merchantName"'))).toHaveLength(1);
    await listActors(all, { filter: { kind: 'transaction', state: 'confirming' }, cursor, limit: 50 });
    for (const filter of [
      { state: 'open' },
      { state: 'confirming', restingMs: 1_199_000_000 },
      { isLate: true },
      { isOverdue: true },
      { hasTimer: true },
      { isRetrying: true },
      { state: 'open.inReview', mode: 'live' },
      { hasFailed: true },
      { search: 'actor-12345' },
      { search: '2003' },
    ]) {
      await list(filter);
    }
    await readJournalPage(db, id, { after: 0, limit: 50 });
    await getActor(all, id);
    await listDeadLetters(db, { cursor: null, limit: 50 });
    await readHealth({
      ...all,
      db,
      bus: { waiting: async () => new Map() },
      rates: { status: () => [] },
      networks: [],
    });
    await readActorIssues(all);
    await listNextTimers(all);
    await readChangesSince(db, since);
    await readMerchantsOf(db, [{ actorId: id }]);
    for (const kind of ['delivery', 'schedule']) await readSubjectsOf(db, kind, [id, 'dlv-1']);
    await listMerchants(all, { search: 'shop', failingMode: 'live', cursor: null, limit: 50 });
    await listActions(db, { who: 'usr_1', cursor: null, limit: 50 });

    const reading = queries.filter(({ sql: text }) => /^\s*select/i.test(text));
    expect(reading.length).toBeGreaterThan(25);
    for (const query of reading) {
      const isByIndex = BY_INDEX.test(query.sql);
      const scans = await db.transaction().execute(async (trx) => {
        // As `readByIndex` does for these.
        if (isByIndex) await sql`select set_config('enable_seqscan', 'off', true)`.execute(trx);
        const explained = { ...query, sql: `explain (format json) ${query.sql}` };
        const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
        return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)).filter(isSlow);
      });
      expect(
        scans.map((node) => node['Relation Name']),
        query.sql,
      ).toEqual([]);
    }
    await db.destroy();
    await database.drop();
  });
});

/** The rows that features keep of these actors, and as many deliveries. */
async function fillFeatures(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`insert into merchant (id, name, email, plan, settings)
    values ('mer_plans', 'Plan shop', 'shop@example.com', 'starter', '{}')`.execute(db);
  await sql`
    insert into transaction_terms (id, merchant_id, mode, type, crypto, network, deposit_address, due_base_units,
      amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate, rate_sources,
      rates_at, confirmations_required, metadata, created_at)
    select id, 'mer_plans', 'live', 'basic', 'LTC', 'net', 'address of ' || id, 1, '1', '80', '80', 'USD', '1', '80',
      '[]', ${now}, 6, jsonb_build_object('order', id), ${now} from actor`.execute(db);
  await insertMetadataValues(db, sql`transaction_terms`);
  await sql`
    insert into webhook_event (id, merchant_id, event, mode, body, created_at)
    select 'evt-' || number, 'mer_plans', 'payment.completed', 'live', '{}', ${now}
    from generate_series(1, ${ACTORS}::int4) as series (number)`.execute(db);
  await sql`
    insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, created_at)
    select 'dlv-' || number, 'evt-' || number, 'whk-plans', 'payment.completed', 'waiting', 1, ${now}
    from generate_series(1, ${ACTORS}::int4) as series (number)`.execute(db);
}

function isSlow(node: PlanNode): boolean {
  return node['Node Type'].endsWith('Seq Scan') && LARGE.includes(node['Relation Name'] ?? '');
}
