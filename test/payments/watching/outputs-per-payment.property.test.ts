import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Observation, OutputStatus } from '../../../src/chains/index.ts';
import type { ObservationCommand } from '../../../src/platform/engine/index.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import {
  createRecordingBus,
  DUE,
  inBlock,
  LITECOIN,
  later,
  newWallet,
  observe,
  openSink,
  startEngine,
  startPayment,
} from './sink-support.ts';

/** Below 0.1 % of the due amount, below 1 %, and larger: each size has its own quota. */
const AMOUNTS = [300n, 5_000n, DUE / 50n];
const GONE: OutputStatus = { kind: 'gone', reason: 'replaced' };

const comes = fc.record({
  do: fc.constant('come' as const),
  count: fc.constantFrom(3, 70, 120),
  amount: fc.constantFrom(...AMOUNTS),
  isMined: fc.boolean(),
});
const steps = fc.oneof(
  { weight: 2, arbitrary: comes },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('mine' as const, 'leave' as const),
      every: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const), isReversed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);
/** More than a payment accepts, none of them mined. */
const FLOOD = { do: 'come', count: 120, amount: 5_000n, isMined: false } as const;

describeDatabases('outputs beyond the limit of a payment', (database) => {
  test('rule 6: each is either counted or unassigned, as last seen, and unassigned ones add up', async () => {
    const given = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 7 }), async (history) => {
      const harness = await openHarness(database());
      for (const step of [FLOOD, ...history]) await harness.play(step);
      await harness.play({ do: 'deliver', isReversed: false });
      const { counted, unassigned, shown } = await harness.read();
      for (const { outputId, status, firstSeenAt } of harness.last()) {
        const found = [counted.get(outputId), unassigned.get(outputId)].filter((each) => each !== undefined);
        expect(found, outputId).toEqual([expect.objectContaining({ status: status.kind, firstSeenAt })]);
      }
      const open = [...unassigned.values()].filter((each) => !each.isSettled && each.status !== 'gone');
      expect(shown).toBe(open.reduce((sum, { amount }) => sum + amount, 0n));
    });
    await assertAsyncProperty(given, { numRuns: level.pick({ quick: 5, full: 25 }), interruptAfterTimeLimit: 60_000 });
  });
});

// Helpers

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

interface Place {
  readonly status: string;
  readonly firstSeenAt: number;
  readonly amount: bigint;
  readonly isSettled: boolean;
}

async function openHarness({ db }: TestDatabase) {
  const bus = createRecordingBus();
  const sink = openSink({ db, bus });
  const engine = startEngine(db);
  const derivationKeyId = await newWallet(db, LITECOIN);
  const payment = await startPayment(db, engine, { derivationKeyId, network: LITECOIN, crypto: 'LTC' });
  const { transactionId, watchKey } = payment;
  const all = new Map<string, Observation>();
  let delivered = 0;

  async function report(found: readonly Observation[]): Promise<void> {
    for (const each of found) all.set(each.outputId, each);
    await sink(found);
  }

  async function deliver(isReversed: boolean): Promise<void> {
    const waiting = bus.taken.slice(delivered);
    delivered = bus.taken.length;
    if (isReversed) waiting.reverse();
    await Promise.all(waiting.map(({ data }) => engine.deliver(data as ObservationCommand)));
  }

  /** Settles the open items, as `settleAttention` does. */
  async function settle(): Promise<void> {
    const settled = { settled_at: new Date(1_700_000_000_000) };
    await db
      .updateTable('attention_item')
      .set({ ...settled, settled_by: 'usr_1', note: 'given back' })
      .where('transaction_id', '=', transactionId)
      .where('settled_at', 'is', null)
      .execute();
    await db
      .updateTable('unassigned_payment')
      .set(settled)
      .where('transaction_id', '=', transactionId)
      .where('status', '<>', 'gone')
      .where('settled_at', 'is', null)
      .execute();
  }

  return {
    last: () => all.values(),
    async play(step: Step): Promise<void> {
      if (step.do === 'deliver') return deliver(step.isReversed);
      if (step.do === 'settle') return settle();
      if (step.do === 'come') {
        const status: OutputStatus = step.isMined ? inBlock(7) : { kind: 'mempool' };
        const found = { network: LITECOIN, watchKey, amountBaseUnits: step.amount, status };
        return report(Array.from({ length: step.count }, () => observe(found)));
      }
      const status = step.do === 'mine' ? inBlock(8) : GONE;
      const chosen = [...all.values()].filter((_, index) => index % step.every === 0);
      return report(chosen.map((each) => later(each, status)));
    },
    async read() {
      const payments = await db.selectFrom('payment').selectAll().where('transaction_id', '=', transactionId).execute();
      const rows = await db
        .selectFrom('unassigned_payment')
        .selectAll()
        .where('transaction_id', '=', transactionId)
        .execute();
      const item = await db
        .selectFrom('attention_item')
        .select('base_units')
        .where('transaction_id', '=', transactionId)
        .where('kind', '=', 'unassigned_coins')
        .where('settled_at', 'is', null)
        .executeTakeFirst();
      const counted = new Map<string, Place>(
        payments.map((row) => [
          row.output_id,
          {
            status: row.presence,
            firstSeenAt: row.first_seen_at,
            amount: row.amount_base_units,
            isSettled: false,
          },
        ]),
      );
      const unassigned = new Map<string, Place>(
        rows.map((row) => [
          row.output_id,
          {
            status: row.status,
            firstSeenAt: row.first_seen_at,
            amount: row.amount_base_units,
            isSettled: row.settled_at !== null,
          },
        ]),
      );
      return { counted, unassigned, shown: item?.base_units ?? 0n };
    },
  };
}
