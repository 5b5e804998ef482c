import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import type { EvmHarness } from '../harness.ts';
import { branchFrom, pays, startWatcher, sums } from '../sightings/sighting-support.ts';

/** What happens to the chain: blocks of the branch are numbered from the fork. */
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('branch' as const), one: fc.nat(9), two: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), tip: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine' as const), paid: fc.subarray([0, 1] as const) }) },
);

/** How the poll after it ends; null for no poll. */
const outcome = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.constant({ kind: 'done' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      at: fc.constantFrom('before accept' as const, 'after accept' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      at: fc.constantFrom('before save' as const, 'after save' as const),
      failing: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

const history = fc.array(fc.record({ change, outcome, restarts: fc.nat(3).map((drawn) => drawn === 0) }), {
  maxLength: 8,
  size: 'max',
});

test('coins known only by a balance stay in time, with any branches, failed polls and restarts in between', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(history, async (steps) => {
      const at = await startWatcher({ traces: false });
      const fork = at.node.best();
      const paid = [pays(9), pays(5)] as const;
      const block = at.node.mine([...paid]);
      await at.step();
      at.node.timeSeconds += 300;
      const tips = [block.hash];
      for (const { change: each, outcome: ends, restarts } of steps) {
        const length = at.node.best().height - fork.height + 1;
        if (each.kind === 'mine') at.node.mine(each.paid.map((index) => paid[index]));
        else if (each.kind === 'back') backTo(at, tips[each.tip % tips.length] ?? block.hash);
        else {
          // A payment beyond the end of the branch is not in it.
          const blocks = Array.from({ length }, (_, height) => [
            ...(each.one === height ? [paid[0]] : []),
            ...(each.two === height ? [paid[1]] : []),
          ]);
          branchFrom(at, fork.hash, blocks);
          tips.push(at.node.best().hash);
        }
        if (ends !== null) await poll(at, ends);
        if (restarts) at.restart();
      }
      at.node.mine([...paid]);
      for (let block = 0; block < 3; block += 1) {
        await at.step();
        at.node.mine([]);
      }
      expect(sums(at, block)).toEqual({ inTime: 14n, all: 14n });
    }),
    { numRuns: level.runs(1_500) },
  );
});

// Helpers

type Outcome = NonNullable<typeof outcome extends fc.Arbitrary<infer T> ? T : never>;

async function poll(at: EvmHarness, ends: Outcome): Promise<void> {
  const failIf = (isSo: boolean) => {
    if (isSo) throw new Error('away');
  };
  let saves = 0;
  if (ends.kind === 'report') at.sink.failAt = (here) => failIf(here === ends.at);
  if (ends.kind === 'save') {
    at.store.crashAt = (here) => {
      if (here === ends.at) saves += 1;
      failIf(here === ends.at && saves === ends.failing);
    };
  }
  await at.step().catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'away') throw error;
  });
  at.sink.failAt = null;
  at.store.crashAt = null;
}

/** A branch that was undone is the best one again, and longer. */
function backTo({ node }: EvmHarness, hash: string): void {
  const height = node.best().height + 1;
  node.setBest(hash, () => false);
  while (node.best().height < height) node.mine([]);
}
