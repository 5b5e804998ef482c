import { beforeEach, describe, expect, test } from 'vitest';
import { UNKNOWN_BRANCH_BLOCKS } from '../../../../src/chains/evm/disconnect-reorged.ts';
import { address, COIN, coins, contractCoins, otherAddress, tokens } from '../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, increaseAt, mineEmpty, reported, statusOf } from './harness.ts';

const SHORTER = { code: 'NODE_SYNCING', message: expect.stringMatching(/a shorter chain than was seen/) };
let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  await at.step();
});

async function minedPayment() {
  const paid = coins(address(0), 5n, { from: otherAddress(1), nonce: 0 });
  const block = at.node.mine([paid]);
  await at.step();
  return { paid, block };
}

describe('a reorg', () => {
  test('that mines a payment again elsewhere is reported once, with its new block, and keeps the first sighting', async () => {
    const { paid, block } = await minedPayment();
    const other = at.node.build(block.parentHash, []);
    const again = at.node.build(other.hash, [paid]);
    at.node.setBest(again.hash);
    await at.step();
    expect(reported(at)).toEqual(['block', 'block']);
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'block', height: 22, blockHash: again.hash });
    expect(at.sink.last(paid.txid)?.firstSeenAt).toBe(block.timeSeconds * 1000);
  });

  test('that mines a new payment, in a block dated ahead of our clock, dates it now', async () => {
    const { block } = await minedPayment();
    const unseen = coins(address(1), 7n, { from: otherAddress(2), nonce: 0 });
    const other = at.node.build(block.parentHash, [unseen]);
    at.node.setBest(at.node.build(other.hash, []).hash);
    at.node.timeSeconds = other.timeSeconds - 100;
    await at.step();
    expect(at.sink.last(unseen.txid)?.firstSeenAt).toBe(at.clock.now());
    expect(at.clock.now()).toBeLessThan(other.timeSeconds * 1_000);
  });

  test('that returns a payment to the mempool is reported as mempool, also when the poll ends without new blocks', async () => {
    const { paid, block } = await minedPayment();
    at.node.setBest(block.parentHash);
    await at.step();
    await at.step();
    expect(reported(at)).toEqual(['block', 'mempool']);
    const again = at.node.mine();
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'block', height: 21, blockHash: again.hash });
  });

  test('that loses a payment is reported as reorged', async () => {
    const { paid, block } = await minedPayment();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('that returns a payment to the mempool and then loses it is reported as reorged', async () => {
    const { paid, block } = await minedPayment();
    at.node.setBest(block.parentHash);
    await at.step();
    at.node.drop(paid.txid);
    await at.step();
    expect(reported(at)).toEqual(['block', 'mempool', 'gone:reorged']);
  });

  test('after which another transaction used the nonce of its sender is reported as replaced', async () => {
    const { paid, block } = await minedPayment();
    const instead = coins(otherAddress(2), 5n, { from: paid.from, nonce: paid.nonce });
    at.node.setBest(at.node.build(block.parentHash, [instead]).hash);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('after which the node still lists a transaction whose nonce another one used is reported as replaced', async () => {
    const { paid, block } = await minedPayment();
    at.node.keepsReplaced = true;
    const instead = coins(otherAddress(2), 5n, { from: paid.from, nonce: paid.nonce });
    at.node.setBest(at.node.build(block.parentHash, [instead]).hash);
    expect(await at.node.transactions([paid.txid])).toMatchObject([{ blockHash: null }]);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('after which a pending transaction is replaced in a later poll is reported as replaced', async () => {
    const { paid, block } = await minedPayment();
    at.node.keepsReplaced = true;
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    await at.step();
    at.node.mine([coins(otherAddress(2), 5n, { from: paid.from, nonce: paid.nonce })]);
    await at.step();
    expect(reported(at)).toEqual(['block', 'mempool', 'gone:replaced']);
  });

  test('whose pending transaction is mined during the poll that queries it does not report it as replaced', async () => {
    const { block } = await minedPayment();
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    at.node.beforeCall = (method) => {
      if (method !== 'nonces') return;
      at.node.beforeCall = null;
      at.node.mine();
    };
    await at.step();
    await at.step();
    expect(at.node.beforeCall).toBeNull();
    expect(reported(at)).toEqual(['block', 'mempool', 'block']);
  });

  test('after which the transaction fails is reported as reorged, not as replaced', async () => {
    const { paid, block } = await minedPayment();
    at.node.setBest(at.node.build(block.parentHash, [{ ...paid, fails: true }]).hash);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('after which a transaction with the same id waits to pay another recipient is reported as gone', async () => {
    const { paid, block } = await minedPayment();
    at.node.setBest(block.parentHash, () => false);
    at.node.submit({ ...paid, to: address(1) });
    await at.step();
    expect(statusOf(at, paid.txid)?.kind).toBe('gone');
  });

  test('that gives a token transfer another log index reports the new output before the old one is gone', async () => {
    const paid = tokens('USDT', address(0), 7n, { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    const before = `${paid.txid}:${block.firstLogIndex}`;
    const other = tokens('USDT', otherAddress(3), 1n);
    const again = at.node.build(block.parentHash, [other, other, tokens('USDT', otherAddress(3), 1n), paid]);
    at.node.setBest(again.hash);
    await at.step();
    const after = `${paid.txid}:${again.firstLogIndex + 2}`;
    expect(after).not.toBe(before);
    expect(at.sink.observations.map(({ outputId, status }) => [outputId, status.kind])).toEqual([
      [before, 'block'],
      [after, 'block'],
      [before, 'gone'],
    ]);
    expect(at.sink.last(after)?.firstSeenAt).toBe(block.timeSeconds * 1000);
  });

  test('that is reverted between two polls is not reported', async () => {
    const { block } = await minedPayment();
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    at.node.setBest(block.hash);
    await at.step();
    expect(reported(at)).toEqual(['block']);
  });

  test('in the middle of a poll is followed in the same poll', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    at.node.beforeCall = (method) => {
      if (method !== 'receipts') return;
      at.node.beforeCall = null;
      at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    };
    await at.step();
    expect(reported(at)).toEqual([]);
    expect(at.store.blocks().at(-1)?.blockHash).toBe(at.node.best().hash);
  });

  test('after the last read of a poll, and before its result is accepted, is noticed', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    let requested = 0;
    at.node.beforeCall = (method) => {
      if (method !== 'blockHashes') return;
      requested += 1;
      if (requested !== 2) return;
      at.node.beforeCall = null;
      at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    };
    await at.step();
    expect(reported(at)).toEqual([]);
  });

  test('that puts a payment into the next block during its lookup does not report it as gone', async () => {
    const { paid, block } = await minedPayment();
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    at.node.beforeCall = (method) => {
      if (method !== 'transactions') return;
      at.node.beforeCall = null;
      at.node.mine();
    };
    await at.step();
    expect(reported(at)).toEqual(['block', 'block']);
    expect(statusOf(at, paid.txid)).toMatchObject({ height: 22 });
  });

  test('reports nothing as gone before the head is reached', async () => {
    const { paid, block } = await minedPayment();
    // Mined again only after the first batches of the new branch.
    let branch = at.node.block(block.parentHash);
    for (let length = 0; length < 35; length += 1) branch = at.node.build(branch.hash, length === 34 ? [paid] : []);
    at.node.setBest(branch.hash);
    await at.step();
    expect(reported(at)).toEqual(['block', 'block']);
    expect(at.store.unsettled()).toEqual([]);
  });

  test('interrupted midway still ends with the lost payment reported as gone', async () => {
    const { paid, block } = await minedPayment();
    let branch = at.node.block(block.parentHash);
    for (let length = 0; length < 35; length += 1) branch = at.node.build(branch.hash, []);
    at.node.setBest(branch.hash, () => false);
    const saves = at.store.saves.length;
    at.store.crashAt = () => {
      if (at.store.saves.length > saves + 1) throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.store.crashAt = null;
    at.restart();
    expect(reported(at)).toEqual(['block']);
    await at.step();
    expect(statusOf(at, paid.txid)?.kind).toBe('gone');
  });
});

describe('a shorter chain where blocks come regularly', () => {
  beforeEach(() => Object.assign(at.params, { staleAfterMs: 300_000 }));

  test('undoes nothing, for any request, until the node has the rest again', async () => {
    const { paid, block } = await minedPayment();
    const next = at.node.mine([]);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.setBest(block.parentHash, () => false);
    const outputs = at.store.blocks().flatMap((saved) => saved.outputs);
    const requested = outputs.map((output) => ({ output, requiredConfirmations: 2 }));
    for (const ask of [
      () => at.step(),
      () => at.watcher().verify({ outputs: requested }),
      () => at.watcher().rescan({ fromHeight: 20, toHeight: 20 }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ name: 'RetryableError', ...SHORTER });
    }
    at.restart();
    await expect(at.step()).rejects.toMatchObject(SHORTER);
    expect(at.watcher().status().lastError).toMatch(/shorter chain/);
    expect(reported(at)).toEqual(['block']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);

    at.node.setBest(next.hash);
    await at.watcher().verify({ outputs: requested });
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'confirmed', height: 21, blockHash: block.hash });
    expect(reported(at)).not.toContain('gone:reorged');
  });

  test('is followed once it is longer than the one seen', async () => {
    const { block } = await minedPayment();
    at.node.setBest(block.parentHash, () => false);
    await expect(at.step()).rejects.toMatchObject(SHORTER);
    at.node.setBest(block.hash);
    mineEmpty(at, 3);
    await at.step();
    expect(at.live()).toMatchObject([{ status: { kind: 'block', height: 21 } }]);
    expect(at.watcher().status()).toMatchObject({ cursorHeight: 24, lastError: null });
  });

  test('is a reorg when it has another block in the place of a seen one, and proves a loss once it is as long', async () => {
    const { paid, block } = await minedPayment();
    mineEmpty(at, 3);
    await at.step();
    at.node.setBest(block.parentHash, () => false);
    await expect(at.step()).rejects.toMatchObject(SHORTER);
    const syncedUntil = at.store.syncedUntil();
    for (const height of [21, 22, 23]) {
      mineEmpty(at, 1);
      // A failed poll forgets everything else.
      at.node.beforeCall = () => {
        throw new Error('the node is away');
      };
      await expect(at.step()).rejects.toThrow('the node is away');
      at.node.beforeCall = null;
      await at.step();
      expect(at.watcher().status().cursorHeight).toBe(height);
      expect(reported(at)).toEqual(['block']);
      expect(at.store.syncedUntil()).toBe(syncedUntil);
    }
    mineEmpty(at, 1);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual({ kind: 'gone', reason: 'reorged' });
    expect(at.store.syncedUntil()).toBeGreaterThan(syncedUntil ?? 0);
  });

  test('delays nothing for longer than it takes until a head is too old', async () => {
    const { paid, block } = await minedPayment();
    mineEmpty(at, 60);
    await at.step();
    at.node.setBest(block.parentHash, () => false);
    at.node.timeSeconds += 12;
    mineEmpty(at, 1);
    await at.step();
    expect(at.watcher().status().warnings).toEqual([expect.stringMatching(/^The chain was reorganised .* block 81/)]);
    expect(reported(at)).toEqual(['block']);
    at.node.timeSeconds += 301;
    mineEmpty(at, 1);
    await at.step();
    expect(statusOf(at, paid.txid)?.kind).toBe('gone');
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test('removes nothing on a young network either, however far a machine lags', async () => {
    at = createEvmHarness({ params: { staleAfterMs: 300_000 } });
    mineEmpty(at, 30);
    await at.step();
    const paid = coins(address(0), 5n);
    at.node.mine([paid]);
    await at.step();
    const { hash: head } = at.node.best();
    at.node.setBest(at.node.bestBranch()[15]?.hash ?? '', () => false);
    await at.step();
    expect(reported(at)).toEqual(['block']);
    at.node.setBest(head, () => false);
    await at.step();
    expect(new Set(reported(at))).toEqual(new Set(['block']));
    expect(statusOf(at, paid.txid)).toMatchObject({ kind: 'block', blockHash: head });
  });

  test('is not trusted either from a machine that stands in for one with a longer chain', async () => {
    const { block } = await minedPayment();
    at.node.beforeCall = (method) => {
      if (method !== 'blockHashes') return;
      at.node.beforeCall = null;
      at.node.setBest(block.parentHash, () => false);
    };
    await expect(at.step()).rejects.toMatchObject(SHORTER);
    expect(reported(at)).toEqual(['block']);
  });

  test('that ends below all stored blocks, and whose head is recent, was reset', async () => {
    at = createEvmHarness({ historyBlocks: 5, params: { staleAfterMs: 300_000 } });
    mineEmpty(at, 20);
    await at.step();
    at.node.setBest(at.node.bestBranch()[10]?.hash ?? '');
    await at.step();
    expect(at.watcher().status().cursorHeight).toBe(10);
  });

  test('that no longer grows is a node that is behind', async () => {
    const { block } = await minedPayment();
    at.node.setBest(block.parentHash, () => false);
    at.node.timeSeconds += 301;
    await expect(at.step()).rejects.toMatchObject({
      code: 'NODE_SYNCING',
      message: expect.stringMatching(/minutes old/),
    });
  });

  test('is followed from where the watcher was reset to', async () => {
    const { block } = await minedPayment();
    at.node.setBest(block.parentHash, () => false);
    await expect(at.step()).rejects.toMatchObject(SHORTER);
    const [cursor] = at.store.blocks().filter(({ height }) => height === 15);
    if (cursor === undefined) throw new Error('block 15 is not in the store');
    const rewound = { forkHeight: 15, blocks: [], cursor, tipHeight: 21, syncedUntil: null };
    await at.store.saveProgress(rewound);
    at.restart();
    await at.step();
    expect(at.watcher().status()).toMatchObject({ cursorHeight: 20, lastError: null });
  });
});

describe('a reorg below all blocks in memory', () => {
  beforeEach(async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 20);
    await at.step();
  });

  test('is undone with the blocks in the store', async () => {
    const { paid, block } = await minedPayment();
    const lost = coins(address(1), 6n);
    at.node.mine([lost]);
    await at.step();
    mineEmpty(at, 30);
    await at.step();
    let branch = at.node.block(block.parentHash);
    for (let length = 0; length < 40; length += 1) branch = at.node.build(branch.hash, length === 20 ? [paid] : []);
    at.node.setBest(branch.hash, () => false);
    await at.step();
    expect(statusOf(at, paid.txid)).toMatchObject({ kind: 'block', height: 41 });
    expect(statusOf(at, lost.txid)).toEqual({ kind: 'gone', reason: 'reorged' });
    expect(at.watcher().status().cursorHeight).toBe(60);
  });

  test('and below all stored blocks restarts well below, and loses no existing payment', async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, UNKNOWN_BRANCH_BLOCKS + 40);
    const early = coins(address(1), 6n);
    at.node.mine([early]);
    mineEmpty(at, 5);
    await at.step();
    const { paid } = await minedPayment();
    mineEmpty(at, 12);
    await at.step();
    const fork = at.node.bestBranch()[30];
    let branch = fork ?? at.node.best();
    for (let length = 0; length < 560; length += 1)
      branch = at.node.build(branch.hash, length === 540 ? [paid, early] : []);
    at.node.setBest(branch.hash, () => false);
    await at.step();
    expect(statusOf(at, paid.txid)).toMatchObject({ kind: 'block', height: 571 });
    expect(statusOf(at, early.txid)).toMatchObject({ kind: 'block', height: 571 });
    expect(at.warnings).toEqual([expect.stringMatching(/restarts below/)]);
  });
});

describe('finality', () => {
  test('broken by a reorg is a loud warning that persists', async () => {
    at.node.finalizedHeight = 18;
    mineEmpty(at, 1);
    await at.step();
    const below = at.node.bestBranch()[17];
    at.node.setBest(at.node.build(below?.hash ?? '', []).hash);
    await at.step();
    expect(at.watcher().status().warnings).toEqual([
      'The chain was reorganised down to block 17, although block 18 was final. ' +
        'Compare the node with others of this network before delivering anything.',
    ]);
    expect(at.warnings).toEqual(['the chain was reorganised below its final block']);
    await at.step();
    expect(at.watcher().status().warnings).toHaveLength(1);
  });

  test('that advanced meanwhile is not broken by a branch that was never final', async () => {
    at.node.finalizedHeight = 18;
    mineEmpty(at, 3);
    await at.step();
    let branch = at.node.bestBranch()[19] ?? at.node.best();
    for (let length = 0; length < 30; length += 1) branch = at.node.build(branch.hash, []);
    at.node.setBest(branch.hash);
    at.node.finalizedHeight = 40;
    await at.step();
    expect(at.watcher().status().warnings).toEqual([]);
  });
});

describe('a reorged-out payment made by contracts', () => {
  const account = { watchKey: address(0), asset: COIN };

  test('is reported again in its new block under the same id', async () => {
    at.accounts.open(account);
    await at.step();
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const block = at.node.mine([paid]);
    await at.step();
    const again = at.node.build(at.node.build(block.parentHash, []).hash, [paid]);
    at.node.setBest(again.hash);
    await at.step();
    const outputId = `${paid.txid}:internal:${address(0)}`;
    expect(at.sink.observations.map((each) => [each.outputId, each.status.kind])).toEqual([
      [outputId, 'block'],
      [outputId, 'block'],
    ]);
    expect(statusOf(at, outputId)).toMatchObject({ height: 22 });
    expect(at.drops).toEqual([]);
  });

  test('is found in its new block although its account was closed meanwhile', async () => {
    at.accounts.open(account);
    await at.step();
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const block = at.node.mine([paid]);
    await at.step();
    at.accounts.close(account);
    at.watchSet.remove(address(0));
    await at.step();
    const again = at.node.build(at.node.build(block.parentHash, []).hash, [paid]);
    at.node.setBest(again.hash);
    await at.step();
    expect(statusOf(at, `${paid.txid}:internal:${address(0)}`)).toMatchObject({ kind: 'block', height: 22 });
    expect(reported(at)).toEqual(['block', 'block']);
  });

  test('and lost is gone, without a drop being reported', async () => {
    at.accounts.open(account);
    await at.step();
    const block = at.node.mine([contractCoins([{ to: address(0), valueWei: 9n }])]);
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
    expect(at.drops).toEqual([]);
  });

  test('known only by its balance is reverted with its block', async () => {
    at.node.traces = false;
    at.accounts.open(account);
    await at.step();
    const block = at.node.mine([contractCoins([{ to: address(0), valueWei: 9n }])]);
    await at.step();
    expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual([
      [increaseAt(at, 0, 21), 9n],
    ]);
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
    expect(at.drops).toEqual([]);
  });

  test('has the amount of its own block when the chain returns to it after a crash on another branch', async () => {
    at.node.traces = false;
    at.accounts.open(account);
    await at.step();
    const block = at.node.mine([], [{ ...account, baseUnits: 50n }]);
    await at.step();
    const other = at.node.build(block.parentHash, [contractCoins([{ to: address(0), valueWei: 9n }])]);
    at.node.setBest(other.hash);
    at.sink.failAt = (point) => {
      if (point === 'before accept') throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    at.sink.failAt = null;
    at.node.setBest(block.hash);
    await at.step();
    expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual([
      [increaseAt(at, 0, 21), 50n],
    ]);
  });

  test('is not mistaken for stolen coins by a restart before any balance could be read again', async () => {
    at.node.traces = false;
    at.accounts.open(account);
    await at.step();
    const block = at.node.mine([], [{ ...account, baseUnits: 50n }]);
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    at.node.stateBlocks = 0;
    await at.step();
    expect(at.watcher().status().warnings).toEqual([expect.stringMatching(/does not have the state/)]);
    const saves = at.store.saves.length;
    await expect(at.watcher().rescan({ fromHeight: 20, toHeight: 21 })).rejects.toMatchObject({
      code: 'STATE_MISSING',
    });
    await expect(at.watcher().verify({ outputs: [] })).rejects.toMatchObject({ code: 'NODE_SYNCING' });
    expect(at.store.saves.length).toBe(saves);
    at.restart();
    mineEmpty(at, 1);
    at.node.stateBlocks = 1;
    await at.step();
    expect(at.drops).toEqual([]);
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test('keeps coins from before the fork', async () => {
    at.node.traces = false;
    at.accounts.open(account);
    await at.step();
    at.node.mine([contractCoins([{ to: address(0), valueWei: 9n }])]);
    at.node.mine([]);
    at.node.mine([]);
    await at.step();
    at.node.setBest(at.node.build(at.node.best().parentHash, []).hash);
    await at.step();
    expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual([
      [increaseAt(at, 0, 21), 9n],
    ]);
    expect(reported(at)).toEqual(['block']);
  });
});

describe('a chain that goes back below all blocks in memory and returns, with a crash in between', () => {
  test.each([
    ['a payment', () => coins(address(0), 5n)],
    ['a token payment', () => tokens('USDT', address(0), 5n)],
    ['a payment by a contract', () => contractCoins([{ to: address(0), valueWei: 5n }])],
  ])('leaves %s where it was', async (_title, make) => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 20);
    at.accounts.open({ watchKey: address(0), asset: COIN });
    await at.step();
    const block = at.node.mine([make()]);
    mineEmpty(at, 12);
    await at.step();
    const tip = at.node.best().hash;
    at.node.setBest(at.node.build(block.parentHash, [coins(address(1), 3n)]).hash);
    at.sink.failAt = (point) => {
      if (point === 'before accept') throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    at.sink.failAt = null;
    at.restart();
    at.node.setBest(tip, () => false);
    await at.step();
    const paid = at.live().filter(({ watchKey }) => watchKey === address(0));
    expect(paid.map(({ status }) => status)).toEqual([{ kind: 'block', height: 21, blockHash: block.hash }]);
    expect(at.store.unsettled()).toEqual([]);
  });
});
