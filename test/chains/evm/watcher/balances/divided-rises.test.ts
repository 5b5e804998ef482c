import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { type EvmHarness, increaseAt } from '../harness.ts';
import { liveRecords, mostShown } from '../histories/shown-sums.ts';
import { account, branchFrom, pays, startWatcher, sums } from '../sightings/sighting-support.ts';

/** Where only balances show coins, one block may contain reorged-out coins together with others. */

describe('coins that return together with others in one block', () => {
  let at: EvmHarness;
  beforeEach(async () => {
    at = await startWatcher({ traces: false });
  });

  test('stay in time, and only the excess is late', async () => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    branchFrom(at, block.parentHash, [[], [paid, pays(1)]]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 10n });
    expect(mostShown(at, account)).toBe(10n);
  });

  test('consume their sighting: the same amount again is late', async () => {
    const block = at.node.mine([pays(9)]);
    await at.step();
    branchFrom(at, block.parentHash, [[], [pays(10)]]);
    await at.step();
    at.node.mine([pays(9)]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 19n });
  });

  test('keep their ids where the chain leaves that block and returns to it, also across a restart', async () => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    branchFrom(at, block.parentHash, [[], [paid, pays(1)]]);
    await at.step();
    const named = () => liveRecords(at, account).map(({ outputId }) => outputId);
    const divided = [increaseAt(at, 0, 22, block), increaseAt(at, 0, 22)];
    expect(named()).toEqual(divided);
    const together = at.node.best();
    at.restart();
    await at.step();
    branchFrom(at, together.parentHash, [[], []]);
    await at.step();
    at.node.setBest(at.node.build(together.hash, []).hash, () => false);
    await at.step();
    at.node.mine();
    await at.step();
    expect(named()).toEqual(divided);
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 10n });
  });

  test('stay split when the block is traced later, and count once', async () => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    branchFrom(at, block.parentHash, [[], [paid, pays(1)]]);
    await at.step();
    at.node.traces = true;
    at.node.mine();
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 10n });
    expect(mostShown(at, account)).toBe(10n);
  });
});

/** Amounts of one payment each, and the block of a branch that contains it; 0 means none. */
const placed = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 6 }), block: fc.nat({ max: 4 }) }), {
  maxLength: 6,
});

/** Where a poll fails: the sink before or after it accepts, or the store after a write. */
const failure = fc.constantFrom(null, 'before accept', 'after accept', 'after save');

async function pollWith(at: EvmHarness, point: string | null, restarts: boolean): Promise<void> {
  const cut = (here: string) => {
    if (here === point) throw new Error('power cut');
  };
  at.sink.failAt = cut;
  at.store.crashAt = cut;
  await at.step().catch((error: unknown) => expect(String(error)).toContain('power cut'));
  at.sink.failAt = null;
  at.store.crashAt = null;
  if (restarts) at.restart();
  await at.step();
}

test('property: returned coins are in time as far as before, whatever arrives with them and fails meanwhile', async () => {
  const moves = fc.array(fc.nat({ max: 4 }), { minLength: 6, maxLength: 6 });
  await assertAsyncProperty(
    fc.asyncProperty(placed, placed, moves, failure, fc.boolean(), async (first, added, moved, point, restarts) => {
      const at = await startWatcher({ traces: false });
      const paidIn = ({ amount, block }: (typeof first)[number]) => ({
        paid: pays(amount),
        amount: BigInt(amount),
        block,
      });
      const inTime = first.map(paidIn);
      const fork = at.node.mine(inTime.map(({ paid }) => paid));
      await at.step();
      // Some are gone for good, some return, and others are new.
      const back = inTime.map((each, index) => ({ ...each, block: moved[index] ?? 0 }));
      const present = [...back, ...added.map(paidIn)].filter(({ block }) => block > 0);
      const blocks = Array.from({ length: 5 }, (_, index) =>
        present.filter(({ block }) => block === index).map(({ paid }) => paid),
      );
      branchFrom(at, fork.parentHash, blocks);
      await pollWith(at, point, restarts);
      const sumOf = (all: readonly { readonly amount: bigint }[]) => all.reduce((sum, { amount }) => sum + amount, 0n);
      const [fell, came] = [sumOf(inTime), sumOf(present)];
      const kept = min(fell, came);
      expect(sums(at, fork)).toEqual({ inTime: kept, all: came });
      // Later coins have at most what did not come back; a restarted watcher no longer knows that.
      at.node.mine([pays(3)]);
      await at.step();
      const found = sums(at, fork);
      expect(found.all).toBe(came + 3n);
      expect([kept + min(fell - kept, 3n), restarts ? kept : -1n]).toContain(found.inTime);
    }),
    { numRuns: level.runs(1_000) },
  );
});

// Helpers

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
