import { beforeEach, describe, expect, test } from 'vitest';
import { address, COIN, coins, contractCoins, otherAddress, tokens } from '../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty, reported, statusOf } from './harness.ts';

let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness({ historyBlocks: 10 });
});

function rescan(fromHeight: number, toHeight: number) {
  return at.watcher().rescan({ fromHeight, toHeight });
}

describe('a rescan', () => {
  test('finds payments in blocks from before the watcher started, and reports the same each time', async () => {
    mineEmpty(at, 3);
    const paid = coins(address(0), 5n);
    const token = tokens('USDT', address(1), 6n);
    const block = at.node.mine([paid, token, coins(otherAddress(2), 7n), coins(address(2), 8n, { fails: true })]);
    mineEmpty(at, 40);
    await at.step();
    expect(reported(at)).toEqual([]);
    expect(await rescan(0, 25)).toEqual({ blocks: 26, outputs: 2 });
    expect(await rescan(4, 4)).toEqual({ blocks: 1, outputs: 2 });
    expect(await at.watcher().search(paid.txid)).toEqual({ height: 4, outputs: 2 });
    expect(await at.watcher().search(`0x${'ab'.repeat(32)}`)).toEqual({ height: null, outputs: 0 });
    expect(await at.watcher().search(`0x${'ab'.repeat(32)}`, 4)).toEqual({ height: 4, outputs: 2 });
    await expect(at.watcher().search(`0x${'ab'.repeat(32)}`, 99)).rejects.toThrow(RangeError);
    const status = { kind: 'block', height: 4, blockHash: block.hash };
    expect(at.live().map(({ outputId, status }) => [outputId, status])).toEqual([
      [paid.txid, status],
      [`${token.txid}:${block.firstLogIndex}`, status],
    ]);
  });

  test('repeats the content of blocks in memory, including what only balances showed', async () => {
    mineEmpty(at, 20);
    at.accounts.open({ watchKey: address(0), asset: COIN });
    await at.step();
    at.node.traces = false;
    const paid = coins(address(0), 5n);
    at.node.mine([paid, contractCoins([{ to: address(0), valueWei: 9n }])]);
    await at.step();
    const before = at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits]);
    expect(await rescan(20, 21)).toEqual({ blocks: 2, outputs: 2 });
    expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual(before);
    expect(at.drops).toEqual([]);
  });

  test('of an address that was watched later is tracked from then on, across a restart', async () => {
    mineEmpty(at, 20);
    await at.step();
    const paid = coins(address(30), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    at.watchSet.add(address(30));
    expect(await rescan(21, 21)).toEqual({ blocks: 1, outputs: 1 });
    at.restart();
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('explains a token balance whose log was too late for every poll', async () => {
    mineEmpty(at, 20);
    const account = { watchKey: address(0), asset: 'USDT' } as const;
    at.accounts.open(account);
    await at.step();
    at.node.hidesLog = () => true;
    at.node.mine([tokens('USDT', address(0), 7n)]);
    await at.step();
    mineEmpty(at, 7);
    at.node.timeSeconds += 3_600;
    await at.step();
    at.node.hidesLog = null;
    mineEmpty(at, 1);
    await at.step();
    expect(reported(at)).toEqual([]);
    await rescan(21, 21);
    expect(reported(at)).toContain('block');
    expect((await at.accounts.openAccounts())[0]?.expectedBaseUnits).toBe(7n);
    at.node.mine([], [{ ...account, baseUnits: -7n }]);
    await at.step();
    at.node.timeSeconds += 60;
    await at.step();
    expect(at.drops.map(({ missingBaseUnits }) => missingBaseUnits)).toEqual([7n]);
  });

  test('reads a batch again when the branch changes meanwhile', async () => {
    mineEmpty(at, 20);
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    let requested = 0;
    at.node.beforeCall = (method) => {
      if (method !== 'blocks') return;
      requested += 1;
      if (requested !== 1) return;
      at.node.setBest(at.node.build(at.node.build(block.parentHash, []).hash, [paid]).hash);
    };
    await rescan(19, 21);
    expect(at.live().map(({ status }) => status)).toMatchObject([{ kind: 'block', height: 22 }]);
  });

  test('rejects heights that the chain does not have', async () => {
    mineEmpty(at, 20);
    await expect(rescan(10, 21)).rejects.toThrow(
      new RangeError('blocks 10 to 21 do not exist: the chain has blocks 0 to 20'),
    );
    await expect(rescan(-1, 5)).rejects.toThrow(RangeError);
    await expect(rescan(6, 5)).rejects.toThrow(RangeError);
  });
});

/** Each of these counted coins twice before; found by `searches.property.test.ts`. */
describe('a search counts coins once', () => {
  const account = { watchKey: address(1), asset: COIN };
  const amounts = () => at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits]);

  test.each(['before', 'after'])(
    'that arrived before scanning began, searched %s a balance can be read',
    async (order) => {
      at.accounts.open(account, true, at.clock.now());
      const early = coins(address(1), 5n);
      at.node.mine([early]);
      mineEmpty(at, 20);
      at.node.stateBlocks = order === 'before' ? 0 : 5;
      await at.step();
      if (order === 'before') await at.watcher().search(early.txid);
      at.node.stateBlocks = 5;
      mineEmpty(at, 1);
      await at.step();
      await at.watcher().search(early.txid, 1);
      expect(amounts()).toEqual([[early.txid, 5n]]);
      const later = contractCoins([{ to: address(1), valueWei: 7n }]);
      at.node.mine([later]);
      await at.step();
      await at.watcher().search(early.txid);
      expect(amounts()).toEqual([
        [early.txid, 5n],
        [`${later.txid}:internal:${address(1)}`, 7n],
      ]);
    },
  );

  test('whose block is no longer stored, once all balances are unknown', async () => {
    mineEmpty(at, 20);
    at.accounts.open(account, true, at.clock.now());
    const early = coins(address(1), 5n);
    at.node.mine([early]);
    await at.step();
    mineEmpty(at, 40);
    await at.step();
    const { loadRecentBlocks } = at.store;
    at.store.loadRecentBlocks = (limit) => loadRecentBlocks(Math.min(limit, 20));
    at.accounts.forgetBalances();
    at.restart();
    at.node.stateBlocks = 1;
    mineEmpty(at, 3);
    await at.step();
    await at.watcher().search(early.txid);
    expect(amounts()).toEqual([[early.txid, 5n]]);
  });

  test.each(['before', 'after'])('to an address watched later, searched %s its balance is compared', async (order) => {
    mineEmpty(at, 20);
    const early = coins(address(30), 5n);
    at.node.mine([early]);
    await at.step();
    at.watchSet.add(address(30));
    at.accounts.assign(address(30), at.clock.now());
    if (order === 'before') await at.watcher().search(early.txid);
    at.accounts.makeDue({ watchKey: address(30), asset: COIN });
    await at.step();
    mineEmpty(at, 20);
    await at.step();
    await at.watcher().search(early.txid);
    expect(amounts()).toEqual([[early.txid, 5n]]);
  });
});

test('marks the amount of a token whose block has lost its state, since a fee is invisible there', async () => {
  mineEmpty(at, 20);
  const taxed = tokens('PEPE', address(0), 1_000n, { keptBaseUnits: 20n });
  const block = at.node.mine([taxed]);
  const outputId = `${taxed.txid}:${block.firstLogIndex}`;
  await at.step();
  expect(at.sink.last(outputId)).toMatchObject({ amountBaseUnits: 980n });
  expect(at.sink.last(outputId)).not.toHaveProperty('isUnproven');
  mineEmpty(at, 20);
  await at.step();
  at.node.stateBlocks = 5;
  mineEmpty(at, 1);
  await at.watcher().search(taxed.txid);
  expect(at.sink.last(outputId)).toMatchObject({ amountBaseUnits: 1_000n, isUnproven: true });
});
