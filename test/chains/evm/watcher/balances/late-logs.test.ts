import { beforeEach, describe, expect, test } from 'vitest';
import { OVERLAP_BLOCKS } from '../../../../../src/chains/evm/outputs/read-batch.ts';
import { UnreadableOutputsError } from '../../../../../src/chains/index.ts';
import { RetryableError } from '../../../../../src/platform/errors.ts';
import { address, COIN, coins, contractCoins, otherAddress, tokens } from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty, reported, statusOf } from '../harness.ts';

/** Providers omit the logs of recent blocks without reporting it. */

const account = { watchKey: address(0), asset: 'USDT' } as const;
let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
});

function hideLogs(): void {
  at.node.hidesLog = () => true;
}

function showLogs(): void {
  at.node.hidesLog = null;
}

describe('a log that arrives after its block', () => {
  test.each([1, OVERLAP_BLOCKS])(
    'is found when its block is the newest but %i, with its block and its time',
    async (depth) => {
      at.accounts.close(account);
      const paid = tokens('USDT', address(0), 7n);
      const block = at.node.mine([paid]);
      hideLogs();
      await at.step();
      expect(reported(at)).toEqual([]);
      mineEmpty(at, depth - 1);
      await at.step();
      showLogs();
      await at.step();
      await at.step();
      expect(reported(at)).toEqual(['block']);
      const outputId = `${paid.txid}:${block.firstLogIndex}`;
      expect(statusOf(at, outputId)).toEqual({ kind: 'block', height: 21, blockHash: block.hash });
      expect(at.sink.last(outputId)?.firstSeenAt).toBe(block.timeSeconds * 1000);
      expect(at.store.blocks().find(({ height }) => height === 21)?.outputs).toHaveLength(1);
    },
  );

  test('is tracked from then on, also across a restart', async () => {
    const paid = tokens('USDT', address(0), 7n);
    const block = at.node.mine([paid]);
    hideLogs();
    await at.step();
    showLogs();
    await at.step();
    at.restart();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(reported(at)).toEqual(['block', 'gone:reorged']);
  });

  test('is not lost by a crash just after it was reported', async () => {
    const paid = tokens('USDT', address(0), 7n);
    at.node.mine([paid]);
    hideLogs();
    await at.step();
    showLogs();
    at.sink.failAt = (point) => {
      if (point === 'after accept') throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.sink.failAt = null;
    at.restart();
    mineEmpty(at, 9);
    await at.step();
    expect(reported(at)).toEqual(['block', 'block']);
    expect(at.store.blocks().find(({ height }) => height === 21)?.outputs).toHaveLength(1);
  });

  test('holds the watermark of an open account until it arrives', async () => {
    at.node.mine([tokens('USDT', address(0), 7n)]);
    hideLogs();
    const before = at.store.syncedUntil();
    await at.step();
    expect(at.store.syncedUntil()).toBe(before);
    showLogs();
    await at.step();
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(reported(at)).toEqual(['block']);
  });

  test('holds the watermark also while the balance that shows it cannot be read, but not forever', async () => {
    at.node.mine([tokens('USDT', address(0), 7n)]);
    hideLogs();
    const before = at.store.syncedUntil();
    await at.step();
    at.node.silentTokens.add('USDT');
    for (let blocks = 0; blocks < 4; blocks += 1) {
      mineEmpty(at, 1);
      await at.step();
      expect(at.store.syncedUntil()).toBe(before);
    }
    mineEmpty(at, 1);
    await at.step();
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });

  test('is found far below the newest blocks while a balance shows that it is missing', async () => {
    at.node.mine([tokens('USDT', address(0), 7n)]);
    hideLogs();
    await at.step();
    mineEmpty(at, 30);
    await at.step();
    expect(reported(at)).toEqual([]);
    showLogs();
    await at.step();
    expect(reported(at)).toEqual(['block']);
  });

  test.each([
    ['of the open payment', false],
    ['of a payment that has closed meanwhile', true],
  ])('is searched for as long as its block is in memory: %s', async (_, closes) => {
    const paid = tokens('USDT', address(0), 7n);
    const block = at.node.mine([paid]);
    hideLogs();
    await at.step();
    if (closes) at.accounts.close(account);
    await at.step();
    mineEmpty(at, 500);
    await at.step();
    expect(reported(at)).toEqual([]);
    expect(at.watcher().status().warnings).toEqual([expect.stringContaining('a payment may be missing')]);
    showLogs();
    mineEmpty(at, 20);
    await at.step();
    expect(reported(at)).toEqual(['block']);
    expect(at.sink.last(`${paid.txid}:${block.firstLogIndex}`)?.firstSeenAt).toBe(block.timeSeconds * 1000);
    await at.step();
    expect(at.watcher().status().warnings).toEqual([]);
    expect(at.drops).toEqual([]);
  });

  test.each([0, 1])('is searched for until all are found, of a payment that closes once %i are', async (before) => {
    const logs = [tokens('USDT', address(0), 7n), tokens('USDT', address(0), 7n, { from: otherAddress(2), nonce: 0 })];
    at.node.mine(logs);
    hideLogs();
    await at.step();
    mineEmpty(at, 200);
    for (const [index, { txid }] of logs.entries()) {
      if (index === before) at.accounts.close(account);
      at.node.hidesLog = (transfer) => index === 0 && transfer.txid !== txid;
      mineEmpty(at, 20);
      await at.step();
      expect(at.live()).toHaveLength(index + 1);
    }
  });

  test('is searched for also after polls that failed, and at the second endpoint', async () => {
    at.node.mine([tokens('USDT', address(0), 7n)]);
    hideLogs();
    await at.step();
    at.accounts.close(account);
    mineEmpty(at, 200);
    at.node.beforeCall = () => {
      throw new RetryableError('NODE_UNREACHABLE', 'down');
    };
    await expect(at.step()).rejects.toThrow('down');
    at.node.beforeCall = null;
    const { tokenTransfers } = at.node.second;
    at.node.second.tokenTransfers = async (range) => {
      showLogs();
      const transfers = await tokenTransfers(range);
      hideLogs();
      return transfers;
    };
    await at.step();
    expect(reported(at)).toEqual(['block']);
  });

  test('is searched for again when what was found could not be saved', async () => {
    at.node.mine([tokens('USDT', address(0), 7n)]);
    hideLogs();
    await at.step();
    at.accounts.close(account);
    mineEmpty(at, 200);
    await at.step();
    showLogs();
    mineEmpty(at, 20);
    at.store.crashAt = () => {
      throw new Error('no database');
    };
    await expect(at.step()).rejects.toThrow('no database');
    at.store.crashAt = null;
    mineEmpty(at, 20);
    await at.step();
    expect(at.live()).toHaveLength(1);
  });

  test('is searched for without stopping a poll when the search fails', async () => {
    at.node.second.tokenTransfers = () => Promise.reject(new RetryableError('NODE_UNREACHABLE', 'down'));
    at.node.mine([tokens('USDT', address(0), 7n)]);
    hideLogs();
    await at.step();
    mineEmpty(at, 20);
    await at.step();
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(reported(at)).toEqual([]);
  });

  test('is not searched for in every poll, nor while nothing is missing', async () => {
    const searches: number[] = [];
    const { tokenTransfers } = at.node.second;
    at.node.second.tokenTransfers = (range) => {
      searches.push(range.end.height);
      return tokenTransfers(range);
    };
    mineEmpty(at, 20);
    await at.step();
    expect(searches).toEqual([]);
    at.node.mine([], [{ ...account, baseUnits: 50n }]);
    await at.step();
    for (let blocks = 0; blocks < 10; blocks += 1) {
      mineEmpty(at, 1);
      await at.step();
    }
    expect(searches).toHaveLength(1);
  });

  test('never arrives for coins without one: the network is polled all the same, and nothing is credited', async () => {
    at.node.mine([], [{ ...account, baseUnits: 50n }]);
    await at.step();
    const held = at.store.syncedUntil();
    at.node.timeSeconds += 61;
    await at.step();
    expect(at.store.syncedUntil()).toBeGreaterThan(held ?? 0);
    expect(at.sink.observations).toEqual([]);
    expect(await expected()).toBe(0n);
  });

  test('is not missed for a payment moved by a reorg: its receipt proves that it is still paid', async () => {
    const paid = tokens('USDT', address(0), 7n, { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    hideLogs();
    const again = at.node.build(at.node.build(block.parentHash, []).hash, [coins(otherAddress(5), 1n), paid]);
    at.node.setBest(again.hash);
    await at.step();
    expect(reported(at)).toContain('block');
    expect(at.live().map(({ status }) => status)).toEqual([{ kind: 'block', height: 22, blockHash: again.hash }]);
  });
});

describe('a payment moved by a reorg to a block whose logs and receipts arrive late', () => {
  test.each([
    ['a token', true, 1],
    ['a token', false, 1],
    ['a token', false, 15],
    ['a contract', false, 1],
  ])('is not gone: paid by %s, account open: %s, %i blocks later', async (way, isOpen, blocks) => {
    let lags = false;
    const { receipts, transactions } = at.node;
    at.node.receipts = async (txids) => (lags ? txids.map(() => null) : receipts(txids));
    at.node.transactions = async (txids) => (lags ? txids.map(() => null) : transactions(txids));
    at.restart();
    const asset = way === 'a token' ? 'USDT' : COIN;
    at.accounts.open({ watchKey: address(0), asset });
    await at.step();
    const paid = way === 'a token' ? tokens('USDT', address(0), 7n) : contractCoins([{ to: address(0), valueWei: 7n }]);
    const block = at.node.mine([paid]);
    await at.step();
    expect(reported(at)).toEqual(['block']);
    if (!isOpen) at.accounts.close({ watchKey: address(0), asset });
    const moved = at.node.build(at.node.build(block.parentHash, []).hash, [paid]);
    let head = moved;
    for (let above = 0; above < blocks; above += 1) head = at.node.build(head.hash, []);
    at.node.setBest(head.hash, () => false);
    const before = at.store.syncedUntil();
    lags = true;
    hideLogs();
    await at.step();
    await at.step();
    expect(reported(at)).toEqual(['block']);
    expect(at.store.syncedUntil()).toBe(before);
    lags = false;
    showLogs();
    await at.step();
    // The log has another index in the new block, so the output gets another id: first the new one.
    const renamed = way === 'a token' ? ['gone:reorged'] : [];
    expect(reported(at)).toEqual(['block', 'block', ...renamed]);
    expect(at.live()).toMatchObject([{ amountBaseUnits: 7n, status: { kind: 'block', blockHash: moved.hash } }]);
  });
});

describe('an outgoing transfer whose log arrives late', () => {
  beforeEach(async () => {
    at.node.mine([tokens('USDT', address(0), 100n)]);
    await at.step();
  });

  const sent = () => tokens('USDT', otherAddress(3), 40n, { from: address(0) });

  test('is no drop', async () => {
    at.node.mine([{ ...sent(), from: otherAddress(2) }]);
    hideLogs();
    await at.step();
    expect(await expected()).toBe(100n);
    at.node.timeSeconds += 59;
    await at.step();
    showLogs();
    at.node.timeSeconds += 59;
    await at.step();
    expect(at.drops).toEqual([]);
    expect(await expected()).toBe(60n);
  });

  test('is no drop when its block arrived during a poll', async () => {
    hideLogs();
    at.node.beforeCall = () => {
      at.node.beforeCall = null;
      mineEmpty(at, 3);
      at.node.mine([{ ...sent(), from: otherAddress(2) }]);
    };
    await at.step();
    at.node.timeSeconds += 20;
    await at.step();
    showLogs();
    await at.step();
    expect(at.drops).toEqual([]);
    expect(await expected()).toBe(60n);
  });

  test('is no drop when another log was late already', async () => {
    const first = at.node.mine([{ ...sent(), from: otherAddress(2) }]);
    hideLogs();
    await at.step();
    at.node.timeSeconds += 28;
    const second = at.node.mine([{ ...sent(), from: otherAddress(2) }]);
    at.node.hidesLog = ({ height }) => height === second.height;
    await at.step();
    at.node.timeSeconds += 30;
    expect(at.node.timeSeconds - first.timeSeconds).toBeGreaterThan(60);
    await at.step();
    showLogs();
    await at.step();
    expect(at.drops).toEqual([]);
    expect(await expected()).toBe(20n);
  });

  test('is no drop when a log arrives with it that a balance read after a reorganisation already counts', async () => {
    hideLogs();
    const paid = at.node.mine([tokens('USDT', address(0), 500n)]);
    mineEmpty(at, 1);
    await at.step();
    at.node.setBest(at.node.build(paid.hash, [{ ...sent(), from: otherAddress(2) }]).hash);
    await at.step();
    showLogs();
    await at.step();
    at.node.timeSeconds += 601;
    await at.step();
    expect(at.drops).toEqual([]);
    expect(await expected()).toBe(560n);
  });

  test('is no drop after a restart either, although it is unknown then which logs were counted', async () => {
    at.node.mine([{ ...sent(), from: otherAddress(2) }]);
    await at.step();
    for (let restarts = 0; restarts < 3; restarts += 1) {
      at.restart();
      await at.step();
      expect(await expected()).toBe(60n);
    }
    expect(at.drops).toEqual([]);
  });

  test('does not cut a payment of the same block permanently', async () => {
    const block = at.node.mine([{ ...sent(), from: otherAddress(2) }, tokens('USDT', address(0), 50n)]);
    at.node.hidesLog = ({ from }) => from === address(0);
    await at.step();
    const outputId = `${block.transactions[1]?.txid}:${block.firstLogIndex + 1}`;
    expect(at.sink.last(outputId)?.amountBaseUnits).toBe(10n);
    showLogs();
    await at.step();
    expect(at.sink.last(outputId)?.amountBaseUnits).toBe(50n);
    expect(await expected()).toBe(110n);
    expect(at.drops).toEqual([]);
  });

  test('that was present before and is missing again proves nothing about a payment of its block', async () => {
    const block = at.node.mine([
      { ...sent(), from: otherAddress(2) },
      tokens('USDT', address(0), 50n),
      tokens('USDT', address(0), 5n),
    ]);
    at.node.hidesLog = ({ logIndex }) => logIndex === block.firstLogIndex + 2;
    await at.step();
    const amounts = () => at.live().map(({ amountBaseUnits }) => amountBaseUnits);
    expect(amounts()).toEqual([100n, 50n]);
    at.node.hidesLog = ({ from }) => from === address(0);
    await at.step();
    expect(amounts()).toEqual([100n, 50n]);
    showLogs();
    await at.step();
    expect(amounts()).toEqual([100n, 50n, 5n]);
    expect(reported(at)).toEqual(['block', 'block', 'block']);
  });
});

test('an arrival that turns out smaller once balances can be read again is no drop', async () => {
  const taxed = { watchKey: address(0), asset: 'PEPE' } as const;
  at.accounts.open(taxed);
  await at.step();
  at.node.silentTokens.add('PEPE');
  at.node.mine([tokens('PEPE', address(0), 100n, { keptBaseUnits: 1n })]);
  await at.step();
  at.node.silentTokens.delete('PEPE');
  at.restart();
  await at.step();
  at.node.timeSeconds += 601;
  await at.step();
  expect(at.drops).toEqual([]);
  expect(at.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([99n]);
});

test('vanished tokens are reported as a drop once no log can be late any more, and only once', async () => {
  at.node.mine([tokens('USDT', address(0), 100n)]);
  await at.step();
  at.node.mine([], [{ ...account, baseUnits: -30n }]);
  const before = at.store.syncedUntil();
  await at.step();
  expect(at.drops).toEqual([]);
  expect(at.store.syncedUntil()).toBe(before);
  at.node.timeSeconds += 60;
  await at.step();
  await at.step();
  const { height, hash: blockHash } = at.node.best();
  const lost = { missingBaseUnits: 30n, expectedBaseUnits: 100n };
  expect(at.drops).toEqual([{ network: 'fake-evm', ...account, ...lost, height, blockHash }]);
  expect(await expected()).toBe(70n);
  expect(at.store.syncedUntil()).toBeGreaterThan(before ?? 0);
});

test('a drop that is reported again in a later block, because the first report could not be saved, has the same id', async () => {
  at.node.mine([tokens('USDT', address(0), 100n)]);
  await at.step();
  at.node.mine([], [{ ...account, baseUnits: -30n }]);
  await at.step();
  at.node.timeSeconds += 60;
  at.dropsFailAt((point) => {
    if (point === 'after drops') throw new Error('broker away');
  });
  await expect(at.step()).rejects.toThrow('broker away');
  at.dropsFailAt(null);
  for (let poll = 0; poll < 2; poll += 1) {
    mineEmpty(at, 1);
    await at.step();
    at.node.timeSeconds += 60;
  }
  const [first, again] = at.drops;
  expect(at.drops).toHaveLength(2);
  expect(again?.height).not.toBe(first?.height);
  const same = { expectedBaseUnits: 100n, missingBaseUnits: 30n };
  expect(at.drops).toMatchObject([same, same]);
});

test('tokens that change continually without a log hold the network for some minutes, but not forever', async () => {
  const before = at.store.syncedUntil() ?? 0;
  const passed = () => (at.store.syncedUntil() ?? 0) > before;
  for (let minutes = 0; minutes < 20 && !passed(); minutes += 1) {
    at.node.mine([], [{ ...account, baseUnits: 1n }]);
    at.node.timeSeconds += 48;
    await at.step();
    expect(passed(), `${minutes} minutes`).toBe(minutes >= 10);
  }
  expect(passed()).toBe(true);
  expect(at.drops).toEqual([]);
});

async function expected(): Promise<bigint | null | undefined> {
  return (await at.accounts.openAccounts()).find(({ asset }) => asset === 'USDT')?.expectedBaseUnits;
}

test.each([
  [9, ''],
  [15, ''],
  [9, ' and a verification could not read its output'],
])(
  'a log that arrives %i blocks late is found although the payment expired meanwhile%s',
  async (lateBlocks, verifies) => {
    const own = createEvmHarness({ params: { staleAfterMs: 600_000 } });
    const account = { watchKey: address(0), asset: 'USDT' } as const;
    mineEmpty(own, 20);
    own.accounts.open(account, true);
    await own.step();
    own.node.hidesLog = () => true;
    const { timeSeconds } = own.node.mine([tokens('USDT', address(0), 9n)]);
    const expiresAt = timeSeconds * 1_000 + 5_000;
    for (let blocks = 1; blocks <= lateBlocks + 5; blocks += 1) {
      if (blocks === lateBlocks) own.node.hidesLog = null;
      mineEmpty(own, 1);
      await own.step();
      if ((own.watcher().status().syncedUntil ?? 0) <= expiresAt) continue;
      // An expired payment in a token is not open.
      own.accounts.close(account);
      if (verifies !== '') await failToVerify(own);
    }
    expect(own.live().map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([9n]);
  },
);

async function failToVerify(own: EvmHarness): Promise<void> {
  const { txid } = coins(address(1), 5n);
  const paid = { watchKey: address(1), asset: COIN, amountBaseUnits: 5n, firstSeenAt: 1, spends: [] };
  own.node.beforeCall = (method) => {
    if (method === 'receipts') throw new RetryableError('NODE_RESPONSE_UNUSABLE', 'internal error');
  };
  const outputs = [{ output: { outputId: txid, txid, ...paid }, requiredConfirmations: 1 }];
  await expect(own.watcher().verify({ outputs })).rejects.toThrow(UnreadableOutputsError);
  own.node.beforeCall = null;
}
