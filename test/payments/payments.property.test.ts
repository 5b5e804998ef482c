import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OutputRecord } from '../../machines/index.ts';
import type { Observation, OutputStatus } from '../../src/chains/index.ts';
import { attachTestWallets } from '../../src/merchants/index.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import { chainEventCommand } from '../../src/payments/watching/chain-events.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { connect } from '../../src/platform/db/index.ts';
import {
  createEngine,
  createKindRegistry,
  type Engine,
  type EventCommand,
  replay,
} from '../../src/platform/engine/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/webhooks/index.ts';
import { startPayment } from '../billing/harness.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { silentLog } from '../support/silent-log.ts';
import { addEndpoint, createMerchant } from '../webhooks/harness.ts';

/**
 * Whole payments through the real engine and tables: whatever the chain reports, in any order, any
 * number of times and to any process, the rows must end where reading the newest report of each
 * output ends.
 */

type Db = TestDatabase['db'];
const DUE = 1_000_000n;
const NETWORK = 'simulated-litecoin';
const kinds = createKindRegistry([createTransactionKind({ publicUrl: 'http://127.0.0.1' })]);

interface Report {
  readonly output: number;
  readonly status: OutputStatus;
}

const status: fc.Arbitrary<OutputStatus> = fc.oneof(
  fc.constant<OutputStatus>({ kind: 'mempool' }),
  fc.record({
    kind: fc.constant('block' as const),
    height: fc.integer({ min: 101, max: 103 }),
    blockHash: fc.constantFrom('a', 'b'),
  }),
  fc.record({
    kind: fc.constant('confirmed' as const),
    height: fc.integer({ min: 101, max: 103 }),
    blockHash: fc.constantFrom('a', 'b'),
  }),
  fc.constantFrom<OutputStatus>({ kind: 'gone', reason: 'replaced' }, { kind: 'gone', reason: 'reorged' }),
);

/** Amounts near the due amount, what happened to each in true order, and its delivery. */
const history = fc.record({
  amounts: fc.array(fc.constantFrom(1n, 499_999n, 500_000n, 995_000n, DUE, DUE * 2n), { minLength: 1, maxLength: 3 }),
  reports: fc.array(fc.record({ output: fc.nat(2), status }), { minLength: 1, maxLength: 8 }),
  shuffle: fc.array(fc.nat(1_000), { minLength: 24, maxLength: 24 }),
  copies: fc.integer({ min: 1, max: 3 }),
});

describeDatabases('payments through the engine', (database) => {
  it('end as the newest report of each output says, whatever was repeated or reordered', async () => {
    const { db } = database();
    const engine = createEngine({ db, kinds, clock: systemClock, log: silentLog });
    await check(db, [engine], level.runs(database().kind === 'postgres' ? 40 : 15));
  });
});

describePostgres('payments through two processes on one Postgres', () => {
  it('end as the newest report of each output says, whichever process received it', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    try {
      const engines = [database.db, other.db].map((db) =>
        createEngine({ db, kinds, clock: systemClock, log: silentLog }),
      );
      await check(database.db, engines, level.runs(30));
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

// Helpers

async function check(db: Db, engines: readonly Engine[], numRuns: number): Promise<void> {
  await attachTestWallets(db);
  const merchantId = await createMerchant({ db });
  await addEndpoint({ db }, { merchantId, url: 'https://shop.example', events: WEBHOOK_EVENT_TYPES });
  await assertAsyncProperty(
    fc.asyncProperty(history, async ({ amounts, reports, shuffle, copies }) => {
      const [first] = engines;
      if (first === undefined) throw new Error('no engine');
      const transactionId = await startPayment({ db, engine: first }, merchantId, { mode: 'test', network: NETWORK });
      const truth = reports.map(({ output, status }, order) => observation(amounts, { output, status }, order));
      const sent = Array.from({ length: copies }, () => truth)
        .flat()
        .map((each, index) => ({ each, key: shuffle[index % shuffle.length] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ each }) => chainEventCommand(transactionId, each));
      await Promise.all(sent.map((command, index) => deliver(engines[index % engines.length] ?? first, command)));
      await expectEnd(db, transactionId, truth);
    }),
    { numRuns },
  );
}

async function deliver(engine: Engine, command: EventCommand): Promise<void> {
  expect((await engine.deliver(command)).outcome).toMatch(/applied|ignored|duplicate/);
}

function observation(amounts: readonly bigint[], { output, status }: Report, order: number): Observation {
  const index = output % amounts.length;
  return {
    network: NETWORK,
    outputId: `output-${index}:0`,
    txid: `output-${index}`,
    watchKey: 'unused',
    asset: 'LTC',
    amountBaseUnits: amounts[index] ?? 0n,
    order: order + 1,
    firstSeenAt: Date.now(),
    status,
  };
}

async function expectEnd(db: Db, transactionId: string, truth: readonly Observation[]): Promise<void> {
  const newest = new Map(truth.map((each) => [each.outputId, each]));
  const live = [...newest.values()].filter((each) => each.status.kind !== 'gone');
  const sum = live.reduce((total, each) => total + each.amountBaseUnits, 0n);

  const row = await db.selectFrom('transaction').selectAll().where('id', '=', transactionId).executeTakeFirstOrThrow();
  expect(row.paid_base_units).toBe(sum);
  const payments = await db.selectFrom('payment').selectAll().where('transaction_id', '=', transactionId).execute();
  expect(new Map(payments.map((each) => [each.output_id, each.presence]))).toEqual(
    new Map([...newest].map(([outputId, each]) => [outputId, presenceOf(each.status)])),
  );

  const events = await db
    .selectFrom('webhook_event')
    .select('body')
    .where('transaction_id', '=', transactionId)
    .execute();
  const sequences = events.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence).sort((a, b) => a - b);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  const owed = await db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_event_id')
    .select('webhook_event_id')
    .where('transaction_id', '=', transactionId)
    .execute();
  expect(new Set(owed.map((each) => each.webhook_event_id)).size).toBe(events.length);
  expect(owed.length).toBe(events.length);

  expect(await replay(db, kinds, transactionId)).toMatchObject({ equal: true });
  const accepted = await db
    .selectFrom('journal_entry')
    .select('event_id')
    .where('actor_id', '=', transactionId)
    .execute();
  expect(new Set(accepted.map((entry) => entry.event_id)).size).toBe(accepted.length);
}

function presenceOf({ kind }: OutputStatus): OutputRecord['presence'] {
  if (kind === 'mempool' || kind === 'gone') return kind;
  return 'block';
}
