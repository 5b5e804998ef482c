import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countDeliveries,
  listTransactionEvents,
  MAX_PREVIEWED_EVENTS,
  previewReplay,
  readEndpointHealth,
} from '../../../src/webhooks/index.ts';
import { type DeliveryFilter, listStatement } from '../../../src/webhooks/log/list-statement.ts';
import { REPLAY_PACE, readReplayCapacity } from '../../../src/webhooks/redelivery/replay-capacity.ts';
import { readReplayPage } from '../../../src/webhooks/redelivery/replay-page.ts';
import { claimAttempts } from '../../../src/webhooks/sender/claim-attempts.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { countBlocksRead } from '../../support/database/slow-plans.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { vacuumAnalyze } from '../../support/database/vacuum.ts';

/** Upper bound for one query, in blocks of 8 KB, however many rows there are. */
const MAX_BLOCKS = 900;
/** LOG_ROWS=1000000 takes a minute and must read no more. */
const MANY = Number(process.env.LOG_ROWS ?? 100_000);
const ENDPOINT = 'whk_many';
const MERCHANT = 'mer_many';

/**
 * One event a second up to now. Nearly all were delivered; few failed or wait;
 * `payment.needs_review` never occurred.
 */
const FILL = [
  sql`insert into merchant (id, name, email, plan, settings) values (${MERCHANT}, 'many', 'many@shop.example', 'x', '{}')`,
  sql`
    insert into webhook_endpoint (id, merchant_id, url, events, sealed_secret)
    values (${ENDPOINT}, ${MERCHANT}, 'https://shop.example/', '["payment.completed", "payment.failed"]', 'x')`,
  sql`
    insert into webhook_event (id, merchant_id, transaction_id, event, mode, body, created_at)
    select 'evt_' || number, ${MERCHANT}, 'txn_' || number / 3,
      case when number % 1000 = 0 then 'payment.failed' else 'payment.completed' end, 'live', '{"sequence":1}',
      to_timestamp(${START_MS / 1_000}) - (${MANY} - number) * interval '1 second'
    from generate_series(1, ${MANY}::int8) as series (number)`,
  sql`
    insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, created_at, ended_at)
    select 'dlv_' || substr(id, 5), id, ${ENDPOINT}, event,
      case when number % 10000 = 7 then 'waiting' when number % 5000 = 3 then 'failed' else 'delivered' end, 1, created_at,
      case when number % 10000 = 7 then null else created_at end
    from (select *, substr(id, 5)::int8 as number from webhook_event) as numbered`,
  sql`
    insert into webhook_replay (id, merchant_id, endpoint_id, since, until, state, created_at)
    values ('rpl_many', ${MERCHANT}, ${ENDPOINT}, '2020-01-01', to_timestamp(${START_MS / 1_000}), 'running', now())`,
];

// At the quick level, test/platform/db/indexes.test.ts and test/http/api/lists/list-cost.test.ts
// cover reading by index.
describePostgres('the log of very many deliveries', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    for (const statement of FILL) await statement.execute(database.db);
    await vacuumAnalyze(database.db, 'webhook_event', 'webhook_delivery');
  }, 600_000);
  afterAll(() => database?.drop());

  const hour = { since: START_MS - 7_200_000, until: START_MS - 3_600_000 };
  const filters: [string, DeliveryFilter][] = [
    ['nothing', {}],
    ['a common state', { state: 'delivered' }],
    ['a rare state', { state: 'failed' }],
    ['a state few have', { state: 'waiting' }],
    ['a state without deliveries', { state: 'sending' }],
    ['a common type', { event: 'payment.completed' }],
    ['a rare type', { event: 'payment.failed' }],
    ['a type without deliveries', { event: 'payment.needs_review' }],
    ['state and type', { state: 'failed', event: 'payment.completed' }],
    ['a state and a type that never meet', { state: 'waiting', event: 'payment.failed' }],
    ['a transaction', { transactionId: 'txn_500' }],
    ['a transaction and a state', { transactionId: 'txn_500', state: 'failed' }],
    ['an hour', hour],
    ['an hour and a type', { ...hour, event: 'payment.failed' }],
  ];

  test.each(filters)('filtered by %s reads few blocks, also far from its start', async (_, filter) => {
    const page = { endpointId: ENDPOINT, limit: 20 };
    const { rows } = await listStatement({ ...page, before: null }, filter).execute(database.db);
    expect(rows.length).toBe(Math.min(20, await countMatching(filter)));
    expect(await countBlocksRead(database.db, listStatement({ ...page, before: null }, filter))).toBeLessThan(
      MAX_BLOCKS,
    );
    const middle = `dlv_${Math.floor(MANY / 2)}`;
    expect(await countBlocksRead(database.db, listStatement({ ...page, before: middle }, filter))).toBeLessThan(
      MAX_BLOCKS,
    );
  });

  test('a replay reads few blocks for a page and its free slots, at any position', async () => {
    const { db } = database;
    for (const at of [null, Math.floor(MANY / 2), MANY]) {
      await sql`
        update webhook_replay set cursor_event_id = ${at === null ? null : `evt_${at}`},
          cursor_created_at = (select created_at from webhook_event where id = ${at === null ? null : `evt_${at}`})`.execute(
        db,
      );
      const used = await blocksDuring(async (trx) => {
        await readReplayCapacity(trx, ENDPOINT, REPLAY_PACE);
        const page = await readReplayPage(trx, { replayId: 'rpl_many', limit: 200 });
        expect(page).toHaveLength(at === MANY ? 0 : 200);
      });
      // Each event is looked up among deliveries, and each of those among attempts.
      expect(used).toBeGreaterThan(0);
      expect(used).toBeLessThan(200 * 12);
    }
  });

  test('attempts are read by number, also when their deliveries are no longer the newest', async () => {
    const deliveryIds = Array.from({ length: 20 }, (_, index) => `dlv_${Math.floor(((index + 1) * MANY) / 21)}`);
    const change = (state: string) =>
      database.db.updateTable('webhook_delivery').set({ state }).where('id', 'in', deliveryIds);
    await change('sending').execute();
    const used = await blocksDuring(async (trx) => {
      const attempts = deliveryIds.map((deliveryId) => ({ deliveryId, attempt: 1 }));
      const responses = await claimAttempts(trx, { holder: 'sender', claimMs: 30_000 }, attempts);
      expect(responses.map(({ kind }) => kind)).toEqual(deliveryIds.map(() => 'taken'));
    });
    await change('delivered').execute();
    // Each is looked up for its claim, its update and its read, with its event and its endpoint;
    // and a row is written.
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThan(20 * 40);
  });

  test('counting for an endpoint costs as much as one day contains, and listing the events of a transaction as much as it has', async () => {
    const { db } = database;
    const clock = createTestClock();
    expect((await countDeliveries({ db, clock }, [ENDPOINT])).get(ENDPOINT)).toMatchObject({
      delivered: 10_087,
      held: 0,
    });
    const input = { merchantId: MERCHANT, transactionId: 'txn_500' };
    expect(await listTransactionEvents({ db }, input)).toMatchObject([
      { id: 'evt_1500', deliveries: [{ id: 'dlv_1500', state: 'delivered' }] },
      { id: 'evt_1501' },
      { id: 'evt_1502' },
    ]);
  });

  test('endpoint health costs the same however long its log is, and a preview as much as it counts', async () => {
    const clock = createTestClock();
    const health = await blocksDuring(async (trx) => {
      const found = (await readEndpointHealth({ db: trx }, [ENDPOINT])).get(ENDPOINT);
      expect(found).toMatchObject({ lastSuccessAt: START_MS, failuresInARow: 0 });
    });
    expect(health).toBeGreaterThan(0);
    expect(health).toBeLessThan(MAX_BLOCKS);
    const input = { merchantId: MERCHANT, endpointId: ENDPOINT, since: START_MS - 1_000_000 };
    const preview = await blocksDuring(async (trx) => {
      expect(await previewReplay({ db: trx, clock }, input)).toMatchObject({ events: 1_001, isCut: false });
    });
    expect(preview).toBeGreaterThan(0);
    expect(preview).toBeLessThan(1_001 * 12);
    expect(await previewReplay({ db: database.db, clock }, { ...input, since: START_MS - 50_000_000 })).toMatchObject({
      events: MAX_PREVIEWED_EVENTS,
      isCut: true,
    });
  });

  async function countMatching({ state, event, transactionId, since, until }: DeliveryFilter): Promise<number> {
    let query = database.db
      .selectFrom('webhook_delivery')
      .innerJoin('webhook_event', 'webhook_event.id', 'webhook_event_id')
      .select(({ fn }) => fn.countAll<number>().as('count'));
    if (state !== undefined) query = query.where('state', '=', state);
    if (event !== undefined) query = query.where('webhook_delivery.event', '=', event);
    if (transactionId !== undefined) query = query.where('transaction_id', '=', transactionId);
    if (since !== undefined) query = query.where('webhook_delivery.created_at', '>=', moment(since));
    if (until !== undefined) query = query.where('webhook_delivery.created_at', '<', moment(until));
    return (await query.executeTakeFirstOrThrow()).count;
  }

  /** Blocks of tables and indexes that `work` reads in its own transaction. */
  async function blocksDuring(
    work: Parameters<ReturnType<TestDatabase['db']['transaction']>['execute']>[0],
  ): Promise<number> {
    return database.db.transaction().execute(async (trx) => {
      const before = await blocksRead(trx);
      await work(trx);
      return (await blocksRead(trx)) - before;
    });
  }
});

// Helpers

function moment(at: number) {
  return sql<number>`to_timestamp(${at}::int8 / 1000.0)`;
}

/** Blocks this transaction has read so far of the webhook tables and their indexes. */
async function blocksRead(trx: Parameters<typeof readReplayCapacity>[0]): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::int8 as blocks
    from pg_class where relname like 'webhook%'`.execute(trx);
  return rows[0]?.blocks ?? 0;
}
