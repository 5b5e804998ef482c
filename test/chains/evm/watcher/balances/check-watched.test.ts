import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { READINGS_PER_SEARCH } from '../../../../../src/chains/evm/balance-check/locate-increases.ts';
import { ACCOUNTS_PER_CALL } from '../../../../../src/chains/evm/node/balances.ts';
import { address, COIN, coins, contractCoins, transaction } from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, increaseAt, mineEmpty, statusOf } from '../harness.ts';

/** Accounts without an open payment are compared when they become due. */

const closed = { watchKey: address(1), asset: COIN } as const;
let at: EvmHarness;

beforeEach(async () => {
  at = await harnessWithClosedAccount();
});

describe('coins from a contract to a payment that is not open', () => {
  test('are not reported while the second endpoint has another balance', async () => {
    const { second } = at.node;
    const { balances } = second;
    second.balances = async (accounts) => accounts.map(() => 0n);
    at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
    at.accounts.makeDue(closed);
    await at.step();
    expect(at.live()).toEqual([]);
    expect(at.watcher().status().warnings).toEqual([expect.stringContaining('differ (7 and 0)')]);
    expect(at.accounts.due()).toHaveLength(1);
    second.balances = balances;
    await at.step();
    expect(at.live()).toMatchObject([{ amountBaseUnits: 7n }]);
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test("are found in the next balance check, in the block they came in, by the node's trace", async () => {
    mineEmpty(at, 30);
    const paid = contractCoins([{ to: address(1), valueWei: 7n }]);
    const block = at.node.mine([paid]);
    mineEmpty(at, 30);
    await at.step();
    expect(at.live()).toEqual([]);
    at.accounts.makeDue(closed);
    await at.step();
    expect(at.live()).toMatchObject([
      {
        outputId: `${paid.txid}:internal:${address(1)}`,
        txid: paid.txid,
        amountBaseUnits: 7n,
        firstSeenAt: block.timeSeconds * 1000,
        status: { kind: 'block', height: block.height, blockHash: block.hash },
      },
    ]);
    expect(at.accounts.due()).toEqual([]);
  });

  test('are a balance without a transaction where the node does not trace, each increase in its block', async () => {
    at.node.traces = false;
    const first = at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
    mineEmpty(at, 20);
    const second = at.node.mine([contractCoins([{ to: address(1), valueWei: 2n }])]);
    mineEmpty(at, 9);
    await checkDue(at);
    expect(amounts(at)).toEqual({
      [increaseAt(at, 1, first.height)]: 7n,
      [increaseAt(at, 1, second.height)]: 2n,
    });
  });

  test('count once, whatever a transaction brought and the owner sent meanwhile', async () => {
    const own = coins(address(1), 1_000n);
    at.node.mine([own]);
    const sent = transaction({ from: address(1), valueWei: 500n });
    at.node.mine([sent, contractCoins([{ to: address(1), valueWei: 7n }])]);
    at.node.mine([transaction({ from: address(1), fails: true, valueWei: 1n })]);
    await checkDue(at);
    expect(new Set(Object.values(amounts(at)))).toEqual(new Set([1_000n, 7n]));
    await checkDue(at);
    expect(at.live()).toHaveLength(2);
    expect(at.drops).toEqual([]);
  });

  test('are dated by the first readable block when the state of theirs is pruned', async () => {
    at.node.traces = false;
    at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
    mineEmpty(at, 40);
    at.node.stateBlocks = 5;
    await checkDue(at);
    const height = at.node.best().height - 4;
    expect(amounts(at)).toEqual({ [increaseAt(at, 1, height)]: 7n });
  });

  test('increase an output when they can only be dated by the same block', async () => {
    at.node.traces = false;
    const block = at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
    await checkDue(at);
    at.node.mine([contractCoins([{ to: address(1), valueWei: 2n }])]);
    const held = at.node.balance;
    // A provider's server that answers with the state of a later block.
    at.node.balance = (account, hash) => held(account, hash === block.hash ? at.node.best().hash : hash);
    await checkDue(at);
    expect(amounts(at)).toEqual({ [increaseAt(at, 1, block.height)]: 9n });
  });

  test('are gone with their block, and found again where a reorg has put them', async () => {
    at.node.traces = false;
    const paid = contractCoins([{ to: address(1), valueWei: 7n }]);
    const block = at.node.mine([paid]);
    mineEmpty(at, 3);
    await checkDue(at);
    const before = increaseAt(at, 1, block.height);
    let tip = at.node.build(block.parentHash, []).hash;
    for (let built = 0; built < 4; built += 1) tip = at.node.build(tip, built === 2 ? [paid] : []).hash;
    at.node.setBest(tip);
    await at.step();
    expect(statusOf(at, before)?.kind).toBe('gone');
    expect(amounts(at)).toEqual({ [increaseAt(at, 1, block.height + 3, block)]: 7n });
  });

  test('that a verification finds first are not found again by the balance', async () => {
    const paid = contractCoins([{ to: address(1), valueWei: 1_001n }]);
    const before = at.node.best();
    at.node.mine([paid]);
    await checkDue(at);
    const [reported] = at.live();
    at.node.setBest(at.node.build(before.hash, []).hash, () => false);
    mineEmpty(at, 1);
    await at.step();
    at.node.mine([paid]);
    if (reported === undefined) throw new Error('nothing was found');
    const { network: _network, order: _order, status: _status, ...output } = reported;
    const outputs = [{ output: { ...output, spends: [] }, requiredConfirmations: 1, reportedHeight: null }];
    await at.watcher().verify({ outputs });
    await checkDue(at);
    expect(Object.values(amounts(at))).toEqual([1_001n]);
  });

  test('are found after a reorg below all stored blocks', async () => {
    const root = at.node.block(at.node.best().parentHash);
    let tip = at.node.bestBranch()[1]?.hash ?? root.hash;
    const paid = contractCoins([{ to: address(1), valueWei: 7n }]);
    for (let built = 0; built < 40; built += 1) tip = at.node.build(tip, built === 30 ? [paid] : []).hash;
    at.node.setBest(tip);
    await at.step();
    await checkDue(at);
    expect(Object.values(amounts(at))).toEqual([7n]);
  });

  test.each(['before save', 'after save', 'before accept', 'after accept'] as const)(
    'are reported once when the watcher dies %s',
    async (point) => {
      at.node.traces = false;
      const block = at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
      await at.step();
      const die = (here: string) => {
        if (here === point) throw new Error('died');
      };
      at.accounts.makeDue(closed);
      at.node.beforeCall = (method) => {
        if (method !== 'balances') return;
        at.store.crashAt = die;
        at.sink.failAt = die;
      };
      await expect(at.step()).rejects.toThrow('died');
      at.node.beforeCall = null;
      at.store.crashAt = null;
      at.sink.failAt = null;
      at.restart();
      await checkDue(at);
      expect(amounts(at)).toEqual({ [increaseAt(at, 1, block.height)]: 7n });
    },
  );
});

describe('balance check and poll', () => {
  test('coins that left a closed account are no drop, and later coins count', async () => {
    at.node.mine([contractCoins([{ to: address(1), valueWei: 70n }])]);
    await checkDue(at);
    at.node.mine([], [{ ...closed, baseUnits: -60n }]);
    await checkDue(at);
    expect(at.drops).toEqual([]);
    at.node.mine([contractCoins([{ to: address(1), valueWei: 5n }])]);
    await checkDue(at);
    expect(new Set(Object.values(amounts(at)))).toEqual(new Set([5n, 70n]));
  });

  test('a failing check stops no poll, is a warning, and is retried later', async () => {
    at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
    await at.step();
    at.accounts.makeDue(closed);
    at.node.beforeCall = (method) => {
      if (method === 'balances') throw new Error('too many requests');
    };
    await at.step();
    expect(at.watcher().status().warnings).toEqual([expect.stringMatching(/cannot be compared \(too many requests\)/)]);
    at.node.beforeCall = null;
    const calls = at.node.calls.get('balances');
    await at.step();
    expect(at.node.calls.get('balances'), 'it waits').toBe(calls);
    at.node.timeSeconds += 31;
    await at.step();
    expect(Object.values(amounts(at))).toEqual([7n]);
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test('a group is compared once a minute while nothing more is due', async () => {
    at = await harnessWithClosedAccount(60_000);
    at.node.timeSeconds += 60;
    await checkDue(at);
    const calls = at.node.calls.get('balances');
    await checkDue(at);
    expect(at.node.calls.get('balances')).toBe(calls);
    at.node.timeSeconds += 60;
    await at.step();
    expect(at.node.calls.get('balances')).toBe((calls ?? 0) + 1);
  });

  test('property: a poll reads one group, and a bounded number of balances where coins arrived', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(
        fc.array(fc.record({ owner: fc.nat({ max: 1_199 }), block: fc.nat({ max: 39 }) }), { maxLength: 80 }),
        async (payments) => {
          const here = createEvmHarness();
          const all = Array.from({ length: 1_200 }, (_, index) => ({ watchKey: address(index), asset: COIN }));
          for (const { watchKey } of all) here.watchSet.add(watchKey);
          mineEmpty(here, 3);
          await here.step();
          here.accounts.makeDue(...all);
          for (let polls = 0; polls < 3; polls += 1) await here.step();
          for (let block = 0; block < 40; block += 1) {
            const paid = payments.filter((each) => each.block === block);
            here.node.mine(paid.map(({ owner }) => contractCoins([{ to: address(owner), valueWei: 3n }])));
          }
          await here.step();
          here.accounts.makeDue(...all);
          for (let polls = 0; here.accounts.due().length > 0; polls += 1) {
            const left = here.accounts.due().length;
            const calls = here.node.calls.get('balances') ?? 0;
            const traces = here.node.calls.get('internalTransfers') ?? 0;
            await here.step();
            // The group, and once more those that are not as expected.
            expect((here.node.calls.get('balances') ?? 0) - calls).toBeLessThanOrEqual(2 + READINGS_PER_SEARCH);
            expect((here.node.calls.get('internalTransfers') ?? 0) - traces).toBeLessThanOrEqual(40);
            expect(left - here.accounts.due().length).toBe(Math.min(left, ACCOUNTS_PER_CALL));
            expect(polls).toBeLessThan(3);
          }
          const total = here.live().reduce((sum, each) => sum + each.amountBaseUnits, 0n);
          expect(total).toBe(BigInt(payments.length) * 3n);
        },
      ),
      { numRuns: level.runs(100) },
    );
  });
});

// Helpers

/** An account that was opened and then closed. */
async function harnessWithClosedAccount(balanceCheckEveryMs = 0): Promise<EvmHarness> {
  const here = createEvmHarness({ balanceCheckEveryMs });
  mineEmpty(here, 20);
  here.accounts.open(closed);
  await here.step();
  here.accounts.close(closed);
  await here.step();
  return here;
}

/** Polls once the closed account is due. */
async function checkDue(here: EvmHarness): Promise<void> {
  await here.step();
  here.accounts.makeDue(closed);
  await here.step();
}

function amounts(here: EvmHarness): Record<string, bigint> {
  return Object.fromEntries(here.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits]));
}
