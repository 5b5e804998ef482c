import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../machines/index.ts';
import { monthOf } from '../../src/billing/months.ts';
import type { OutputStatus } from '../../src/chains/index.ts';
import { attachTestWallets } from '../../src/merchants/index.ts';
import { chainEventCommand } from '../../src/payments/watching/chain-events.ts';
import { connect } from '../../src/platform/db/index.ts';
import type { Engine, EventCommand } from '../../src/platform/engine/index.ts';
import { createTestClock } from '../support/clock.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import {
  addMerchant,
  completionsInJournal,
  createBillingEngine,
  type Db,
  passTime,
  report,
  startPayment,
  usageOf,
} from './harness.ts';

/**
 * Whatever happens to payments, in any order, repeatedly and in any process: the monthly counter
 * equals the number of payments that completed in the month, according to their journals.
 */

const LIVE_PAYMENTS = 4;
/**
 * Payments per merchant, where several complete in one commit, and concurrently in two processes.
 */
const EACH = level.pick({ quick: 8, full: 20 });
const EACH_AT_ONCE = level.pick({ quick: 12, full: 50 });
/** The last minutes of a month, so that short pauses lead into the next one. */
const START = Date.parse('2026-11-30T23:20:00Z');

type Action = 'seen' | 'mined' | 'confirmed' | 'reorged' | 'replaced' | 'marked_paid' | 'dismissed';

interface Round {
  readonly actions: readonly { readonly payment: number; readonly action: Action; readonly copies: number }[];
  /** Time until the next round. */
  readonly pauseMs: number;
}

const action = fc.record({
  // Two more than the live payments: a simulated one, and one paid to the operator.
  payment: fc.nat(LIVE_PAYMENTS + 1),
  action: fc.constantFrom<Action>(
    'seen',
    'mined',
    'confirmed',
    'confirmed',
    'reorged',
    'replaced',
    'marked_paid',
    'dismissed',
  ),
  copies: fc.integer({ min: 1, max: 3 }),
});
const history: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    actions: fc.array(action, { minLength: 1, maxLength: 8 }),
    pauseMs: fc.constantFrom(0, 10 * MINUTE_MS, 40 * MINUTE_MS, DAY_MS, 29 * DAY_MS),
  }),
  { minLength: 1, maxLength: 6 },
);

describeDatabases('the monthly counter', (database) => {
  beforeAll(() => attachTestWallets(database().db));

  // At the quick level, the test below covers this with two processes.
  if (level.isFull)
    it('rule 63: counts every live payment once on either database, in the month it completed', async () => {
      const { db } = database();
      await checkHistories(db, [db], database().kind === 'postgres' ? 25 : 10);
    });

  it('is one statement, however many payments complete in a commit', async () => {
    const { db } = database();
    const clock = createTestClock(START);
    const engine = createBillingEngine(db, clock);
    const merchantIds = await Promise.all(Array.from({ length: 3 }, () => addMerchant(db, 'enterprise')));
    const ids = await Promise.all(
      Array.from({ length: 3 * EACH }, (_, index) => startPayment({ db, engine }, merchantIds[index % 3] ?? '')),
    );
    await Promise.all(
      ids.map((id) => engine.deliver(chainEventCommand(id, report(id, 1, confirmedIn('a'), clock.now())))),
    );
    for (const merchantId of merchantIds) expect(await usageOf(db, merchantId)).toEqual({ '2026-11': EACH });
  });

  it('continues while plans are off, and reaches no limit by that', async () => {
    const { db } = database();
    const clock = createTestClock(START);
    const engine = createBillingEngine(db, clock, undefined, false);
    const merchantId = await addMerchant(db);
    await db.updateTable('plan').set({ monthly_transaction_limit: 1 }).where('tier', '=', 'starter').execute();
    try {
      for (let paid = 0; paid < 7; paid += 1) {
        const id = await startPayment({ db, engine }, merchantId);
        await engine.deliver(chainEventCommand(id, report(id, 1, confirmedIn('a'), clock.now())));
      }
      expect(await usageOf(db, merchantId)).toEqual({ '2026-11': 7 });
      const row = await db.selectFrom('merchant').selectAll().where('id', '=', merchantId).executeTakeFirstOrThrow();
      expect(row.limit_first_reached_in).toBeNull();
    } finally {
      await db.updateTable('plan').set({ monthly_transaction_limit: 50 }).where('tier', '=', 'starter').execute();
    }
  });

  it('rule 65: stores the month in which a limit was reached for the first time, and no later one', async () => {
    const { db } = database();
    const clock = createTestClock(START);
    const engine = createBillingEngine(db, clock);
    const merchantId = await addMerchant(db);
    await db.updateTable('plan').set({ monthly_transaction_limit: 2 }).where('tier', '=', 'starter').execute();
    try {
      const reached: (string | null)[] = [];
      for (const pauseMs of [0, 0, 0, 31 * DAY_MS, 0]) {
        clock.advance(pauseMs);
        const id = await startPayment({ db, engine }, merchantId);
        await engine.deliver(chainEventCommand(id, report(id, 1, confirmedIn('a'), clock.now())));
        const row = await db.selectFrom('merchant').selectAll().where('id', '=', merchantId).executeTakeFirstOrThrow();
        reached.push(row.limit_first_reached_in);
      }
      expect(reached).toEqual([null, '2026-11', '2026-11', '2026-11', '2026-11']);
      expect(await usageOf(db, merchantId)).toEqual({ '2026-11': 3, '2026-12': 2 });
    } finally {
      await db.updateTable('plan').set({ monthly_transaction_limit: 50 }).where('tier', '=', 'starter').execute();
    }
  });
});

describePostgres('the monthly counter of two processes on one Postgres', () => {
  it('rule 63: counts every live payment once, in the month it completed', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    try {
      await attachTestWallets(database.db);
      await checkHistories(database.db, [database.db, other.db], level.runs(20));
    } finally {
      await other.close();
      await database.drop();
    }
  });

  it('counts all of many concurrent completions, of several merchants, exactly', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const { db } = database;
    try {
      const clock = createTestClock(START);
      const engines = [db, other.db].map((each) => createBillingEngine(each, clock));
      const merchantIds = await Promise.all(Array.from({ length: 4 }, () => addMerchant(db, 'enterprise')));
      const ids = await Promise.all(
        Array.from({ length: 4 * EACH_AT_ONCE }, (_, index) =>
          startPayment({ db, engine: engineOf(engines, index) }, merchantIds[index % 4] ?? ''),
        ),
      );
      // Both processes receive every payment's event.
      await Promise.all(
        ids.flatMap((id) =>
          engines.map((engine) => engine.deliver(chainEventCommand(id, report(id, 1, confirmedIn('a'), clock.now())))),
        ),
      );
      for (const merchantId of merchantIds) expect(await usageOf(db, merchantId)).toEqual({ '2026-11': EACH_AT_ONCE });
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

// Helpers

async function checkHistories(db: Db, dbs: readonly Db[], numRuns: number): Promise<void> {
  await assertAsyncProperty(
    fc.asyncProperty(history, async (rounds) => {
      const clock = createTestClock(START);
      const engines = dbs.map((each) => createBillingEngine(each, clock));
      const merchantId = await addMerchant(db, 'enterprise');
      const engine = engineOf(engines, 0);
      const ids = [
        ...(await Promise.all(Array.from({ length: LIVE_PAYMENTS }, () => startPayment({ db, engine }, merchantId)))),
        await startPayment({ db, engine }, merchantId, { mode: 'test', network: 'simulated-litecoin' }),
        await startPayment({ db, engine }, merchantId, { type: 'billing' }),
      ];
      let order = 0;
      for (const { actions, pauseMs } of rounds) {
        const commands = actions.flatMap(({ payment, action, copies }) => {
          order += 1;
          const command = commandOf(ids[payment] ?? '', action, order, clock.now());
          return Array.from({ length: copies }, () => command);
        });
        await Promise.all(commands.map((command, index) => engineOf(engines, index).deliver(command)));
        await passTime({ db, engines, clock, ids }, pauseMs);
      }
      await expectCounted(db, merchantId, ids);
    }),
    { numRuns },
  );
}

function commandOf(id: string, action: Action, order: number, now: number): EventCommand {
  if (action === 'marked_paid' || action === 'dismissed') {
    return { actorId: id, eventId: `decision:${order}`, event: { type: `merchant.${action}` } };
  }
  return chainEventCommand(id, report(id, order, statusAfter(action, order), now));
}

function statusAfter(action: Exclude<Action, 'marked_paid' | 'dismissed'>, order: number): OutputStatus {
  switch (action) {
    case 'seen':
      return { kind: 'mempool' };
    case 'mined':
      return { kind: 'block', height: 100, blockHash: `block-${order}` };
    case 'confirmed':
      return confirmedIn(`block-${order}`);
    case 'reorged':
    case 'replaced':
      return { kind: 'gone', reason: action };
  }
}

function confirmedIn(blockHash: string): OutputStatus {
  return { kind: 'confirmed', height: 100, blockHash };
}

async function expectCounted(db: Db, merchantId: string, ids: readonly string[]): Promise<void> {
  const counted = ids.slice(0, LIVE_PAYMENTS);
  const rows = await db
    .selectFrom('transaction')
    .select(['id', 'completed_at'])
    .where('id', 'in', counted)
    .where('completed_at', 'is not', null)
    .execute();
  const shown: Record<string, number> = {};
  for (const { completed_at: at } of rows) {
    const month = monthOf(at ?? Number.NaN);
    shown[month] = (shown[month] ?? 0) + 1;
  }
  expect(await usageOf(db, merchantId)).toEqual(shown);
  expect(await completionsInJournal(db, counted)).toEqual(shown);
}

function engineOf(engines: readonly Engine[], index: number): Engine {
  const engine = engines[index % engines.length];
  if (engine === undefined) throw new Error('there is no engine');
  return engine;
}
