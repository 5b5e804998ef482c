import { beforeEach, describe, expect, test } from 'vitest';
import { isMempoolLoaded } from '../../../src/chains/utxo/mempool-loaded.ts';
import { TerminalError } from '../../../src/platform/errors.ts';
import { payment } from '../../support/nodes/fake-utxo-node.ts';
import { createWatcherHarness, type WatcherHarness } from '../support/watcher-harness.ts';

let at: WatcherHarness;

beforeEach(async () => {
  at = createWatcherHarness();
  Object.assign(at.params, { staleAfterMs: 3_600_000 });
  for (let mined = 0; mined < 20; mined += 1) at.node.mine([]);
  await at.step();
});

function warnings(): readonly string[] {
  return at.watcher().status().warnings;
}

describe('a node without peers', () => {
  test('rule 8: moves no watermark, reports nothing as gone and answers no verification', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.peers = 0;
    at.node.evict(paid.txid);
    at.node.timeSeconds += 5;
    await at.step();
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    expect(warnings()).toEqual([
      expect.stringMatching(/^The node has no peers.*windows of this network are held open/),
    ]);
    await expect(at.watcher().verify({ outputs: [] })).rejects.toMatchObject({ code: 'NODE_SYNCING' });
    at.node.peers = 1;
    await at.step();
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool', 'gone']);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(warnings()).toEqual([]);
  });

  test('is normal on regtest, which has no peers', async () => {
    Object.assign(at.params, { staleAfterMs: null });
    at.node.peers = 0;
    await at.step();
    expect(warnings()).toEqual([]);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });

  test.each([
    ['that does not know the question', null],
    ['whose whitelist refuses it', new TerminalError('NODE_REFUSED_CREDENTIALS', 'answered 403')],
  ])('is not recognised on a node %s', async (_title, rejection) => {
    at.node.peers = rejection === null ? null : 0;
    at.node.beforeCall = (method) => {
      if (method === 'getnetworkinfo' && rejection !== null) throw rejection;
    };
    await at.step();
    expect(warnings()).toEqual([]);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });
});

describe('a chain that ends earlier than the one seen', () => {
  test('undoes nothing and moves no watermark until it grows, on another branch or the same', async () => {
    const paid = payment([1], [0]);
    const { hash: before } = at.node.best();
    at.node.mine([paid]);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    const { hash: head } = at.node.best();
    at.node.setBest(before, () => false);
    at.node.timeSeconds += 60;
    const shorter = { code: 'NODE_SYNCING', message: expect.stringContaining('a shorter chain than was seen') };
    await expect(at.step()).rejects.toMatchObject(shorter);
    await expect(at.watcher().verify({ outputs: [] })).rejects.toMatchObject(shorter);
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['block']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);

    at.node.setBest(head, () => false);
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)?.status).toMatchObject({ kind: 'block', blockHash: head });
    at.node.setBest(at.node.build(before, []).hash, () => false);
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)?.status).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('undoes nothing when it ends below all blocks the watcher has read either', async () => {
    at = createWatcherHarness();
    Object.assign(at.params, { staleAfterMs: 3_600_000 });
    for (let mined = 0; mined < 40; mined += 1) at.node.mine([]);
    await at.step();
    const paid = payment([1], [0]);
    at.node.mine([paid]);
    await at.step();
    at.node.setBest(at.node.bestBranch()[20]?.hash ?? '', () => false);
    await expect(at.step()).rejects.toMatchObject({ code: 'NODE_SYNCING' });
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['block']);
  });

  test('is trusted on a network with irregular blocks, like regtest', async () => {
    Object.assign(at.params, { staleAfterMs: null });
    const paid = payment([1], [0]);
    const { hash: before } = at.node.best();
    at.node.mine([paid]);
    await at.step();
    at.node.setBest(before, () => false);
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)?.status.kind).toBe('gone');
  });
});

describe('a node that has not loaded its mempool yet', () => {
  test('rule 8: removes no payment and moves no watermark until it has', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.mempoolLoaded = false;
    at.node.evict(paid.txid);
    at.node.timeSeconds += 5;
    for (let poll = 0; poll < 3; poll += 1) await at.step();
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    expect(warnings()).toEqual([
      expect.stringMatching(/^The node has started and is still loading its mempool: .*windows .* are held open/),
    ]);
    at.node.submit(paid);
    at.node.mempoolLoaded = true;
    await at.step();
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool']);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(warnings()).toEqual([]);
  });

  test('answers no verification', async () => {
    at.node.mempoolLoaded = false;
    await expect(at.watcher().verify({ outputs: [] })).rejects.toMatchObject({ code: 'NODE_SYNCING' });
  });

  test('shows what it has, and its chain is followed', async () => {
    at.node.mempoolLoaded = false;
    const [waiting, mined] = [payment([1], [0]), payment([2], [1])];
    at.node.submit(waiting);
    at.node.mine([mined]);
    await at.step();
    expect(at.sink.last(`${waiting.txid}:0`)?.status.kind).toBe('mempool');
    expect(at.sink.last(`${mined.txid}:0`)?.status.kind).toBe('block');
  });

  test('is trusted only if it was loaded before it listed its mempool', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    at.node.mempoolLoaded = false;
    at.node.evict(paid.txid);
    at.node.beforeCall = (method) => {
      if (method === 'getbestblockhash') at.node.mempoolLoaded = true;
    };
    await at.step();
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool']);
  });

  test.each([
    [{ size: 1, loaded: true }, true],
    [{ size: 1, loaded: false }, false],
    // Dogecoin Core 1.14.
    [{ size: 1, bytes: 200, usage: 500, maxmempool: 300_000_000, mempoolminfee: 0 }, true],
    [{ size: 1, loaded: null }, false],
    [{ size: 1, loaded: 'false' }, false],
    [null, false],
    [[], false],
  ])('is one whose getmempoolinfo is %j: loaded %s', (response, isLoaded) => {
    expect(isMempoolLoaded(response)).toBe(isLoaded);
  });

  test('on regtest is behind as well, and one that does not report it is trusted', async () => {
    Object.assign(at.params, { staleAfterMs: null });
    at.node.mempoolLoaded = false;
    await at.step();
    expect(warnings()).toHaveLength(1);
    at.node.mempoolLoaded = null;
    await at.step();
    expect(warnings()).toEqual([]);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });
});

test('a listing with entries that could not be fetched removes nothing', async () => {
  const [paid, listed] = [payment([1], [0]), payment([2], [9])];
  at.node.submit(paid);
  await at.step();
  at.node.evict(paid.txid);
  at.node.submit(listed);
  at.node.beforeCall = (method) => {
    if (method === 'getrawtransaction') at.node.evict(listed.txid);
    if (method === 'getmempoolinfo') at.node.submit(listed);
  };
  await at.step();
  expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool']);
});

test('a node whose newest blocks are old raises a warning with their age, for as long as it lasts', async () => {
  at.node.timeSeconds += 2 * 3_600;
  await at.step();
  expect(warnings()).toEqual([expect.stringMatching(/newest blocks are 2\.0 hours old \(block 20 of 20\)/)]);
  at.node.mine([]);
  await at.step();
  expect(warnings()).toEqual([]);
});

describe('a pruned node', () => {
  test('raises a warning with its first block, until it is no longer pruned', async () => {
    at.node.prunedBelow = 15;
    await at.step();
    expect(warnings()).toEqual([
      expect.stringMatching(/no blocks below 15: catching up or rescanning older blocks is impossible/),
    ]);
    at.node.prunedBelow = 0;
    await at.step();
    expect(warnings()).toEqual([]);
  });

  test('that lacks a block is rejected with its height and both remedies, and nothing is skipped', async () => {
    for (let mined = 0; mined < 5; mined += 1) at.node.mine([]);
    at.node.prunedBelow = 24;
    const failure = at.step();
    await expect(failure).rejects.toMatchObject({ name: 'TerminalError', code: 'NODE_PRUNED' });
    await expect(failure).rejects.toThrow(
      /deleted block 21.*without -prune.*point the RPC URL at a node that still has/,
    );
    expect(at.watcher().status().cursorHeight).toBe(20);
    at.node.prunedBelow = 21;
    await at.step();
    expect(at.watcher().status().cursorHeight).toBe(25);
  });
});
