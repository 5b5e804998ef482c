import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seenBaseUnits } from '../../../../../machines/index.ts';
import { address, COIN, coins } from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from '../harness.ts';
import { pays } from '../sightings/sighting-support.ts';
import { type NotifiedPayment, openNotifiedPayment } from './notified-payment.ts';

/** Calls of one verification that may be answered by a machine that lags. */
const CALLS = 25;
/** A machine that lags further than the memory reaches is known to be stale. */
const MEMORY_BLOCKS = 12;
const STALE_AFTER_MS = 10 * 12_000;
const WAYS = ['a transfer', 'a contract, traced', 'a contract'] as const;
type Way = (typeof WAYS)[number];

interface Paid {
  readonly at: EvmHarness;
  readonly payment: NotifiedPayment;
  /** Newest blocks of machines that lag: behind the payment, or on a branch that was undone. */
  readonly behind: string;
  readonly undone: string;
}

/** A payment in a block that is `depth` blocks deep, and that was reported. */
async function payDeep(way: Way, depth: number): Promise<Paid> {
  const at = createEvmHarness({ historyBlocks: MEMORY_BLOCKS, params: { staleAfterMs: STALE_AFTER_MS } });
  at.node.traces = way !== 'a contract';
  mineEmpty(at, 20);
  at.accounts.open({ watchKey: address(0), asset: COIN }, true);
  await at.step();
  const payment = openNotifiedPayment({
    dueBaseUnits: '9',
    confirmationsRequired: depth,
    windowMs: 1_800_000,
    observations: at.sink.observations,
    watcher: at.watcher,
    now: () => at.node.timeSeconds * 1_000,
  });
  const behind = at.node.best().hash;
  let undone = behind;
  for (let height = 0; height <= depth; height += 1) undone = at.node.build(undone, []).hash;
  at.node.setBest(behind, () => false);
  at.node.mine([way === 'a transfer' ? coins(address(0), 9n) : pays(9)]);
  await at.step();
  mineEmpty(at, depth);
  await at.step();
  payment.receive();
  return { at, payment, behind, undone };
}

/** Verifies while some of the calls are answered by a machine whose newest block is `lagging`. */
async function verifyWhile(
  { at, payment }: Paid,
  lagging: string,
  isLagging: (call: number) => boolean,
): Promise<void> {
  const head = at.node.best().hash;
  let served = 0;
  at.node.beforeCall = () => {
    at.node.setBest(isLagging(served) ? lagging : head, () => false);
    served += 1;
  };
  // A verification that finds a contradiction is retried.
  await payment.confirmAll().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
  at.node.beforeCall = null;
  at.node.setBest(head, () => false);
}

async function expectKept({ at, payment }: Paid, why: string): Promise<void> {
  const seen = () => seenBaseUnits(payment.run.view().context);
  expect(seen(), why).toBe(9n);
  mineEmpty(at, 5);
  await at.step();
  await payment.confirmAll();
  expect(seen(), `${why}, later`).toBe(9n);
}

test.each(WAYS)('a machine that lags behind the payment removes nothing: paid by %s', async (way) => {
  for (let lagging = 0; lagging < CALLS; lagging += 1) {
    const paid = await payDeep(way, 3);
    await verifyWhile(paid, paid.behind, (call) => call === lagging);
    await expectKept(paid, `call ${lagging} lags`);
  }
});

test.each([
  ['in memory', 3],
  ['older than the memory', MEMORY_BLOCKS + 8],
])('two responses without the payment do not prove that it is gone, its block %s', async (_, depth) => {
  const paid = await payDeep('a transfer', depth);
  const { at } = paid;
  at.restart();
  await at.step();
  const { receipts, blockHashes } = at.node;
  const head = at.node.best().hash;
  const once = new Set(['receipts', 'blockHashes']);
  const respondedBehind = <A extends unknown[], T>(method: string, ask: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      // The first blockHashes after the receipts asks for the recorded block.
      const lags = once.has(method) && (method === 'receipts' || !once.has('receipts'));
      if (!lags) return ask(...args);
      once.delete(method);
      at.node.setBest(paid.behind, () => false);
      try {
        return await ask(...args);
      } finally {
        at.node.setBest(head, () => false);
      }
    };
  };
  at.node.receipts = respondedBehind('receipts', receipts);
  at.node.blockHashes = respondedBehind('blockHashes', blockHashes);
  at.restart();
  await at.step();
  await paid.payment.confirmAll().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
  Object.assign(at.node, { receipts, blockHashes });
  at.restart();
  await expectKept(paid, 'two calls lag');
});

test('property: machines on a reorged-out branch put no payment into one of its blocks', async () => {
  const draws = fc.array(fc.nat(3), { size: 'max', minLength: 40, maxLength: 120 });
  await assertAsyncProperty(
    fc.asyncProperty(fc.constantFrom(...WAYS), draws, async (way, drawn) => {
      const paid = await payDeep(way, 3);
      const { at } = paid;
      const old = at.node.best().hash;
      const transactions = at.node.bestBranch().flatMap((block) => block.transactions);
      const empty = at.node.build(paid.behind, []).hash;
      let head = at.node.build(empty, transactions).hash;
      for (let depth = 0; depth < 3; depth += 1) head = at.node.build(head, []).hash;
      at.node.setBest(head, () => false);
      await at.step();
      const before = at.sink.observations.length;
      await verifyWhile(paid, old, (call) => drawn[call % drawn.length] === 0);
      const best = new Set(at.node.bestBranch().map(({ hash }) => hash));
      const placed = at.sink.observations.slice(before).flatMap(({ status }) => {
        return 'blockHash' in status ? [status.blockHash] : [];
      });
      expect(placed.filter((hash) => !best.has(hash))).toEqual([]);
      await expectKept(paid, 'the old branch');
    }),
    { numRuns: level.runs(300) },
  );
});

test('property: nor do any responses of machines that are behind the payment, or on a reorged-out branch', async () => {
  const lagging = fc.tuple(
    fc.constantFrom('behind' as const, 'undone' as const),
    fc.array(fc.nat(3), { size: 'max', minLength: 40, maxLength: 120 }),
  );
  await assertAsyncProperty(
    fc.asyncProperty(
      fc.constantFrom(...WAYS),
      fc.constantFrom(3, MEMORY_BLOCKS + 8),
      lagging,
      async (way, depth, [machine, draws]) => {
        const paid = await payDeep(way, depth);
        await verifyWhile(paid, paid[machine], (call) => draws[call % draws.length] === 0);
        await expectKept(paid, machine);
      },
    ),
    { numRuns: level.runs(600) },
  );
});
