import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import { applyRetention } from '../../../src/operations/storage/apply-retention.ts';
import { archiveActors } from '../../../src/operations/storage/archive-actors.ts';
import { MONTHLY_TABLES, makePartitions } from '../../../src/operations/storage/month-partitions.ts';
import { newId } from '../../../src/platform/ids.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../src/webhooks/index.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createRetentionHarness, type Done, type RetentionHarness, type Shop } from './retention-run/harness.ts';
import { type Action, historyArbitrary, type RetentionRun } from './retention-run/history.ts';
import { Kept, readRows, TABLES } from './retention-run/kept.ts';
import { responsesOf } from './retention-run/responses.ts';

/**
 * So long ago that no history reaches the present: the database uses its own clock and refuses to
 * delete rows that are recent by it.
 */
const STARTED_AT = Date.UTC(2014, 0, 20, 11);
/** In each run, every setting deletes something, exactly at its limit and around it. */
const RUNS = 4;
/** A single history takes half a minute on a busy machine. */
const TIME_LIMIT_MS = 90_000;
/** A run may exceed the time limit, and databases are created and dropped. */
const TEST_LIMIT_MS = 180_000;

// At the quick level, retention.test.ts, archived-payment.test.ts and
// test/platform/engine/archive.test.ts cover examples.
describePostgres('archiving and retention at random times, with random settings,', () => {
  test(
    'remove exactly what is older than its retention, and change no response within it',
    async () => {
      const databases = [await createPostgresDatabase(), await createPostgresDatabase()] as const;
      try {
        await assertAsyncProperty(
          fc.asyncProperty(historyArbitrary, (actions) => compare(databases, actions)),
          { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS },
        );
      } finally {
        for (const database of databases) await database.drop();
      }
    },
    TEST_LIMIT_MS,
  );
});

// Helpers

/** Plays the same history in two databases, one of which has rows deleted. */
async function compare(databases: readonly [TestDatabase, TestDatabase], actions: readonly Action[]): Promise<void> {
  const clock = createTestClock(STARTED_AT);
  const shop = { merchantId: newId('mer'), endpointId: newId('whk') };
  const [cleaned, whole] = databases.map((database) => createRetentionHarness(database, clock, shop)) as [
    RetentionHarness,
    RetentionHarness,
  ];
  for (const { db } of [cleaned, whole]) await open(db, shop);
  const kept = new Kept();
  const payments: string[] = [];

  async function happen(action: Done, index: number): Promise<void> {
    const subject = await subjectOf(action);
    if (subject === null) return;
    const outcome = await cleaned.act(action, { subject, index });
    if (action.do === 'sendLate' && kept.archived.has(subject)) {
      // An archived actor journals no late events, and gives the same response as before.
      expect(outcome).toMatchObject({ outcome: 'ignored' });
      return;
    }
    if (action.do === 'redeliver' && !kept.isKept('webhook_delivery', subject)) {
      expect(outcome).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
      return;
    }
    expect(outcome).toEqual(await whole.act(action, { subject, index }));
    if (action.do !== 'pay') return;
    const started = await whole.db.selectFrom('transaction').select('id').where('id', '=', subject).executeTakeFirst();
    if (started !== undefined) payments.push(subject);
  }
  async function subjectOf(action: Done): Promise<string | null> {
    switch (action.do) {
      case 'pay':
        return newId('txn');
      case 'close':
      case 'sendLate':
        return pick(payments, action.payment);
      case 'redeliver': {
        const all = await readRows(whole.db, 'webhook_delivery');
        return pick(all.map(({ key }) => key).sort(), action.delivery);
      }
      case 'answer':
      case 'write':
        return '';
    }
  }

  let hasChanged = false;
  for (const [index, action] of actions.entries()) {
    if (action.do === 'wait') clock.advance(action.days * DAY_MS);
    else if (action.do === 'apply retention') {
      const before = kept.count();
      await kept.applyRetention(whole.db, clock.now(), action);
      hasChanged ||= kept.count() > before;
      await runRetention(cleaned, clock, action);
      await expectRows(cleaned, whole, kept);
      // A second round has nothing left to do.
      expect(await runRetention(cleaned, clock, action)).toEqual({ archived: 0, deleted: new Map() });
      await expectRows(cleaned, whole, kept);
    } else {
      await happen(action, index);
      hasChanged = true;
    }
    // Without a change since the last comparison, the responses are those compared then.
    if (action.do !== 'apply retention' || !hasChanged) continue;
    hasChanged = false;
    const about = { payments, clock, kept, startedAt: STARTED_AT };
    expect(await responsesOf(cleaned, about)).toEqual(await responsesOf(whole, about));
  }
  for (const { table, days } of TABLES) expect([table, kept.hasLost(table)]).toEqual([table, days !== null]);
}

function pick(from: readonly string[], index: number): string | null {
  return from.at(index % Math.max(1, from.length)) ?? null;
}

/** The storage worker's hourly round. */
async function runRetention(
  { db, kinds }: RetentionHarness,
  clock: TestClock,
  { makesMonths, archiveAfterDays, retention }: RetentionRun,
) {
  for (const table of makesMonths ? MONTHLY_TABLES : []) await makePartitions(db, table, clock.now());
  const archiving = { db, kinds, clock, log: silentLog, archiveAfterDays };
  const rejected = new Set<string>();
  const archived = await archiveActors(archiving, { rejected });
  expect(rejected).toEqual(new Set());
  return { archived, deleted: await applyRetention({ db, clock, log: silentLog, retention }) };
}

/** Checks which rows of every table exist; for actors and journals also where. */
async function expectRows(cleaned: RetentionHarness, whole: RetentionHarness, kept: Kept): Promise<void> {
  for (const { table } of TABLES) {
    const isThere = (key: string) => (table === 'actor' ? !kept.archived.has(key) : kept.isKept(table, key));
    const expected = (await readRows(whole.db, table)).map(({ key }) => key).filter(isThere);
    const found = (await readRows(cleaned.db, table)).map(({ key }) => key);
    expect({ table, keys: found.sort() }).toEqual({ table, keys: expected.sort() });
  }
  const archived = [...kept.archived.keys()];
  const stored = archived.filter((id) => kept.isKept('actor', id));
  expect(await idsOf(cleaned, 'archived_actor')).toEqual(archived.sort());
  expect(await idsOf(cleaned, 'actor_archive')).toEqual(stored.sort());
  const { rows } = await sql<{ left: number }>`
    select count(*)::int8 as left from journal_entry where actor_id = any(${archived}::text[])`.execute(cleaned.db);
  expect(rows).toEqual([{ left: 0 }]);
}

async function idsOf({ db }: RetentionHarness, table: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}`.execute(db);
  return rows.map(({ id }) => id).sort();
}

/** A shop in a database without other rows that could be reported or deleted. */
async function open(db: RetentionHarness['db'], { merchantId, endpointId }: Shop): Promise<void> {
  for (const table of EMPTIED) await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`
    insert into merchant (id, name, email, plan)
    values (${merchantId}, ${merchantId}, ${`${merchantId}@shop.example`}, 'unlimited')`.execute(db);
  await sql`
    insert into merchant_user (id, merchant_id, email, password_hash, role)
    values (${`usr-${merchantId}`}, ${merchantId}, ${`u-${merchantId}@shop.example`}, 'x', 'owner')`.execute(db);
  await sql`
    insert into webhook_endpoint (id, merchant_id, url, events, sealed_secret)
    values (${endpointId}, ${merchantId}, 'https://a.example', ${JSON.stringify(WEBHOOK_EVENT_TYPES)}, 'x')`.execute(
    db,
  );
}

const EMPTIED = [
  'webhook_attempt',
  'webhook_delivery',
  'webhook_event',
  'mail',
  'dead_letter',
  'operation_item',
  'operation_run',
  'session',
  'audit_entry',
  'operator_action',
  'payment',
  'transaction_terms',
  'transaction_status',
  'transaction_count',
  'outbox_message',
  'timer',
  'journal_entry',
  'actor',
  'actor_archive',
  'archived_actor',
  'actor_count',
];
