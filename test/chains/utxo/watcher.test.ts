import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutputStatus } from '../../../src/chains/index.ts';
import { BEGIN_DEPTH_BLOCKS } from '../../../src/chains/sync/begin-scan.ts';
import { BLOCKS_PER_BATCH } from '../../../src/chains/utxo/poll.ts';
import { payment, script } from '../../support/nodes/fake-utxo-node.ts';
import { createWatcherHarness, WATCHED_KEYS, type WatcherHarness } from '../support/watcher-harness.ts';

const UNWATCHED = WATCHED_KEYS + 1;
let at: WatcherHarness;

beforeEach(async () => {
  at = createWatcherHarness();
  mineEmpty(20);
  await at.step();
});

function mineEmpty(count: number): void {
  for (let mined = 0; mined < count; mined += 1) at.node.mine([]);
}

function status(outputId: string): OutputStatus | undefined {
  return at.sink.last(outputId)?.status;
}

function reported(): string[] {
  return at.sink.observations.map(({ status }) => (status.kind === 'gone' ? `gone:${status.reason}` : status.kind));
}

describe('a payment', () => {
  test('is reported once from the mempool and once from its block, with the amount and the mempool time', async () => {
    const paid = payment([1], [0], 12_345n);
    at.node.submit(paid);
    const enteredAt = at.clock.now();
    at.node.timeSeconds += 40;
    await at.step();
    await at.step();
    const block = at.node.mine();
    await at.step();
    await at.step();
    expect(reported()).toEqual(['mempool', 'block']);
    const last = at.sink.last(`${paid.txid}:0`);
    expect(last).toMatchObject({
      network: 'fake-regtest',
      txid: paid.txid,
      watchKey: script(0),
      amountBaseUnits: 12_345n,
      firstSeenAt: enteredAt,
      status: { kind: 'block', height: 21, blockHash: block.hash },
    });
  });

  test('keeps its mempool time when its block has an earlier time, in a rescan and after a reorg too', async () => {
    at.node.timeSeconds += 1_000;
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const enteredAt = at.clock.now();
    await at.step();
    at.node.timeSeconds -= 1_000;
    const block = at.node.mine();
    at.node.timeSeconds += 1_000;
    await at.step();
    expect(block.timeSeconds * 1000).toBeLessThan(enteredAt);
    await at.watcher().rescan({ fromHeight: 21, toHeight: 21 });
    at.restart();
    await at.watcher().rescan({ fromHeight: 21, toHeight: 21 });
    at.node.setBest(at.node.build(block.previousHash, []).hash);
    await at.step();
    at.node.mine();
    await at.step();
    expect(reported().slice(-2)).toEqual(['mempool', 'block']);
    expect(new Set(at.sink.observations.map((each) => each.firstSeenAt))).toEqual(new Set([enteredAt]));
  });

  test('seen only in a block is dated by the block, but never later than now', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const block = at.node.mine();
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)?.firstSeenAt).toBe(block.timeSeconds * 1000);

    const early = payment([2], [0]);
    at.node.submit(early);
    at.node.mine();
    at.node.timeSeconds -= 100;
    await at.step();
    expect(at.sink.last(`${early.txid}:0`)?.firstSeenAt).toBe(at.clock.now());
  });

  test('with several outputs to one and to many keys reports each of them, and nothing else', async () => {
    const paid = payment([1], [0, 0, 1, UNWATCHED, 2]);
    at.node.submit(paid);
    await at.step();
    expect(at.sink.observations.map((each) => each.outputId)).toEqual(
      [0, 1, 2, 4].map((vout) => `${paid.txid}:${vout}`),
    );
  });

  test('replaced in the mempool is gone as replaced, and the replacement is seen', async () => {
    const first = payment([1], [0]);
    const second = payment([1], [1], 2_000n);
    at.node.submit(first);
    await at.step();
    at.node.submit(second);
    await at.step();
    expect(status(`${first.txid}:0`)).toEqual({ kind: 'gone', reason: 'replaced' });
    expect(status(`${second.txid}:0`)).toEqual({ kind: 'mempool' });
  });

  test('names the transaction it replaces, whichever of many inputs they share', async () => {
    const shared = 99;
    const first = payment([...Array(9).keys(), shared], [0]);
    const second = payment([...Array.from({ length: 9 }, (_, index) => 20 + index), shared], [0]);
    at.node.submit(first);
    await at.step();
    at.node.submit(second);
    await at.step();
    const [seen] = at.sink.observations.filter(({ txid }) => txid === second.txid);
    const [gone] = at.sink.observations.filter(({ status: { kind } }) => kind === 'gone');
    expect(seen?.outdates?.outputIds).toEqual([`${first.txid}:0`]);
    expect(gone).toMatchObject({ txid: first.txid, isOutdating: true });
    expect(gone?.order).toBeGreaterThanOrEqual(seen?.outdates?.before ?? Number.POSITIVE_INFINITY);
  });

  test('double-spent in a block by a transaction that pays another recipient is gone as replaced', async () => {
    const ours = payment([1], [0]);
    at.node.submit(ours);
    await at.step();
    at.node.mine([payment([1], [UNWATCHED])]);
    await at.step();
    expect(status(`${ours.txid}:0`)).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('that leaves the mempool without a trace is gone as evicted', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    at.node.evict(paid.txid);
    await at.step();
    expect(status(`${paid.txid}:0`)).toEqual({ kind: 'gone', reason: 'evicted' });
  });

  test('evicted and submitted again is seen again', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    at.node.evict(paid.txid);
    await at.step();
    at.node.submit(paid);
    await at.step();
    expect(reported()).toEqual(['mempool', 'gone:evicted', 'mempool']);
  });
});

describe('a reorg', () => {
  async function minedPayment() {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const block = at.node.mine();
    await at.step();
    return { paid, id: `${paid.txid}:0`, block };
  }

  test('that mines a payment again elsewhere is reported once, with its new block', async () => {
    const { paid, id, block } = await minedPayment();
    const other = at.node.build(block.previousHash, []);
    const again = at.node.build(other.hash, [paid]);
    at.node.setBest(again.hash);
    await at.step();
    expect(reported()).toEqual(['block', 'block']);
    expect(status(id)).toEqual({ kind: 'block', height: 22, blockHash: again.hash });
  });

  test('that mines a new payment, in a block dated ahead of our clock, dates it now', async () => {
    const { block } = await minedPayment();
    const unseen = payment([2], [0]);
    const other = at.node.build(block.previousHash, [unseen]);
    at.node.setBest(at.node.build(other.hash, []).hash);
    at.node.timeSeconds = other.timeSeconds - 100;
    await at.step();
    expect(at.sink.last(`${unseen.txid}:0`)?.firstSeenAt).toBe(at.clock.now());
    expect(at.clock.now()).toBeLessThan(other.timeSeconds * 1_000);
  });

  test('that returns a payment to the mempool is reported as mempool', async () => {
    const { id, block } = await minedPayment();
    at.node.setBest(at.node.build(block.previousHash, []).hash);
    await at.step();
    expect(reported()).toEqual(['block', 'mempool']);
    expect(status(id)).toEqual({ kind: 'mempool' });
  });

  test('that loses a payment is reported as reorged', async () => {
    const { id, block } = await minedPayment();
    at.node.setBest(at.node.build(block.previousHash, []).hash, () => false);
    await at.step();
    expect(status(id)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('that double-spends a payment is reported as replaced', async () => {
    const { id, block } = await minedPayment();
    at.node.setBest(at.node.build(block.previousHash, [payment([1], [UNWATCHED])]).hash);
    await at.step();
    expect(status(id)).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('that is reverted between two polls is not reported', async () => {
    const { block } = await minedPayment();
    at.node.setBest(at.node.build(block.previousHash, []).hash);
    at.node.setBest(block.hash);
    await at.step();
    expect(reported()).toEqual(['block']);
  });

  test('to a lower tip is followed', async () => {
    const { id, block } = await minedPayment();
    at.node.setBest(at.node.block(block.previousHash).previousHash);
    await at.step();
    expect(status(id)).toEqual({ kind: 'mempool' });
    expect(at.watcher().status().cursorHeight).toBe(19);
  });

  test('of a block scanned before the first start is followed', async () => {
    const fresh = createWatcherHarness();
    at = fresh;
    mineEmpty(20);
    const paid = payment([1], [0]);
    fresh.node.submit(paid);
    const block = fresh.node.mine();
    await fresh.step();
    expect(status(`${paid.txid}:0`)?.kind).toBe('block');
    fresh.node.setBest(fresh.node.build(block.previousHash, []).hash, () => false);
    await fresh.step();
    expect(status(`${paid.txid}:0`)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test.each([
    ['still known to the node', false],
    ['unknown to a node set up anew', true],
  ])('deeper than all blocks in memory is undone, its blocks %s', async (_title, anew) => {
    at = createWatcherHarness({ historyBlocks: 5 });
    mineEmpty(20);
    await at.step();
    const { paid, id, block } = await minedPayment();
    const lost = payment([2], [1]);
    at.node.submit(lost);
    at.node.mine();
    await at.step();
    mineEmpty(30);
    await at.step();
    let branch = at.node.block(block.previousHash);
    for (let length = 0; length < 40; length += 1) branch = at.node.build(branch.hash, length === 20 ? [paid] : []);
    at.node.setBest(branch.hash, () => false);
    if (anew) at.node.forgetStaleBlocks();
    // A newly synced node cannot serve the stale blocks; the watcher scans the blocks that it does
    // have.
    await at.step();
    expect(status(id)).toMatchObject({ kind: 'block', height: 41 });
    expect(status(`${lost.txid}:0`)?.kind).toBe(anew ? 'block' : 'gone');
    expect(at.watcher().status().cursorHeight).toBe(60);
  });
});

test('a payment below all blocks in memory is tracked when the chain is cut back to it and then below it', async () => {
  at = createWatcherHarness({ historyBlocks: 5 });
  mineEmpty(20);
  await at.step();
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  mineEmpty(10);
  await at.step();
  at.node.setBest(block.hash);
  at.node.beforeCall = (method) => {
    if (method !== 'getrawmempool') return;
    at.node.beforeCall = null;
    at.node.setBest(block.previousHash, () => false);
  };
  await at.step();
  expect(status(`${paid.txid}:0`)).toEqual({ kind: 'gone', reason: 'reorged' });
});

test('a payment below all blocks in memory is not gone after a deep reorg that a failure interrupted, and the return', async () => {
  at = createWatcherHarness({ historyBlocks: 5 });
  mineEmpty(20);
  await at.step();
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  mineEmpty(10);
  await at.step();
  const tip = at.node.best();
  let branch = at.node.block(block.previousHash);
  for (let length = 0; length < 20; length += 1) branch = at.node.build(branch.hash, []);
  at.node.setBest(branch.hash, () => false);
  at.node.mempoolLoaded = false;
  at.store.crashAt = (point) => {
    if (point === 'after save') throw new Error('power cut');
  };
  await expect(at.step()).rejects.toThrow('power cut');
  at.store.crashAt = null;
  at.node.setBest(tip.hash);
  at.node.mempoolLoaded = true;
  await at.step();
  await at.step();
  expect(status(`${paid.txid}:0`)).toMatchObject({ kind: 'block', height: block.height });
});

describe('catching up', () => {
  test('starts a few blocks below the tip when nothing is stored', () => {
    expect(at.store.blocks().map((block) => block.height)[0]).toBe(20 - BEGIN_DEPTH_BLOCKS);
    expect(at.watcher().status()).toMatchObject({ cursorHeight: 20, tipHeight: 20, lastError: null });
  });

  test('scans every block in bounded batches and moves the watermark only in the last', async () => {
    const savesBefore = at.store.saves.length;
    const blocks = BLOCKS_PER_BATCH * 5 + 3;
    for (let mined = 0; mined < blocks; mined += 1) {
      at.node.submit(payment([mined + 1], [mined % WATCHED_KEYS]));
      at.node.mine();
    }
    at.restart();
    await at.step();
    const saves = at.store.saves.slice(savesBefore);
    expect(saves.map((save) => save.blocks.length)).toEqual([10, 10, 10, 10, 10, 3]);
    expect(saves.map((save) => save.syncedUntil !== null)).toEqual([false, false, false, false, false, true]);
    expect(at.sink.observations).toHaveLength(blocks);
  });

  test('yields to the event loop after each block', async () => {
    const blocks = BLOCKS_PER_BATCH * 3;
    mineEmpty(blocks);
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    await at.step();
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(blocks);
  });

  test('reports nothing as gone before the tip is reached', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    const fork = at.node.best();
    at.node.mine();
    await at.step();
    // The payment is disconnected and mined again only after the first batches of the new branch.
    let branch = fork;
    for (let length = 0; length < 35; length += 1) branch = at.node.build(branch.hash, length === 34 ? [paid] : []);
    at.node.setBest(branch.hash);
    await at.step();
    expect(reported()).toEqual(['mempool', 'block', 'block']);
    expect(at.store.unsettled()).toEqual([]);
  });

  test('interrupted in a reorg still ends with the lost payment reported as gone', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const block = at.node.mine();
    await at.step();
    let branch = at.node.block(block.previousHash);
    for (let length = 0; length < 35; length += 1) branch = at.node.build(branch.hash, []);
    at.node.setBest(branch.hash, () => false);
    const saves = at.store.saves.length;
    at.store.crashAt = () => {
      if (at.store.saves.length > saves + 1) throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.store.crashAt = null;
    at.restart();
    expect(reported()).toEqual(['block']);
    await at.step();
    expect(status(`${paid.txid}:0`)?.kind).toBe('gone');
  });

  test('a node in initial block download moves no watermark, and its shorter chain undoes nothing', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const block = at.node.mine();
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.initialDownload = true;
    at.node.timeSeconds += 600;
    await at.step();
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    at.node.setBest(at.node.block(block.previousHash).previousHash, () => false);
    await expect(at.step()).rejects.toThrow(/still syncing/);
    expect(reported()).toEqual(['block']);
    at.node.initialDownload = false;
    await at.step();
    expect(reported()).toEqual(['block', 'gone:reorged']);
  });

  test('a node whose newest blocks are old moves no watermark and reports nothing as gone', async () => {
    Object.assign(at.params, { staleAfterMs: 3_600_000 });
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    expect(syncedUntil).toBe(at.clock.now());
    at.node.timeSeconds += 3_601;
    at.node.evict(paid.txid);
    await at.step();
    expect(reported()).toEqual(['mempool']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    at.node.mine([]);
    await at.step();
    expect(reported()).toEqual(['mempool', 'gone:evicted']);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });

  test('a node that has pruned an unscanned block is rejected with the remedy', async () => {
    at.node.mine();
    at.node.prunedBelow = at.node.best().height + 1;
    await expect(at.step()).rejects.toMatchObject({ name: 'TerminalError', code: 'NODE_PRUNED' });
    at.node.prunedBelow = 0;
    await at.step();
    expect(at.watcher().status().cursorHeight).toBe(21);
  });

  test('the watermark is the start of the poll, not its end', async () => {
    const startedAt = at.clock.now();
    at.node.beforeCall = () => {
      at.node.timeSeconds += 7;
    };
    await at.step();
    expect(at.store.syncedUntil()).toBe(startedAt);
    expect(at.clock.now()).toBeGreaterThan(startedAt);
  });

  test('the watermark excludes the current second, because nodes date by the whole second', async () => {
    at.node.timeSeconds += 0.6;
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.timeSeconds += 0.3;
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)?.firstSeenAt).toBeGreaterThanOrEqual(syncedUntil ?? Number.NaN);
  });
});

describe('races', () => {
  test('a payment mined between listing blocks and listing the mempool is neither lost nor reported as gone', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    at.node.beforeCall = (method) => {
      if (method !== 'getrawmempool') return;
      at.node.beforeCall = null;
      at.node.mine();
    };
    await at.step();
    expect(reported()).toEqual(['mempool', 'block']);
  });

  test('a payment mined between the listing and its fetch is found before the watermark passes it', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    at.node.beforeCall = (method) => {
      if (method !== 'getrawtransaction') return;
      at.node.beforeCall = null;
      at.node.mine();
    };
    await at.step();
    expect(reported()).toEqual(['block']);
  });

  test('a mempool that keeps changing is reported, but moves no watermark', async () => {
    const syncedUntil = at.store.syncedUntil();
    at.node.timeSeconds += 60;
    let salt = 0;
    const churn = () => {
      salt += 1;
      for (const { txid } of at.node.mempool()) at.node.evict(txid);
      at.node.submit(payment([1], [UNWATCHED], 1_000n, salt));
    };
    churn();
    at.node.beforeCall = (method) => {
      if (method === 'getrawtransaction') churn();
    };
    await at.step();
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    at.node.beforeCall = null;
    await at.step();
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });

  test('a transient block within one poll is not reported', async () => {
    const fork = at.node.best();
    at.node.mine([payment([1], [0])]);
    at.node.beforeCall = (method) => {
      if (method !== 'getrawmempool') return;
      at.node.beforeCall = null;
      at.node.setBest(at.node.build(fork.hash, []).hash, () => false);
    };
    await at.step();
    expect(reported()).toEqual([]);
    expect(at.watcher().status().cursorHeight).toBe(21);
  });

  test('a tip that moves during every poll is followed without a watermark', async () => {
    const syncedUntil = at.store.syncedUntil();
    at.node.beforeCall = (method) => {
      if (method === 'getbestblockhash') at.node.mine();
    };
    await at.step();
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    at.node.beforeCall = null;
    await at.step();
    expect(at.watcher().status().cursorHeight).toBe(at.node.best().height);
  });

  test('an address committed while its payment is fetched is matched in the same poll', async () => {
    const late = WATCHED_KEYS + 5;
    const inMempool = payment([1], [late]);
    at.node.beforeCall = (method) => {
      if (method !== 'getrawmempool') return;
      at.node.beforeCall = null;
      at.watchSet.add(script(late));
      at.node.submit(inMempool);
    };
    await at.step();
    expect(status(`${inMempool.txid}:0`)).toEqual({ kind: 'mempool' });

    const later = WATCHED_KEYS + 6;
    const inBlock = payment([2], [later]);
    at.node.submit(inBlock);
    at.node.mine();
    at.node.beforeCall = (method) => {
      if (method === 'getblock') at.watchSet.add(script(later));
    };
    await at.step();
    expect(status(`${inBlock.txid}:0`)?.kind).toBe('block');
  });

  test('an address watched only after its payment was read gets it with its block, or at the next start', async () => {
    const late = WATCHED_KEYS + 5;
    const [first, second] = [payment([1], [late]), payment([2], [late])];
    at.node.submit(first);
    at.node.submit(second);
    await at.step();
    at.watchSet.add(script(late));
    await at.step();
    expect(reported()).toEqual([]);
    at.node.mine([first]);
    await at.step();
    expect(status(`${first.txid}:0`)?.kind).toBe('block');
    at.restart();
    await at.step();
    expect(status(`${second.txid}:0`)).toEqual({ kind: 'mempool' });
  });

  test('a payment whose report failed is reported in the next poll without another fetch', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    at.sink.failAt = () => {
      throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    at.sink.failAt = null;
    const enteredAt = at.clock.now();
    at.node.timeSeconds += 60;
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)).toMatchObject({ firstSeenAt: enteredAt, status: { kind: 'mempool' } });
    expect(at.node.calls.get('getrawtransaction')).toBe(1);
  });

  test('a payment that is replaced while its report fails is reported as replaced', async () => {
    const [first, second] = [payment([1], [0]), payment([1], [UNWATCHED], 2_000n)];
    at.node.submit(first);
    await at.step();
    at.node.submit(second);
    at.sink.failAt = () => {
      throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    at.sink.failAt = null;
    await at.step();
    expect(status(`${first.txid}:0`)).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('a foreign transaction is fetched and matched once, however long it stays', async () => {
    for (let index = 0; index < 200; index += 1) at.node.submit(payment([100 + index], [UNWATCHED]));
    await at.step();
    expect(at.node.calls.get('getrawtransaction')).toBe(200);
    const has = vi.spyOn(at.watchSet, 'has');
    const refresh = vi.spyOn(at.watchSet, 'refresh');
    await at.step();
    await at.step();
    expect(has).not.toHaveBeenCalled();
    expect(refresh).not.toHaveBeenCalled();
    expect(at.node.calls.get('getrawtransaction')).toBe(200);
  });

  test('an output is tracked to its end although its address is no longer watched', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    await at.step();
    at.watchSet.remove(script(0));
    const block = at.node.mine();
    await at.step();
    at.node.setBest(at.node.build(block.previousHash, [paid]).hash);
    await at.step();
    expect(reported()).toEqual(['mempool', 'block', 'block']);
  });
});

describe('restarts and failures', () => {
  test('a payment that vanished while the watcher was down is reported as gone, a mined one with its block', async () => {
    const lost = payment([1], [0]);
    const kept = payment([2], [1]);
    at.node.submit(lost);
    at.node.submit(kept);
    await at.step();
    at.restart();
    at.node.mine([kept]);
    at.node.evict(lost.txid);
    await at.step();
    expect(status(`${lost.txid}:0`)).toEqual({ kind: 'gone', reason: 'evicted' });
    expect(status(`${kept.txid}:0`)?.kind).toBe('block');
  });

  test('what the previous watcher reports and saves until it is replaced is kept', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const before = at.watcher();
    at.restart();
    const { nextEpoch } = at.store;
    at.store.nextEpoch = async () => {
      at.store.nextEpoch = nextEpoch;
      await before.step();
      at.node.evict(paid.txid);
      return nextEpoch();
    };
    await at.step();
    expect(reported()).toEqual(['mempool', 'gone:evicted']);
  });

  test('a payment reported just before a crash and lost during the outage is reported as gone', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    const block = at.node.mine();
    at.sink.failAt = (point) => {
      if (point === 'after accept') throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.sink.failAt = null;
    at.restart();
    at.node.setBest(at.node.build(block.previousHash, []).hash, () => false);
    await at.step();
    expect(reported()).toEqual(['block', 'gone:evicted']);
  });

  test('nothing is saved when the sink rejects, and everything is reported later', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    at.node.mine();
    const saves = at.store.saves.length;
    at.sink.failAt = () => {
      throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    expect(at.store.saves).toHaveLength(saves);
    expect(at.watcher().status()).toMatchObject({ lastError: 'broker away', cursorHeight: 20 });
    at.sink.failAt = null;
    await at.step();
    expect(reported()).toEqual(['block']);
    expect(at.watcher().status().lastError).toBeNull();
  });

  test('every start takes a higher epoch, so orders increase across restarts', async () => {
    at.node.submit(payment([1], [0]));
    await at.step();
    at.restart();
    at.node.mine();
    await at.step();
    const [first, second] = at.sink.observations.map((each) => each.order);
    expect(Math.floor((first ?? 0) / 2 ** 32)).toBe(1);
    expect(Math.floor((second ?? 0) / 2 ** 32)).toBe(2);
  });

  test('a node of another network is rejected with the remedy', async () => {
    const wrong = createWatcherHarness();
    Object.assign(wrong.params, { genesisHash: '00'.repeat(32) });
    await expect(wrong.step()).rejects.toMatchObject({ name: 'TerminalError', code: 'WRONG_NETWORK' });
    await expect(wrong.step()).rejects.toThrow(/Point the RPC URL at a node of this network/);
  });

  test('a node swapped for one of another network during an outage is detected', async () => {
    at.node.mine([payment([1], [0])]);
    at.sink.failAt = () => {
      throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    at.sink.failAt = null;
    Object.assign(at.params, { genesisHash: '00'.repeat(32) });
    await expect(at.step()).rejects.toMatchObject({ code: 'WRONG_NETWORK' });
  });

  test('a node swapped for one of another network between two polls undoes nothing', async () => {
    const paid = payment([1], [0]);
    at.node.submit(paid);
    at.node.mine();
    await at.step();
    let other = at.node.bestBranch()[0] ?? at.node.best();
    for (let length = 0; length < 40; length += 1) other = at.node.build(other.hash, []);
    at.node.setBest(other.hash, () => false);
    const { genesisHash } = at.params;
    Object.assign(at.params, { genesisHash: '00'.repeat(32) });
    await expect(at.step()).rejects.toMatchObject({ code: 'WRONG_NETWORK' });
    expect(reported()).toEqual(['block']);
    Object.assign(at.params, { genesisHash });
    await at.step();
    expect(reported()).toEqual(['block', 'gone:reorged']);
  });

  test('an idle poll sends five requests and fetches nothing', async () => {
    at.node.submit(payment([1], [UNWATCHED]));
    await at.step();
    at.node.calls.clear();
    await at.step();
    expect(Object.fromEntries(at.node.calls)).toEqual({
      getblockchaininfo: 1,
      getblockhash: 1,
      getmempoolinfo: 1,
      getrawmempool: 1,
      getbestblockhash: 1,
    });
  });
});
