import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  address,
  COIN,
  coins,
  contractCoins,
  otherAddress,
  tokens,
  transaction,
} from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, increaseAt, mineEmpty, reported } from '../harness.ts';

/**
 * Contracts can send ether without a transaction or log for the address: only the balance shows.
 */

const account = { watchKey: address(0), asset: COIN } as const;
let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
});

function amounts() {
  return Object.fromEntries(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits]));
}

async function expected(): Promise<bigint | null | undefined> {
  return (await at.accounts.openAccounts())[0]?.expectedBaseUnits;
}

describe('one wrong balance', () => {
  /** The first of the two responses about a balance lies about account 0 in matching blocks. */
  function lie(wrong: bigint, isAbout: (height: number) => boolean): { stop(): void } {
    const { balances } = at.node;
    let isLying = true;
    at.node.second.balances = balances;
    at.node.balances = async (accounts, block) => {
      const read = await balances(accounts, block);
      if (!isLying || !isAbout(block.height)) return read;
      return read?.map((balance, index) => (accounts[index]?.watchKey === address(0) ? wrong : balance)) ?? null;
    };
    at.restart();
    return {
      stop: () => {
        isLying = false;
      },
    };
  }

  test.each([
    ['above the real one', 0n, 9n],
    ['below the real one', 6n, 0n],
  ])('%s creates no payment and no drop, and delays no other payment', async (_, paid, wrong) => {
    if (paid > 0n) at.node.mine([coins(address(0), paid)]);
    await at.step();
    const before = amounts();
    const lying = lie(wrong, (height) => height === at.node.best().height);
    const other = coins(address(1), 3n);
    at.node.mine([other]);
    const syncedUntil = at.store.syncedUntil();
    await at.step();
    expect(amounts()).toEqual({ ...before, [other.txid]: 3n });
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    expect(at.watcher().status().warnings).toEqual([expect.stringContaining(`differ (${wrong} and ${paid})`)]);
    lying.stop();
    await at.step();
    mineEmpty(at, 2);
    await at.step();
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(at.watcher().status().warnings).toEqual([]);
    expect(amounts()).toEqual({ ...before, [other.txid]: 3n });
    expect(at.drops).toEqual([]);
    expect(await expected()).toBe(paid);
  });

  test('property: in any poll neither invents nor loses coins, nor reports a drop', async () => {
    const block = fc.record({
      plain: fc.bigInt({ min: 0n, max: 3n }),
      byContract: fc.bigInt({ min: 0n, max: 3n }),
      wrong: fc.option(fc.bigInt({ min: 0n, max: 20n })),
      restarts: fc.boolean(),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), async (blocks) => {
        const here = createEvmHarness();
        mineEmpty(here, 20);
        here.accounts.open(account);
        await here.step();
        const { balances } = here.node;
        let wrong: bigint | null = null;
        here.node.second.balances = balances;
        here.node.balances = async (accounts, at) => {
          const read = await balances(accounts, at);
          return wrong === null ? read : accounts.map(() => wrong ?? 0n);
        };
        here.restart();
        for (const { plain, byContract, restarts, ...each } of blocks) {
          ({ wrong } = each);
          here.node.mine([
            ...(plain > 0n ? [coins(address(0), plain)] : []),
            ...(byContract > 0n ? [contractCoins([{ to: address(0), valueWei: byContract }])] : []),
          ]);
          if (restarts) here.restart();
          await here.step();
        }
        wrong = null;
        mineEmpty(here, 1);
        await here.step();
        const paid = blocks.reduce((sum, { plain, byContract }) => sum + plain + byContract, 0n);
        expect(here.live().reduce((sum, { amountBaseUnits }) => sum + amountBaseUnits, 0n)).toBe(paid);
        expect(here.drops).toEqual([]);
      }),
      { numRuns: level.runs(300) },
    );
  });

  test('delays coins from a contract until the responses agree, and loses none', async () => {
    const lying = lie(0n, () => true);
    await at.step();
    at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    await at.step();
    expect(amounts()).toEqual({});
    lying.stop();
    mineEmpty(at, 1);
    await at.step();
    expect(Object.values(amounts())).toEqual([7n]);
  });

  test('read as the balance before a batch, after a restart or for a new account, changes nothing', async () => {
    at.node.mine([coins(address(0), 50n)]);
    await at.step();
    const { height } = at.node.best();
    const fresh = { watchKey: address(2), asset: COIN } as const;
    const { balances } = at.node;
    at.node.second.balances = balances;
    at.node.balances = async (accounts, block) =>
      block.height === height
        ? accounts.map(({ watchKey }) => (watchKey === address(2) ? 9n : 0n))
        : balances(accounts, block);
    at.restart();
    at.accounts.open(fresh);
    mineEmpty(at, 1);
    await at.step();
    mineEmpty(at, 1);
    await at.step();
    expect(Object.values(amounts())).toEqual([50n]);
    expect(at.drops).toEqual([]);
  });
});

describe('coins sent by contracts', () => {
  test("are one output per transaction, by the node's trace", async () => {
    const first = contractCoins([
      { to: address(0), valueWei: 5n },
      { to: otherAddress(1), valueWei: 100n },
      { to: address(0), valueWei: 6n },
    ]);
    const second = contractCoins([{ to: address(0), valueWei: 7n }], { from: otherAddress(4), nonce: 3 });
    const block = at.node.mine([first, coins(address(0), 1n), second]);
    await at.step();
    const outputId = `${second.txid}:internal:${address(0)}`;
    expect(amounts()).toEqual({
      [`${first.txid}:internal:${address(0)}`]: 11n,
      [outputId]: 7n,
      [block.transactions[1]?.txid ?? '']: 1n,
    });
    expect(at.sink.last(outputId)).toMatchObject({
      txid: second.txid,
      asset: COIN,
      firstSeenAt: block.timeSeconds * 1000,
      status: { kind: 'block', height: 21, blockHash: block.hash },
    });
    const stored = at.store
      .blocks()
      .at(-1)
      ?.outputs.find((output) => output.outputId === outputId);
    expect(stored?.spends).toEqual([`${otherAddress(4)}:3`]);
  });

  test('to two watched addresses in one transaction are two outputs', async () => {
    at.accounts.open({ watchKey: address(1), asset: COIN });
    await at.step();
    const paid = contractCoins([
      { to: address(0), valueWei: 5n },
      { to: address(1), valueWei: 6n },
    ]);
    at.node.mine([paid]);
    await at.step();
    expect(amounts()).toEqual({
      [`${paid.txid}:internal:${address(0)}`]: 5n,
      [`${paid.txid}:internal:${address(1)}`]: 6n,
    });
  });

  test('rule 5: are an output without a transaction where the node does not trace', async () => {
    at.node.traces = false;
    const block = at.node.mine([contractCoins([{ to: address(0), valueWei: 5n }])]);
    await at.step();
    await at.step();
    expect(at.sink.observations).toHaveLength(1);
    expect(at.sink.observations[0]).toMatchObject({
      outputId: increaseAt(at, 0, 21),
      txid: null,
      watchKey: address(0),
      asset: COIN,
      amountBaseUnits: 5n,
      firstSeenAt: block.timeSeconds * 1000,
      status: { kind: 'block', height: 21, blockHash: block.hash },
    });
  });

  test('are split: the part that a trace names, and the rest', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    at.node.mine([paid], [{ ...account, baseUnits: 3n }]);
    await at.step();
    expect(amounts()).toEqual({ [`${paid.txid}:internal:${address(0)}`]: 5n, [increaseAt(at, 0, 21)]: 3n });
  });

  test('never count for more than the balance increase, whatever a trace names', async () => {
    at.node.mine([coins(address(0), 10n)]);
    await at.step();
    const paid = contractCoins([{ to: address(0), valueWei: 8n }]);
    at.node.mine([paid], [{ ...account, baseUnits: -5n }]);
    await at.step();
    expect(amounts()[`${paid.txid}:internal:${address(0)}`]).toBe(3n);
    expect(at.drops).toEqual([]);
  });

  test('during an outage are found in the blocks they came in, with their times', async () => {
    at.node.traces = false;
    mineEmpty(at, 3);
    const first = at.node.mine([contractCoins([{ to: address(0), valueWei: 5n }])]);
    mineEmpty(at, 20);
    const second = at.node.mine([contractCoins([{ to: address(0), valueWei: 6n }])]);
    mineEmpty(at, 4);
    at.restart();
    await at.step();
    expect(
      at.live().map(({ outputId, amountBaseUnits, firstSeenAt }) => [outputId, amountBaseUnits, firstSeenAt]),
    ).toEqual([
      [increaseAt(at, 0, 24), 5n, first.timeSeconds * 1000],
      [increaseAt(at, 0, 45), 6n, second.timeSeconds * 1000],
    ]);
  });

  test('reported just before a crash are reported under the same id after it, also with new blocks in between', async () => {
    at.node.traces = false;
    at.node.mine([contractCoins([{ to: address(0), valueWei: 5n }])]);
    at.store.crashAt = (point) => {
      if (point === 'before save' && at.sink.observations.length > 0) throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.store.crashAt = null;
    mineEmpty(at, 3);
    at.restart();
    await at.step();
    expect(amounts()).toEqual({ [increaseAt(at, 0, 21)]: 5n });
    expect(reported(at)).toEqual(['block', 'block']);
  });

  test('are ignored at an address without an open account', async () => {
    at.node.mine([contractCoins([{ to: address(1), valueWei: 5n }])]);
    await at.step();
    expect(at.sink.observations).toEqual([]);
  });

  test.each([
    ['that ran on', () => {}],
    ['that was started again', () => at.restart()],
  ])('while an account was closed are found when it is opened after a reorg, by a watcher %s', async (_, meanwhile) => {
    at.accounts.close(account);
    at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    const stale = at.node.mine([]);
    await at.step();
    expect(at.live()).toEqual([]);
    at.node.setBest(at.node.build(stale.parentHash, [contractCoins([{ to: otherAddress(1), valueWei: 1n }])]).hash);
    meanwhile();
    at.accounts.open(account);
    await at.step();
    expect(Object.values(amounts())).toEqual([7n]);
  });

  test('that left in a block without state are not credited again when that block is reorged out', async () => {
    const kept = at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    at.node.mine([]);
    await at.step();
    expect(Object.values(amounts())).toEqual([7n]);
    at.node.stateBlocks = 1;
    const other = at.node.build(kept.hash, [contractCoins([{ to: otherAddress(1), valueWei: 1n }])]);
    at.node.setBest(at.node.build(other.hash, [], [{ ...account, baseUnits: -7n }]).hash);
    await at.step();
    at.node.stateBlocks = Number.POSITIVE_INFINITY;
    at.node.setBest(at.node.build(other.hash, []).hash);
    await at.step();
    expect(Object.values(amounts())).toEqual([7n]);
    expect(at.drops).toEqual([]);
  });

  test('that leave after an account was reopened are a loss, even if more had come while it was closed', async () => {
    at.node.mine([coins(address(0), 20n)]);
    await at.step();
    at.accounts.close(account);
    at.node.mine([contractCoins([{ to: address(0), valueWei: 5n }])]);
    await at.step();
    at.accounts.open(account);
    at.node.mine([], [{ ...account, baseUnits: -10n }]);
    await at.step();
    expect(at.drops.map(({ missingBaseUnits }) => missingBaseUnits)).toEqual([5n]);
  });

  test('that are dated by a later block than theirs are not lost with that block', async () => {
    at.accounts.close(account);
    at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    const stale = at.node.mine([]);
    await at.step();
    at.accounts.open(account);
    // The balance in their own block cannot be read.
    at.node.stateBlocks = 1;
    await at.step();
    at.node.stateBlocks = Number.POSITIVE_INFINITY;
    expect(amounts()).toEqual({ [increaseAt(at, 0, 22)]: 7n });
    at.node.setBest(at.node.build(stale.parentHash, [contractCoins([{ to: otherAddress(1), valueWei: 1n }])]).hash);
    await at.step();
    expect(Object.values(amounts())).toEqual([7n]);
  });

  test.each([1, 0])(
    'that left while an account was closed are no loss when it is reopened, with the state of %i blocks',
    async (stateAtOpening) => {
      at.node.stateBlocks = 1;
      const before = at.node.best().parentHash;
      at.node.setBest(at.node.build(before, [contractCoins([{ to: address(0), valueWei: 7n }])]).hash);
      await at.step();
      at.accounts.close(account);
      at.node.setBest(at.node.build(before, []).hash);
      await at.step();
      at.accounts.open(account);
      at.node.mine([]);
      at.node.stateBlocks = stateAtOpening;
      await at.step();
      at.node.stateBlocks = 1;
      at.node.mine([]);
      await at.step();
      expect(at.drops).toEqual([]);
    },
  );
});

describe('a transaction that is traced only later', () => {
  beforeEach(() => {
    at.node.traces = false;
  });

  test('replaces the id of the balance-only output when the sum is the same', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    at.node.mine([paid, tokens('USDT', address(0), 3n)]);
    await at.step();
    at.node.traces = true;
    await at.step();
    await at.step();
    const outputId = increaseAt(at, 0, 21);
    expect(at.sink.observations.filter((each) => each.outputId === outputId).map(({ txid }) => txid)).toEqual([
      null,
      paid.txid,
    ]);
    expect(amounts()[outputId]).toBe(5n);
    expect(Object.keys(amounts())).toHaveLength(2);
  });

  test('takes no part of a balance-only output: its coins stay where they are', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    at.node.mine([paid], [{ ...account, baseUnits: 3n }]);
    await at.step();
    at.node.traces = true;
    await at.step();
    expect(at.sink.observations).toMatchObject([{ outputId: increaseAt(at, 0, 21), txid: null, amountBaseUnits: 8n }]);
  });

  test.each([0, 1, 2, 3])('counts once, also with a power cut at point %i of the report', async (failing) => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    at.node.mine([paid]);
    await at.step();
    at.node.traces = true;
    let points = 0;
    const cut = () => {
      points += 1;
      if (points === failing + 3) throw new Error('power cut');
    };
    at.store.crashAt = cut;
    at.sink.failAt = cut;
    await expect(at.step()).rejects.toThrow('power cut');
    at.store.crashAt = null;
    at.sink.failAt = null;
    at.restart();
    await at.step();
    expect(amounts()).toEqual({ [increaseAt(at, 0, 21)]: 5n });
    expect(at.sink.last(increaseAt(at, 0, 21))?.txid).toBe(paid.txid);
    expect(at.drops).toEqual([]);
  });

  test('is found by a rescan, which reports the same each time', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    at.node.mine([paid]);
    mineEmpty(at, 30);
    await at.step();
    at.node.traces = true;
    for (let times = 0; times < 3; times += 1) {
      await at.watcher().rescan({ fromHeight: 18, toHeight: 40 });
      expect(amounts()).toEqual({ [increaseAt(at, 0, 21)]: 5n });
      expect(at.sink.last(increaseAt(at, 0, 21))?.txid).toBe(paid.txid);
    }
  });
});

describe('outgoing coins', () => {
  beforeEach(async () => {
    at.node.mine([coins(address(0), 1_000n)]);
    await at.step();
  });

  test('in a transaction of the address, with its fee, are no drop', async () => {
    at.node.mine([
      coins(otherAddress(3), 300n, { from: address(0), nonce: 0, feeWei: 21n }),
      transaction({ from: address(0), nonce: 1, feeWei: 5n, fails: true, valueWei: 100n }),
      transaction({ from: address(0), nonce: 2, feeWei: 7n, to: null, valueWei: 50n }),
    ]);
    await at.step();
    expect(at.drops).toEqual([]);
    expect(await expected()).toBe(1_000n - 300n - 21n - 5n - 7n - 50n);
  });

  test('without a transaction are a drop, reported once, in the block they left in', async () => {
    mineEmpty(at, 2);
    const block = at.node.mine([], [{ ...account, baseUnits: -400n }]);
    mineEmpty(at, 2);
    await at.step();
    await at.step();
    const lost = { missingBaseUnits: 400n, expectedBaseUnits: 1_000n };
    expect(at.drops).toEqual([
      { network: 'fake-evm', ...account, ...lost, height: block.height, blockHash: block.hash },
    ]);
    expect(await expected()).toBe(600n);
  });

  test('are reported with the expected balance: the same in another branch is the same drop, another one is not', async () => {
    const block = at.node.mine([], [{ ...account, baseUnits: -400n }]);
    at.node.mine([], [{ ...account, baseUnits: -100n }]);
    await at.step();
    const other = at.node.build(block.parentHash, [], [{ ...account, baseUnits: -400n }]);
    at.node.setBest(at.node.build(other.hash, []).hash, () => false);
    await at.step();
    expect(at.drops.map(({ expectedBaseUnits, missingBaseUnits }) => [expectedBaseUnits, missingBaseUnits])).toEqual([
      [1_000n, 400n],
      [600n, 100n],
      [1_000n, 400n],
    ]);
  });

  test('are reported again after a crash, as the same drop', async () => {
    at.node.mine([], [{ ...account, baseUnits: -400n }]);
    at.store.crashAt = (point) => {
      if (point === 'before save' && at.drops.length > 0) throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.store.crashAt = null;
    at.restart();
    mineEmpty(at, 2);
    await at.step();
    expect(at.drops).toHaveLength(2);
    expect(at.drops[1]).toEqual(at.drops[0]);
  });

  test('are not saved as gone before the drop was accepted', async () => {
    at.node.mine([], [{ ...account, baseUnits: -400n }]);
    at.dropsFailAt((point) => {
      if (point === 'before drops') throw new Error('broker away');
    });
    await expect(at.step()).rejects.toThrow('broker away');
    expect(await expected()).toBe(1_000n);
    at.dropsFailAt(null);
    await at.step();
    expect(at.drops).toHaveLength(1);
  });
});

describe('the expected balance of an account', () => {
  const other = { watchKey: address(1), asset: COIN } as const;

  async function held(): Promise<bigint | null | undefined> {
    return (await at.accounts.openAccounts()).find(({ watchKey }) => watchKey === other.watchKey)?.expectedBaseUnits;
  }

  test('starts with the balance from before the account was opened, which is not a payment', async () => {
    at.node.mine([contractCoins([{ to: address(1), valueWei: 5n }])]);
    await at.step();
    at.accounts.open(other);
    at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }])]);
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([7n]);
    expect(await held()).toBe(12n);
  });

  test('is zero for a vetted address when the state of that block is pruned', async () => {
    at.accounts.open(other, true);
    mineEmpty(at, 3);
    const early = contractCoins([{ to: address(1), valueWei: 7n }]);
    at.node.mine([early, coins(address(1), 2n)]);
    mineEmpty(at, 20);
    at.node.stateBlocks = 5;
    await at.step();
    expect(
      at
        .live()
        .map(({ amountBaseUnits }) => Number(amountBaseUnits))
        .sort((a, b) => a - b),
    ).toEqual([2, 7]);
    expect(await held()).toBe(9n);
  });

  test.each([3, 1_000])(
    'is not zero for a vetted address that was paid before, with %i blocks in memory',
    async (historyBlocks) => {
      at = createEvmHarness({ historyBlocks });
      mineEmpty(at, 20);
      await at.step();
      const early = coins(address(1), 5n);
      at.node.mine([early]);
      mineEmpty(at, 5);
      await at.step();
      at.accounts.open(other, true);
      mineEmpty(at, 20);
      at.node.stateBlocks = 1;
      await at.step();
      expect(amounts()).toEqual({ [early.txid]: 5n });
      expect(await held()).toBe(5n);
    },
  );

  test('is the current balance for an unvetted address: coins of unknown origin are not credited', async () => {
    at.accounts.open(other, false);
    mineEmpty(at, 3);
    at.node.mine([contractCoins([{ to: address(1), valueWei: 7n }]), coins(address(1), 2n)]);
    mineEmpty(at, 20);
    at.node.stateBlocks = 5;
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([2n]);
    expect(await held()).toBe(9n);
    at.node.mine([contractCoins([{ to: address(1), valueWei: 3n }])]);
    await at.step();
    expect(await held()).toBe(12n);
    expect(at.live()).toHaveLength(2);
  });

  test('follows an account that was closed for a while, in this process and in another', async () => {
    at.accounts.open(other);
    await at.step();
    for (const restarts of [false, true]) {
      const before = at.live().length;
      at.accounts.close(other);
      await at.step();
      at.node.mine([contractCoins([{ to: address(1), valueWei: 50n }])]);
      await at.step();
      if (restarts) at.restart();
      at.accounts.open(other);
      await at.step();
      const found = at.live().slice(before);
      expect(found.map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([50n]);
    }
    expect(at.drops).toEqual([]);
  });

  test('is trusted after a long outage although the state of those blocks is pruned', async () => {
    at.node.traces = false;
    mineEmpty(at, 3);
    at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    mineEmpty(at, 40);
    at.node.stateBlocks = 5;
    at.restart();
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([7n]);
  });

  test('is read once per block and not in every poll', async () => {
    mineEmpty(at, 1);
    await at.step();
    const calls = at.node.calls.get('balances');
    await at.step();
    await at.step();
    expect(at.node.calls.get('balances')).toBe(calls);
    mineEmpty(at, 1);
    await at.step();
    expect(at.node.calls.get('balances')).toBe((calls ?? 0) + 1);
  });

  test('is compared again at the same block when its state could not be read the first time', async () => {
    at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    at.node.stateBlocks = 0;
    await at.step();
    expect(reported(at)).toEqual([]);
    at.node.stateBlocks = 10;
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([7n]);
  });

  test('is unknown while the node lacks the state of the head: the network is not polled then, and nothing is gone', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.stateBlocks = 0;
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    at.node.timeSeconds += 300;
    await at.step();
    expect(reported(at)).toEqual(['block']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    at.node.stateBlocks = 10;
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
    expect(at.drops).toEqual([]);
  });
});

test('coins at a vetted address that a rescan finds in an earlier block count once', async () => {
  at.watchSet.remove(address(1));
  const early = coins(address(1), 5n);
  at.node.mine([early]);
  await at.step();
  at.watchSet.add(address(1));
  at.accounts.open({ watchKey: address(1), asset: COIN }, true);
  mineEmpty(at, 20);
  at.node.stateBlocks = 1;
  await at.step();
  expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual([
    [increaseAt(at, 1, 41), 5n],
  ]);
  for (let times = 0; times < 2; times += 1) {
    await at.watcher().rescan({ fromHeight: 15, toHeight: 25 });
    expect(amounts()).toEqual({ [early.txid]: 5n });
  }
});

test('coins from before an account was opened do not offset its later balance increases', async () => {
  const early = coins(address(30), 5n);
  at.node.mine([early]);
  await at.step();
  at.watchSet.add(address(30));
  at.accounts.open({ watchKey: address(30), asset: COIN });
  await at.step();
  at.node.traces = false;
  at.node.mine([contractCoins([{ to: address(30), valueWei: 5n }])]);
  await at.step();
  await at.watcher().rescan({ fromHeight: 21, toHeight: 22 });
  expect(amounts()).toEqual({ [early.txid]: 5n, [increaseAt(at, 30, 22)]: 5n });
});

test('a token whose contract does not answer blocks no other token, and is a warning', async () => {
  at.accounts.open({ watchKey: address(0), asset: 'USDC' });
  at.accounts.open({ watchKey: address(0), asset: 'USDT' });
  at.node.silentTokens.add('USDC');
  const paid = tokens('USDC', address(0), 9n);
  at.node.mine([paid, contractCoins([{ to: address(0), valueWei: 7n }])]);
  await at.step();
  expect(new Set(at.live().map(({ asset, amountBaseUnits }) => `${amountBaseUnits} ${asset}`))).toEqual(
    new Set([`7 ${COIN}`, '9 USDC']),
  );
  expect(at.store.syncedUntil()).toBe(at.clock.now());
  expect(at.watcher().status().warnings).toEqual([
    'The USDC contract returns no balances. Check the contract configured for USDC.',
  ]);
  at.node.silentTokens.clear();
  await at.step();
  expect(at.watcher().status().warnings).toEqual([]);
  expect(at.drops).toEqual([]);
});

describe('tokens with a transfer fee', () => {
  test('count for the amount that arrived', async () => {
    at.node.mine([tokens('PEPE', address(0), 1_000n, { keptBaseUnits: 20n })]);
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([980n]);
  });

  test('count for nothing when nothing arrived, whatever the log claims', async () => {
    at.node.mine([tokens('PEPE', address(0), 1_000n, { keptBaseUnits: 1_000n })]);
    await at.step();
    await at.step();
    expect(at.sink.observations).toEqual([]);
  });

  test('count for nothing still when another log of their block is late, and its state is gone', async () => {
    at.node.hidesLog = ({ to }) => to === address(1);
    at.node.mine([tokens('PEPE', address(0), 1_000n, { keptBaseUnits: 1_000n }), tokens('PEPE', address(1), 70n)]);
    await at.step();
    mineEmpty(at, 3);
    await at.step();
    at.node.hidesLog = null;
    at.node.stateBlocks = 1;
    mineEmpty(at, 1);
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([70n]);
  });

  test('are cut from the later claims of a block', async () => {
    at.node.mine([
      tokens('PEPE', address(0), 1_000n),
      tokens('PEPE', address(0), 500n, { keptBaseUnits: 400n }),
      tokens('PEPE', address(0), 300n, { keptBaseUnits: 300n }),
    ]);
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([1_000n, 100n]);
  });

  test('count for the amount that arrived although they were sent on in the same block', async () => {
    at.node.mine([
      tokens('PEPE', address(0), 1_000n),
      { ...tokens('PEPE', otherAddress(3), 1_000n, { from: address(0) }), from: otherAddress(5) },
    ]);
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([1_000n]);
  });

  test('are trusted when the state of their block is pruned', async () => {
    at.node.mine([tokens('PEPE', address(0), 1_000n, { keptBaseUnits: 20n })]);
    mineEmpty(at, 20);
    at.node.stateBlocks = 5;
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([1_000n]);
  });
});
