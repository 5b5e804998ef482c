import { beforeEach, describe, expect, test } from 'vitest';
import { balanceOutputId } from '../../../../../src/chains/evm/outputs/output-id.ts';
import { type TrackedOutput, UnreadableOutputsError } from '../../../../../src/chains/index.ts';
import { RetryableError } from '../../../../../src/platform/errors.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  otherAddress,
  tokens,
} from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, increaseAt, mineEmpty, reported, statusOf } from '../harness.ts';

let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open({ watchKey: address(0), asset: COIN });
  await at.step();
});

/** What payments know of an output; they never know its inputs. */
function outputOf(paid: FakeTransaction, changes: Partial<TrackedOutput> = {}): TrackedOutput {
  return {
    outputId: paid.txid,
    txid: paid.txid,
    watchKey: paid.to ?? '',
    asset: COIN,
    amountBaseUnits: paid.valueWei,
    firstSeenAt: 1_000,
    spends: [],
    ...changes,
  };
}

async function ask(output: TrackedOutput, requiredConfirmations = 1, reportedHeight: number | null = null) {
  await at.watcher().verify({ outputs: [{ output, requiredConfirmations, reportedHeight }] });
  return statusOf(at, output.outputId);
}

const GONE = { kind: 'gone', reason: 'reorged' };

describe('a verification', () => {
  test('confirms at exactly the required depth, not one block earlier', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    mineEmpty(at, 1);
    const mined = { height: 21, blockHash: block.hash };
    expect(await ask(outputOf(paid), 3)).toEqual({ kind: 'block', ...mined });
    mineEmpty(at, 1);
    expect(await ask(outputOf(paid), 3)).toEqual({ kind: 'confirmed', ...mined });
  });

  test('answers for every requested output, also when nothing changed', async () => {
    const both = [coins(address(0), 5n), coins(address(1), 6n)];
    at.node.mine(both);
    await at.step();
    await at.watcher().verify({ outputs: both.map((paid) => ({ output: outputOf(paid), requiredConfirmations: 1 })) });
    expect(reported(at)).toEqual(['block', 'block', 'confirmed', 'confirmed']);
  });

  test('accepts neither another amount nor another recipient than the chain has', async () => {
    const paid = coins(address(0), 500n);
    at.node.mine([paid]);
    await at.step();
    expect(await ask(outputOf(paid, { amountBaseUnits: 501n }))).toMatchObject({ kind: 'gone' });
    expect(await ask(outputOf(paid, { watchKey: address(1) }))).toMatchObject({ kind: 'gone' });
    expect(await ask(outputOf(paid))).toMatchObject({ kind: 'confirmed' });
  });

  test('accepts no log of another index, token or recipient', async () => {
    const paid = tokens('USDT', address(0), 500n);
    const block = at.node.mine([paid]);
    await at.step();
    const outputId = `${paid.txid}:${block.firstLogIndex}`;
    const right = outputOf(paid, { outputId, watchKey: address(0), asset: 'USDT', amountBaseUnits: 500n });
    expect(await ask({ ...right, outputId: `${paid.txid}:7` })).toMatchObject({ kind: 'gone' });
    expect(await ask({ ...right, asset: 'USDC' })).toMatchObject({ kind: 'gone' });
    expect(await ask({ ...right, watchKey: address(1) })).toMatchObject({ kind: 'gone' });
    expect(await ask(right)).toMatchObject({ kind: 'confirmed' });
  });

  test('confirms the amount that arrived of a token with a transfer fee', async () => {
    const paid = tokens('PEPE', address(0), 500n, { keptBaseUnits: 20n });
    const block = at.node.mine([paid]);
    await at.step();
    const outputId = `${paid.txid}:${block.firstLogIndex}`;
    expect(
      await ask(outputOf(paid, { outputId, watchKey: address(0), asset: 'PEPE', amountBaseUnits: 480n })),
    ).toMatchObject({
      kind: 'confirmed',
    });
  });

  test('does not confirm a failed transaction', async () => {
    const paid = coins(address(0), 5n, { fails: true });
    at.node.mine([paid]);
    expect(await ask(outputOf(paid))).toEqual(GONE);
  });

  test('answers that a transaction is pending, lost, or replaced', async () => {
    const paid = coins(address(0), 5n, { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    at.node.setBest(block.parentHash);
    expect(await ask(outputOf(paid))).toEqual({ kind: 'mempool' });
    at.node.drop(paid.txid);
    expect(await ask(outputOf(paid))).toEqual(GONE);
    at.node.submit(paid);
    await ask(outputOf(paid));
    at.node.mine([coins(otherAddress(2), 5n, { from: otherAddress(1), nonce: 0 })]);
    expect(await ask(outputOf(paid))).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('answers that a transaction was replaced although the node still lists it', async () => {
    const paid = coins(address(0), 5n, { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    at.node.keepsReplaced = true;
    at.node.setBest(block.parentHash);
    at.node.mine([coins(otherAddress(2), 5n, { from: otherAddress(1), nonce: 0 })]);
    expect(await ask(outputOf(paid))).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('repeats the more precise reason reported before', async () => {
    const paid = coins(address(0), 5n, { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    const instead = coins(otherAddress(2), 5n, { from: otherAddress(1), nonce: 0 });
    at.node.setBest(at.node.build(block.parentHash, [instead]).hash);
    await at.step();
    expect(await ask(outputOf(paid))).toEqual({ kind: 'gone', reason: 'replaced' });
  });

  test('does not confirm an output that lost its block during the verification', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.beforeCall = (method) => {
      if (method !== 'transactions') return;
      at.node.beforeCall = null;
      at.node.setBest(at.node.build(block.parentHash, []).hash);
    };
    expect(await ask(outputOf(paid))).toEqual({ kind: 'mempool' });
  });

  test('does not confirm an output that lost its block after the last read', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    let requested: string[] = [];
    at.node.beforeCall = (method) => {
      requested = method === 'transactions' ? ['transactions'] : [...requested, method];
      if (requested.join() !== 'transactions,blockHashes,blockHashes') return;
      at.node.beforeCall = null;
      at.node.setBest(at.node.build(block.parentHash, []).hash);
    };
    expect(await ask(outputOf(paid))).toEqual({ kind: 'mempool' });
    expect(reported(at)).not.toContain('confirmed');
  });

  test('does not confirm an output that lost its block although the receipt still names that block', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    const stale = await at.node.receipts([paid.txid]);
    at.node.setBest(at.node.build(at.node.build(block.parentHash, []).hash, []).hash, () => false);
    const { receipts, transactions } = at.node;
    at.node.receipts = async () => stale;
    at.node.transactions = async () => [{ ...paid, blockHash: block.hash }];
    expect(await ask(outputOf(paid))).toEqual(GONE);
    Object.assign(at.node, { receipts, transactions });
  });

  test('polls again when the output is in a block that was not polled yet', async () => {
    const paid = coins(address(0), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash);
    await at.step();
    at.node.beforeCall = (method) => {
      if (method !== 'receipts') return;
      at.node.beforeCall = null;
      at.node.mine();
    };
    expect(await ask(outputOf(paid))).toMatchObject({ kind: 'confirmed', height: 22 });
    expect(at.watcher().status().cursorHeight).toBe(22);
  });

  test('waits for a node that is still loading', async () => {
    const paid = coins(address(0), 5n);
    at.node.mine([paid]);
    await at.step();
    at.node.isSyncing = true;
    await expect(ask(outputOf(paid))).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_SYNCING' });
  });

  test.each([
    ['the poll', 'heads', false],
    ['where the outputs are', 'receipts', true],
  ])(
    'reports, for a node that does not answer %s, whether an output may be the cause',
    async (_, method, mayBeOutput) => {
      const paid = coins(address(0), 5n);
      at.node.mine([paid]);
      await at.step();
      at.node.beforeCall = (called) => {
        if (called === method) throw new RetryableError('NODE_UNREACHABLE', 'no response', { retryAfterMs: 5_000 });
      };
      const failure = await ask(outputOf(paid)).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE', retryAfterMs: 5_000 });
      expect(failure instanceof UnreadableOutputsError).toBe(mayBeOutput);
    },
  );

  test('tracks an output that was scanned before its address was watched, also across a restart', async () => {
    const paid = coins(address(30), 5n);
    const block = at.node.mine([paid]);
    await at.step();
    expect(await ask(outputOf(paid))).toMatchObject({ kind: 'confirmed' });
    at.restart();
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await at.step();
    expect(statusOf(at, paid.txid)).toEqual(GONE);
  });

  test('finds an output that is older than all blocks in memory', async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 3);
    const old = coins(address(0), 5n);
    const block = at.node.mine([old]);
    mineEmpty(at, 40);
    await at.step();
    expect(await ask(outputOf(old), 12, 4)).toEqual({ kind: 'confirmed', height: 4, blockHash: block.hash });
  });
});

describe('a verification of coins sent by contracts', () => {
  const internal = (paid: FakeTransaction, amountBaseUnits: bigint) =>
    outputOf(paid, { outputId: `${paid.txid}:internal:${address(0)}`, watchKey: address(0), amountBaseUnits });

  test('traces the transaction again', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    at.node.mine([paid]);
    await at.step();
    expect(await ask(internal(paid, 9n))).toMatchObject({ kind: 'confirmed' });
    const unseen = contractCoins([{ to: otherAddress(3), valueWei: 9n }]);
    at.node.mine([unseen]);
    expect(await ask(internal(unseen, 9n))).toMatchObject({ kind: 'gone' });
  });

  test('answers with the current amount when another block brought another amount', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const block = at.node.mine([paid], [{ watchKey: address(0), asset: COIN, baseUnits: -4n }]);
    await at.step();
    const { outputId } = internal(paid, 5n);
    expect(at.sink.last(outputId)?.amountBaseUnits).toBe(5n);
    at.node.setBest(at.node.build(block.parentHash, [paid]).hash);
    expect(await ask(internal(paid, 5n))).toMatchObject({ kind: 'confirmed' });
    expect(at.sink.last(outputId)?.amountBaseUnits).toBe(9n);
    const log = tokens('USDT', address(0), 500n);
    const at500 = at.node.mine([log]);
    await at.step();
    const requested = { outputId: `${log.txid}:${at500.firstLogIndex}`, watchKey: address(0), asset: 'USDT' } as const;
    for (const amountBaseUnits of [499n, 501n]) {
      expect(await ask(outputOf(log, { ...requested, amountBaseUnits }))).toMatchObject({ kind: 'confirmed' });
      expect(at.sink.last(requested.outputId)?.amountBaseUnits).toBe(500n);
    }
  });

  test('uses the stored block when the node no longer traces', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    expect(await ask(internal(paid, 9n), 1, 21)).toMatchObject({ kind: 'confirmed', height: 21 });
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    expect(await ask(internal(paid, 9n), 1, 21)).toEqual(GONE);
  });

  test('does not confirm coins next to the balance that showed them in another block, when the node no longer traces', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    at.node.setBest(at.node.build(block.parentHash, [paid]).hash);
    await at.step();
    expect(await ask(internal(paid, 9n), 1, 21)).toEqual(GONE);
    expect(at.live().map(({ outputId }) => outputId)).toEqual([increaseAt(at, 0, 21, block)]);
  });

  test('uses the reported height when nothing else is left', async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 20);
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    at.node.mine([paid]);
    mineEmpty(at, 30);
    await at.step();
    at.node.traces = false;
    expect(await ask(internal(paid, 9n), 1, 21)).toMatchObject({ kind: 'confirmed', height: 21 });
    expect(await ask(internal(paid, 9n), 1, 22)).toEqual(GONE);
  });

  test('of coins known by their balance only uses the block of the increase', async () => {
    at.node.traces = false;
    const block = at.node.mine([contractCoins([{ to: address(0), valueWei: 9n }])]);
    mineEmpty(at, 2);
    await at.step();
    const [seen] = at.live();
    const output = outputOf(coins('', 9n), { outputId: seen?.outputId ?? '', txid: null, watchKey: address(0) });
    expect(await ask(output, 3, 21)).toEqual({ kind: 'confirmed', height: 21, blockHash: block.hash });
    expect(await ask(output, 4, 21)).toMatchObject({ kind: 'block' });
    at.node.setBest(at.node.build(at.node.build(block.parentHash, []).hash, []).hash, () => false);
    expect(await ask(output, 1, 21)).toEqual(GONE);
  });

  test('of coins known by their balance, older than all blocks in memory, uses the block in the store', async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 20);
    at.accounts.open({ watchKey: address(0), asset: COIN });
    await at.step();
    at.node.traces = false;
    const block = at.node.mine([contractCoins([{ to: address(0), valueWei: 9n }])]);
    await at.step();
    mineEmpty(at, 30);
    await at.step();
    const output = outputOf(coins('', 9n), { outputId: increaseAt(at, 0, 21), txid: null, watchKey: address(0) });
    expect(await ask(output, 12, 21)).toEqual({ kind: 'confirmed', height: 21, blockHash: block.hash });
    expect(await ask(output, 12, null)).toMatchObject({ kind: 'confirmed' });
    expect(await ask({ ...output, outputId: increaseAt(at, 0, 22) }, 1, 22)).toEqual(GONE);
    expect(await ask({ ...output, outputId: balanceOutputId(address(0), 99, block.hash) }, 1, 99)).toEqual(GONE);
    // For blocks older than the stored ones, the reported height is the only information.
    const ancient = { ...output, outputId: increaseAt(at, 0, 4) };
    expect(await ask(ancient, 1, 4)).toMatchObject({ kind: 'confirmed', height: 4 });
    expect(await ask(ancient, 1, null)).toEqual(GONE);
    const stale = { ...output, outputId: balanceOutputId(address(0), 4, block.hash) };
    expect(await ask(stale, 1, 4)).toEqual(GONE);
  });

  test('answers with the amount recorded now, not with the requested one', async () => {
    at.node.traces = false;
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    at.node.mine([paid]);
    await at.step();
    const output = outputOf(paid, {
      outputId: increaseAt(at, 0, 21),
      txid: null,
      watchKey: address(0),
      amountBaseUnits: 13n,
    });
    expect(await ask(output, 1, 21)).toMatchObject({ kind: 'confirmed' });
    expect(at.sink.last(output.outputId)?.amountBaseUnits).toBe(9n);
  });

  test('does not confirm coins of a decreased balance by another block at that height, however long ago', async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 20);
    at.accounts.open({ watchKey: address(0), asset: COIN });
    await at.step();
    at.node.traces = false;
    const block = at.node.mine([contractCoins([{ to: address(0), valueWei: 9n }])]);
    await at.step();
    let branch = at.node.block(block.parentHash);
    for (let length = 0; length < 21; length += 1) branch = at.node.build(branch.hash, []);
    at.node.setBest(branch.hash, () => false);
    await at.step();
    at.restart();
    const output = outputOf(coins('', 9n), { outputId: increaseAt(at, 0, 21), txid: null, watchKey: address(0) });
    expect(await ask(output, 1, 21)).toEqual(GONE);
  });

  test('does not confirm coins next to a later balance that showed them, after a crash and without the state of their block', async () => {
    at = createEvmHarness({ historyBlocks: 5 });
    mineEmpty(at, 20);
    at.accounts.open({ watchKey: address(0), asset: COIN });
    await at.step();
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const block = at.node.mine([paid]);
    at.sink.failAt = (point) => {
      if (point === 'after accept') throw new Error('power cut');
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.sink.failAt = null;
    mineEmpty(at, 8);
    at.node.stateBlocks = 1;
    await at.step();
    mineEmpty(at, 8);
    await at.step();
    expect(await ask(internal(paid, 9n), 1, 21)).toEqual(GONE);
    expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual([
      [increaseAt(at, 0, 29, block), 9n],
    ]);
  });

  test('of coins meanwhile reported by a later balance counts them once', async () => {
    // The state of the blocks in between was unavailable: the increase was seen only at the head.
    const paid = contractCoins([{ to: address(0), valueWei: 9n }]);
    const first = at.node.mine([paid]);
    await at.step();
    at.node.stateBlocks = 1;
    at.node.setBest(first.parentHash);
    await at.step();
    at.node.mine();
    mineEmpty(at, 12);
    await at.step();
    expect(at.live().map(({ outputId }) => outputId)).toEqual([increaseAt(at, 0, 33, first)]);
    await ask(internal(paid, 9n), 1, 21);
    expect(at.live().map(({ outputId, amountBaseUnits }) => [outputId, amountBaseUnits])).toEqual([
      [`${paid.txid}:internal:${address(0)}`, 9n],
    ]);
    expect(at.drops).toEqual([]);
  });
});

test.each(['balance:0xabc:soon:0123456789abcdef', 'balance:0xabc:4'])(
  'rejects the id %s, which no account watcher issues',
  async (outputId) => {
    await expect(ask(outputOf(coins(address(0), 1n), { outputId }))).rejects.toThrow(RangeError);
  },
);

test('the warning about an output without a response ends when it has not been verified again for half an hour', async () => {
  const { receipts } = at.node;
  let lacks = false;
  at.node.receipts = async (txids) => (lacks ? txids.map(() => null) : receipts(txids));
  at.restart();
  const paid = coins(address(0), 5n);
  const block = at.node.mine([paid]);
  await at.step();
  const isWarned = () => at.watcher().status().warnings.join().includes('Payments in ETH cannot be confirmed');
  lacks = true;
  await ask(outputOf(paid), 3);
  at.node.timeSeconds += 1_200;
  await ask(outputOf(paid), 3);
  at.node.timeSeconds += 1_200;
  expect(isWarned()).toBe(true);
  lacks = false;
  at.node.setBest(at.node.build(at.node.build(block.parentHash, []).hash, []).hash, () => false);
  await at.step();
  expect(statusOf(at, paid.txid)).toEqual(GONE);
  at.node.timeSeconds += 600;
  expect(isWarned()).toBe(false);
});

describe('a payment in a token that is no longer read', () => {
  const gone = () => at.sink.observations.filter(({ status }) => status.kind === 'gone');

  /** Pays in USDC and in ether in one block, and starts again without USDC. */
  async function stopReading() {
    at.accounts.open({ watchKey: address(0), asset: 'USDC' }, true);
    await at.step();
    const paid = tokens('USDC', address(0), 9n);
    const block = at.node.mine([paid, coins(address(0), 5n)]);
    await at.step();
    const seen = at.sink.observations.filter(({ status }) => status.kind === 'block');
    expect(seen.map(({ asset }) => asset).toSorted()).toEqual([COIN, 'USDC']);
    const { receipts, tokenTransfers } = at.node;
    at.node.receipts = async (txids) => (await receipts(txids)).map((each) => each && { ...each, tokenTransfers: [] });
    at.node.tokenTransfers = async () => [];
    at.node.readsToken = () => false;
    at.node.silentTokens.add('USDC');
    at.restart();
    const readAgain = () => {
      Object.assign(at.node, { receipts, tokenTransfers, readsToken: () => true });
      at.node.silentTokens.clear();
      at.restart();
    };
    const requested = seen.map((each) => {
      return { output: { ...each, spends: [] }, requiredConfirmations: 3, reportedHeight: block.height };
    });
    return { paid, block, requested, readAgain };
  }

  test('is neither confirmed nor gone, with a warning, and the others verified with it are answered', async () => {
    const { requested, readAgain } = await stopReading();
    mineEmpty(at, 5);
    for (const moreBlocks of [0, 1_000]) {
      mineEmpty(at, moreBlocks);
      await at.step();
      const before = at.sink.observations.length;
      await at.watcher().verify({ outputs: requested });
      const responses = at.sink.observations.slice(before);
      expect(responses.map(({ asset, status }) => [asset, status.kind])).toEqual([[COIN, 'confirmed']]);
    }
    expect(at.watcher().status().warnings.join()).toContain('Payments in USDC cannot be confirmed');
    expect(gone()).toEqual([]);

    readAgain();
    await at.step();
    await at.watcher().verify({ outputs: requested });
    const last = at.sink.observations.findLast(({ asset }) => asset === 'USDC');
    expect(last?.status.kind).toBe('confirmed');
    expect(at.watcher().status().warnings.join()).not.toContain('cannot be confirmed');
  });

  test('is not gone when its block is reorged out, and is found again when the token is read again', async () => {
    const { paid, block, readAgain } = await stopReading();
    await at.step();
    const moved = at.node.build(at.node.build(block.parentHash, []).hash, [paid]);
    at.node.setBest(at.node.build(moved.hash, []).hash, () => false);
    await at.step();
    expect(gone().map(({ asset }) => asset)).toEqual([COIN]);
    readAgain();
    await at.step();
    // Its log has another index in that block, and so the output another id.
    expect(at.live().filter(({ asset }) => asset === 'USDC')).toMatchObject([
      { amountBaseUnits: 9n, status: { kind: 'block', blockHash: moved.hash } },
    ]);
  });
});
