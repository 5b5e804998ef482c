import { beforeEach, describe, expect, test } from 'vitest';
import { BLOCKS_PER_BATCH } from '../../../../src/chains/evm/poll.ts';
import { BEGIN_DEPTH_BLOCKS } from '../../../../src/chains/sync/begin-scan.ts';
import { address, COIN, coins, otherAddress, tokens, transaction } from '../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty, reported, statusOf } from './harness.ts';

let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  await at.step();
});

describe('a payment in the native coin', () => {
  test('is reported once, with its transaction, amount, block and the time of the block', async () => {
    const paid = coins(address(0), 10n ** 18n);
    const block = at.node.mine([paid]);
    await at.step();
    await at.step();
    expect(at.sink.observations).toEqual([
      {
        network: 'fake-evm',
        outputId: paid.txid,
        txid: paid.txid,
        watchKey: address(0),
        asset: COIN,
        amountBaseUnits: 10n ** 18n,
        order: expect.any(Number),
        firstSeenAt: block.timeSeconds * 1000,
        spends: [`${paid.from}:${paid.nonce}`],
        status: { kind: 'block', height: 21, blockHash: block.hash },
      },
    ]);
    expect(at.store.blocks().at(-1)?.outputs[0]?.spends).toEqual([`${paid.from}:${paid.nonce}`]);
  });

  test('by a failed transaction moves nothing', async () => {
    at.node.mine([coins(address(0), 5n, { fails: true }), { ...tokens('USDT', address(0), 5n), fails: true }]);
    await at.step();
    expect(at.sink.observations).toEqual([]);
  });

  test('of zero, without a recipient, or from an address to itself is not reported', async () => {
    at.node.mine([coins(address(1), 1_000n)]);
    await at.step();
    const before = at.sink.observations.length;
    at.node.mine([
      coins(address(0), 0n),
      transaction({ to: null, valueWei: 5n }),
      coins(address(1), 7n, { from: address(1), feeWei: 1n }),
      coins(otherAddress(4), 9n),
    ]);
    await at.step();
    expect(at.sink.observations.length).toBe(before);
  });

  test('in a block dated ahead of our clock is dated no later than now', async () => {
    const paid = coins(address(0), 5n);
    at.node.mine([paid]);
    at.node.timeSeconds -= 5;
    await at.step();
    expect(at.sink.last(paid.txid)?.firstSeenAt).toBe(at.clock.now());
  });
});

describe('a payment in a token', () => {
  test('rule 5: is reported by its log, with the asset and the log index', async () => {
    const paid = tokens('USDC', address(2), 5_000_000n);
    const block = at.node.mine([paid]);
    await at.step();
    const outputId = `${paid.txid}:${block.firstLogIndex}`;
    expect(at.sink.observations).toHaveLength(1);
    expect(at.sink.last(outputId)).toMatchObject({
      txid: paid.txid,
      watchKey: address(2),
      asset: 'USDC',
      amountBaseUnits: 5_000_000n,
      firstSeenAt: block.timeSeconds * 1000,
      status: { kind: 'block', height: 21, blockHash: block.hash },
    });
  });

  test('of zero is not reported', async () => {
    at.node.mine([tokens('USDC', address(0), 0n)]);
    await at.step();
    expect(at.sink.observations).toEqual([]);
  });

  test('is one of many when one transaction pays several addresses', async () => {
    const [first, second] = [tokens('USDC', address(0), 5n).tokens, tokens('USDT', address(0), 6n).tokens];
    at.node.mine([transaction({ tokens: [...first, ...second, ...tokens('USDC', address(1), 7n).tokens] })]);
    await at.step();
    expect(at.live().map(({ watchKey, asset, amountBaseUnits }) => [watchKey, asset, amountBaseUnits])).toEqual([
      [address(0), 'USDC', 5n],
      [address(0), 'USDT', 6n],
      [address(1), 'USDC', 7n],
    ]);
  });

  test('among ten thousand transfers costs a few lookups each', async () => {
    let lookups = 0;
    const { has } = at.watchSet;
    Object.assign(at.watchSet, {
      has: (key: string) => {
        lookups += 1;
        return has(key);
      },
    });
    const crowd = Array.from({ length: 10_000 }, (_, index) => tokens('USDT', otherAddress(index + 20), 1n).tokens[0]);
    const others = crowd.filter((transfer) => transfer !== undefined);
    at.node.mine([transaction({ tokens: others }), tokens('USDT', address(3), 5n)]);
    await at.step();
    expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([5n]);
    expect(lookups).toBeLessThan(30_000);
    expect(at.node.calls.get('receipts') ?? 0).toBe(0);
  });
});

describe('catching up', () => {
  test('starts a few blocks below the head when nothing is stored', () => {
    expect(at.store.blocks().map(({ height }) => height)[0]).toBe(20 - BEGIN_DEPTH_BLOCKS);
    expect(at.watcher().status()).toMatchObject({ cursorHeight: 20, tipHeight: 20, lastError: null, warnings: [] });
  });

  test('reads every block in bounded batches and advances the watermark only in the last', async () => {
    const before = at.store.saves.length;
    const blocks = BLOCKS_PER_BATCH * 5 + 3;
    for (let mined = 0; mined < blocks; mined += 1) at.node.mine([coins(address(mined % 4), 5n)]);
    at.restart();
    await at.step();
    const saves = at.store.saves.slice(before);
    expect(saves.map((save) => save.blocks.length)).toEqual([10, 10, 10, 10, 10, 3]);
    expect(saves.map((save) => save.syncedUntil !== null)).toEqual([false, false, false, false, false, true]);
    expect(at.sink.observations).toHaveLength(blocks);
  });

  test('an address committed while its block is fetched is matched in the same poll', async () => {
    const paid = coins(address(30), 5n);
    at.node.mine([paid]);
    at.node.beforeCall = (method) => {
      if (method === 'blocks') at.watchSet.add(address(30));
    };
    await at.step();
    expect(statusOf(at, paid.txid)?.kind).toBe('block');
  });

  test('an account opened after the watch set was refreshed is still watched', async () => {
    const paid = coins(address(30), 5n);
    at.node.mine([paid]);
    at.accounts.open({ watchKey: address(30), asset: COIN });
    await at.step();
    expect(statusOf(at, paid.txid)?.kind).toBe('block');
  });

  test('a syncing node moves no watermark, and its shorter chain undoes nothing', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.isSyncing = true;
    at.node.timeSeconds += 600;
    await at.step();
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    at.node.setBest(block.parentHash, () => false);
    await expect(at.step()).rejects.toMatchObject({
      code: 'NODE_SYNCING',
      message: expect.stringMatching(/still syncing/),
    });
    expect(at.watcher().status().lastError).toMatch(/still syncing/);
    expect(reported(at)).toEqual(['block']);
    at.node.isSyncing = false;
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
  });

  test('a syncing node is not started with', async () => {
    at = createEvmHarness();
    mineEmpty(at, 20);
    at.node.isSyncing = true;
    await expect(at.step()).rejects.toMatchObject({ code: 'NODE_SYNCING' });
    expect(at.store.saves).toEqual([]);
  });

  test('a node whose newest block is old moves no watermark and reports nothing as gone', async () => {
    Object.assign(at.params, { staleAfterMs: 300_000 });
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    await at.step();
    expect(reported(at)).toEqual(['block', 'mempool']);
    const syncedUntil = at.store.syncedUntil();
    at.node.drop(paid.txid);
    at.node.timeSeconds += 301;
    await at.step();
    expect(reported(at)).toEqual(['block', 'mempool']);
    expect(at.store.syncedUntil()).toBe(syncedUntil);
    mineEmpty(at, 1);
    await at.step();
    expect(reported(at)).toEqual(['block', 'mempool', 'gone:reorged']);
  });
});

describe('the watermark of the network', () => {
  test('is the time of the head while that is younger than blocks may be late', async () => {
    mineEmpty(at, 1);
    const headAt = at.clock.now();
    at.node.timeSeconds += 40;
    await at.step();
    expect(at.store.syncedUntil()).toBe(headAt);
    expect(at.watcher().status().syncedUntil).toBe(headAt);
  });

  test('stays at the head where blocks come regularly, so that no payment in an unseen block is dated before it', async () => {
    Object.assign(at.params, { staleAfterMs: 300_000 });
    mineEmpty(at, 1);
    const headAt = at.clock.now();
    at.node.timeSeconds += 250;
    await at.step();
    expect(at.store.syncedUntil()).toBe(headAt);

    // The blocks that the node lacked, with their times on its network.
    at.node.timeSeconds = headAt / 1000;
    const paid = coins(address(0), 5n);
    at.node.mine([paid]);
    const paidAt = at.clock.now();
    at.node.timeSeconds += 260;
    await at.step();
    expect(at.sink.last(paid.txid)?.firstSeenAt).toBe(paidAt);
    expect(paidAt).toBeGreaterThan(headAt);
    expect(at.store.syncedUntil()).toBe(paidAt);
  });

  test('advances without blocks where they come irregularly, as far behind the clock as a block may be late', async () => {
    at.node.timeSeconds += 500;
    await at.step();
    expect(at.store.syncedUntil()).toBe(at.clock.now() - 60_000);
  });

  test('is never after the start of the poll, however far ahead a block is dated', async () => {
    const startedAt = at.clock.now();
    mineEmpty(at, 1);
    at.node.timeSeconds -= 12;
    at.node.beforeCall = () => {
      at.node.timeSeconds += 7;
    };
    await at.step();
    expect(at.store.syncedUntil()).toBe(startedAt);
  });
});

describe('failures', () => {
  test('after a failure of any node call, the next poll reports everything once', async () => {
    for (let failing = 0; failing < 12; failing += 1) {
      const paid = [coins(address(0), 5n), tokens('USDT', address(1), 6n)];
      const before = at.sink.observations.length;
      at.node.mine(paid);
      let calls = 0;
      at.node.beforeCall = () => {
        calls += 1;
        if (calls === failing + 1) throw new Error('the line is dead');
      };
      await at.step().catch((error: unknown) => expect(String(error)).toMatch(/the line is dead/));
      at.node.beforeCall = null;
      await at.step();
      // A restarted watcher also reports the contents of the newest saved blocks again.
      const { tipHeight } = at.watcher().status();
      const news = at.sink.observations
        .slice(before)
        .filter(({ status }) => status.kind === 'block' && status.height === tipHeight);
      expect(news, `after a failure of call ${failing + 1}`).toHaveLength(paid.length);
    }
    expect(at.watcher().status().lastError).toBeNull();
  });

  test('nothing is saved when the sink rejects, and everything is reported later', async () => {
    const paid = coins(address(0), 5n);
    at.node.mine([paid]);
    const saves = at.store.saves.length;
    at.sink.failAt = (point) => {
      if (point === 'before accept') throw new Error('broker away');
    };
    await expect(at.step()).rejects.toThrow('broker away');
    expect(at.store.saves.length).toBe(saves);
    at.sink.failAt = null;
    await at.step();
    expect(reported(at)).toEqual(['block']);
  });

  test('a payment reported just before a crash and lost during the outage is reported as gone', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    at.sink.failAt = (point) => {
      if (point === 'after accept') throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.sink.failAt = null;
    at.restart();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
  });

  test('a log in another block than the node has at that height restarts the poll', async () => {
    const paid = tokens('USDT', address(0), 5n);
    const block = at.node.mine([paid]);
    at.node.beforeCall = (method) => {
      if (method !== 'tokenTransfers') return;
      at.node.beforeCall = null;
      at.node.setBest(at.node.build(block.parentHash, [coins(otherAddress(1), 1n), paid]).hash);
    };
    await at.step();
    expect(at.live().map(({ status }) => status)).toEqual([
      { kind: 'block', height: 21, blockHash: at.node.best().hash },
    ]);
    expect(reported(at)).toEqual(['block']);
  });

  test('what the previous watcher reports and saves until it is replaced is kept', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    const before = at.watcher();
    at.restart();
    const { nextEpoch } = at.store;
    at.store.nextEpoch = async () => {
      at.store.nextEpoch = nextEpoch;
      await before.step();
      at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
      return nextEpoch();
    };
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
  });

  test('concurrent polls, verifications and rescans run one after another', async () => {
    const paid = coins(address(0), 5n);
    at.node.mine([paid]);
    await Promise.all([at.step(), at.watcher().rescan({ fromHeight: 21, toHeight: 21 }), at.step()]);
    const orders = at.sink.observations.map(({ order }) => order);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
    expect(reported(at)).toEqual(['block', 'block']);
  });
});
