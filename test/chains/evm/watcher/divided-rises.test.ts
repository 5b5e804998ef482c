import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { sumBaseUnits } from '../../../../machines/transaction/sums.ts';
import { address, COIN, contractCoins, type FakeBlock, type FakeTransaction } from '../../../support/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../support/fast-check.ts';
import { level } from '../../../support/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty, riseAt } from './harness.ts';
import { liveRecords, mostShown } from './shown-sums.ts';

/**
 * Where only balances show coins, one block may contain disconnected coins together with others.
 */

const account = { watchKey: address(0), asset: COIN } as const;

function pays(valueWei: number): FakeTransaction {
  return contractCoins([{ to: address(0), valueWei: BigInt(valueWei) }]);
}

async function begin(): Promise<EvmHarness> {
  const at = createEvmHarness();
  at.node.traces = false;
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
  return at;
}

/** Replaces all blocks from this one on by a branch with these transactions, one list per block. */
async function reorganise(
  at: EvmHarness,
  from: FakeBlock,
  blocks: readonly (readonly FakeTransaction[])[],
): Promise<void> {
  let tip = from.parentHash;
  for (const transactions of blocks) tip = at.node.build(tip, transactions).hash;
  at.node.setBest(tip, () => false);
  await at.step();
}

/** The amount first seen up to a time, and the total. */
function sums(at: EvmHarness, until: number): { readonly inTime: bigint; readonly all: bigint } {
  const live = liveRecords(at, account);
  return { inTime: sumBaseUnits(live.filter(({ firstSeenAt }) => firstSeenAt <= until)), all: sumBaseUnits(live) };
}

describe('coins that come back with others in one block', () => {
  let at: EvmHarness;
  beforeEach(async () => {
    at = await begin();
  });

  test('stay in time, and only what is more is late', async () => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(at, block, [[], [paid, pays(1)]]);
    expect(sums(at, block.timeSeconds * 1000)).toEqual({ inTime: 9n, all: 10n });
    expect(mostShown(at, account)).toBe(10n);
  });

  test('have used up their sighting: as much again is late', async () => {
    const block = at.node.mine([pays(9)]);
    await at.step();
    await reorganise(at, block, [[], [pays(10)]]);
    at.node.mine([pays(9)]);
    await at.step();
    expect(sums(at, block.timeSeconds * 1000)).toEqual({ inTime: 9n, all: 19n });
  });

  test('keep their names where the chain leaves that block and returns to it, also across a restart', async () => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(at, block, [[], [paid, pays(1)]]);
    const named = () => liveRecords(at, account).map(({ outputId }) => outputId);
    const inTime = block.timeSeconds * 1000;
    const divided = [riseAt(at, 0, 22, block), riseAt(at, 0, 22)];
    expect(named()).toEqual(divided);
    const together = at.node.best();
    at.restart();
    await at.step();
    await reorganise(at, together, [[], []]);
    at.node.setBest(at.node.build(together.hash, []).hash, () => false);
    await at.step();
    at.node.mine();
    await at.step();
    expect(named()).toEqual(divided);
    expect(sums(at, inTime)).toEqual({ inTime: 9n, all: 10n });
  });

  test('stay divided when the block is traced later, and count once', async () => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(at, block, [[], [paid, pays(1)]]);
    at.node.traces = true;
    at.node.mine();
    await at.step();
    expect(sums(at, block.timeSeconds * 1000)).toEqual({ inTime: 9n, all: 10n });
    expect(mostShown(at, account)).toBe(10n);
  });
});

/** Amounts of one payment each, and the block of a branch that contains it; 0 means none. */
const placed = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 6 }), block: fc.nat({ max: 4 }) }), {
  maxLength: 6,
});

test('property: whatever comes back, alone or with others, is in time as far as it was, and nothing else is', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(placed, placed, fc.array(fc.nat({ max: 4 }), { minLength: 6, maxLength: 6 }), async (a, b, c) => {
      const at = await begin();
      const inTime = a.map(({ amount, block }) => ({ paid: pays(amount), amount: BigInt(amount), block }));
      const fork = at.node.mine(inTime.map(({ paid }) => paid));
      await at.step();
      const until = fork.timeSeconds * 1000;
      // Some are gone for good, some return, and others are new.
      const back = inTime.map((each, place) => ({ ...each, block: c[place] ?? 0 })).filter(({ block }) => block > 0);
      const more = b
        .filter(({ block }) => block > 0)
        .map(({ amount, block }) => ({ paid: pays(amount), amount: BigInt(amount), block }));
      const blocks = Array.from({ length: 5 }, (_, place) =>
        [...back, ...more].filter(({ block }) => block === place).map(({ paid }) => paid),
      );
      await reorganise(at, fork, blocks);
      const sumOf = (coins: readonly { readonly amount: bigint }[]) =>
        coins.reduce((total, { amount }) => total + amount, 0n);
      const found = sums(at, until);
      const [fell, came] = [sumOf(inTime), sumOf(back) + sumOf(more)];
      expect(found).toEqual({ inTime: fell < came ? fell : came, all: came });
    }),
    { numRuns: level.runs(1_000) },
  );
});
