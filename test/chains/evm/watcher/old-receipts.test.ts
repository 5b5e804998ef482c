import { describe, expect, test } from 'vitest';
import { seenBaseUnits } from '../../../../machines/index.ts';
import { UnreadableOutputsError, type VerifyRequest } from '../../../../src/chains/index.ts';
import { RetryableError, TerminalError } from '../../../../src/platform/errors.ts';
import { address, COIN, coins, type FakeBlock, type FakeTransaction } from '../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty, statusOf } from './harness.ts';
import { openNotifiedPayment, passTimers } from './verify/notified-payment.ts';

/** Nodes drop old receipts, or do not index old transactions, and keep the blocks. */

const MEMORY_BLOCKS = 100;
/** The store of the service keeps 2,000 blocks, and a payment may need 3,600 confirmations. */
const STORED_BLOCKS = 200;

interface Arranged {
  readonly at: EvmHarness;
  readonly old: FakeTransaction;
  /** What the node does not have of `old`. */
  readonly lacks: { receipt: boolean; transaction: boolean };
}

async function arrange(): Promise<Arranged> {
  const at = createEvmHarness({ historyBlocks: MEMORY_BLOCKS, params: { staleAfterMs: 600_000 } });
  const { loadRecentBlocks, loadCursor } = at.store;
  at.store.loadRecentBlocks = async (limit) => {
    const oldest = ((await loadCursor())?.height ?? 0) - STORED_BLOCKS;
    return (await loadRecentBlocks(limit)).filter(({ height }) => height > oldest);
  };
  const old = coins(address(0), 9n);
  const lacks = { receipt: false, transaction: false };
  const { receipts, transactions } = at.node;
  at.node.receipts = async (txids) =>
    (await receipts(txids)).map((each, index) => (lacks.receipt && txids[index] === old.txid ? null : each));
  at.node.transactions = async (txids) =>
    (await transactions(txids)).map((each, index) => (lacks.transaction && txids[index] === old.txid ? null : each));
  // The watcher copies the methods of its node.
  at.restart();
  mineEmpty(at, 20);
  at.accounts.open({ watchKey: address(0), asset: COIN }, true);
  await at.step();
  return { at, old, lacks };
}

/** Mines `old`, and more blocks than the store keeps. */
async function payLongAgo({ at, old }: Arranged): Promise<FakeBlock> {
  const block = at.node.mine([old]);
  await at.step();
  mineEmpty(at, STORED_BLOCKS + MEMORY_BLOCKS);
  at.restart();
  await at.step();
  await at.step();
  expect((await at.store.loadRecentBlocks(1_000)).at(-1)?.height).toBeGreaterThan(block.height);
  return block;
}

type OutputToVerify = VerifyRequest['outputs'][number];

function ask({ txid, valueWei, to }: FakeTransaction, { height, timeSeconds }: FakeBlock): OutputToVerify {
  const paid = { watchKey: to ?? '', asset: COIN, amountBaseUnits: valueWei, firstSeenAt: timeSeconds * 1_000 };
  return { requiredConfirmations: 3, reportedHeight: height, output: { outputId: txid, txid, spends: [], ...paid } };
}

describe('a payment in a block older than every record, whose receipt the node lacks', () => {
  test.each([
    ['the block has it', (): void => {}],
    [
      'the block is pruned',
      (): never => {
        throw new TerminalError('NODE_PRUNED', 'answered pruned history unavailable');
      },
    ],
    [
      'the block is pruned at all of several endpoints',
      (): never => {
        throw new RetryableError('NODE_PRUNED', 'answered pruned history unavailable');
      },
    ],
  ])('is neither gone nor confirmed, with a warning, where %s', async (_, readBlock) => {
    const arranged = await arrange();
    const { at, old, lacks } = arranged;
    const block = await payLongAgo(arranged);
    Object.assign(lacks, { receipt: true, transaction: true });
    at.node.beforeCall = (method) => {
      if (method === 'blocks') readBlock();
    };
    const before = at.sink.observations.length;
    await at.watcher().verify({ outputs: [ask(old, block)] });
    expect(at.sink.observations.slice(before)).toEqual([]);
    expect(at.watcher().status().warnings.join()).toContain('Payments in ETH cannot be confirmed');
    Object.assign(lacks, { receipt: false, transaction: false });
    await at.watcher().verify({ outputs: [ask(old, block)] });
    expect(statusOf(at, old.txid)).toEqual({ kind: 'confirmed', height: block.height, blockHash: block.hash });
  });

  test('is gone if the block at its height does not contain it', async () => {
    const arranged = await arrange();
    const { at, old, lacks } = arranged;
    const block = await payLongAgo(arranged);
    Object.assign(lacks, { receipt: true, transaction: true });
    const above = at.node.bestBranch()[block.height + 1] ?? block;
    await at.watcher().verify({ outputs: [ask(old, above)] });
    expect(statusOf(at, old.txid)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('does not fail: it completes when a machine that has the receipt answers', async () => {
    const { at, old, lacks } = await arrange();
    const confirmationsRequired = STORED_BLOCKS + 20;
    const payment = openNotifiedPayment({
      dueBaseUnits: '9',
      confirmationsRequired,
      windowMs: 1_800_000,
      observations: at.sink.observations,
      watcher: at.watcher,
      now: at.clock.now,
    });
    at.node.mine([old]);
    for (let mined = 0; mined < confirmationsRequired + 5; mined += 5) {
      const isOld = mined >= STORED_BLOCKS;
      Object.assign(lacks, { receipt: isOld, transaction: isOld });
      mineEmpty(at, 5);
      await at.step();
      payment.receive();
      await passTimers(at, payment);
      expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
    }
    expect(payment.run.view().leaf).toBe('confirming');
    Object.assign(lacks, { receipt: false, transaction: false });
    for (let minute = 0; minute < 40; minute += 1) {
      mineEmpty(at, 5);
      await at.step();
      payment.receive();
      await passTimers(at, payment);
    }
    expect(payment.run.view().leaf).toBe('completed');
  });
});

describe('payments verified together with an old one whose transaction the node has, but not its receipt', () => {
  async function payBoth() {
    const arranged = await arrange();
    const oldBlock = await payLongAgo(arranged);
    const { at, lacks } = arranged;
    const paid = coins(address(1), 5n);
    const block = at.node.mine([paid]);
    mineEmpty(at, 3);
    lacks.receipt = true;
    return { ...arranged, oldBlock, paid, block, before: at.sink.observations.length };
  }

  test('are all confirmed, and the old one waits', async () => {
    const { at, old, oldBlock, paid, block, before } = await payBoth();
    await at.watcher().verify({ outputs: [ask(old, oldBlock), ask(paid, block)] });
    const found = at.sink.observations.slice(before).filter(({ status }) => status.kind === 'confirmed');
    expect(found.map(({ outputId }) => outputId)).toEqual([paid.txid]);
    expect(statusOf(at, old.txid)?.kind).toBe('block');
  });

  test('are confirmed when its block is unknown, and it gets no response', async () => {
    const { at, old, oldBlock, paid, block, before } = await payBoth();
    await at.watcher().verify({ outputs: [{ ...ask(old, oldBlock), reportedHeight: null }, ask(paid, block)] });
    expect(at.sink.observations.slice(before).map(({ outputId }) => outputId)).not.toContain(old.txid);
    expect(statusOf(at, paid.txid)?.kind).toBe('confirmed');
  });
});

test('a node that still names the reorged-out block of one transaction blocks no other payment', async () => {
  const at = createEvmHarness({ params: { staleAfterMs: 600_000 } });
  mineEmpty(at, 20);
  for (const owner of [0, 1]) at.accounts.open({ watchKey: address(owner), asset: COIN }, true);
  await at.step();
  const { hash: fork } = at.node.best();
  const lost = coins(address(0), 9n);
  at.node.mine([lost]);
  await at.step();
  const [named] = await at.node.transactions([lost.txid]);
  const { transactions } = at.node;
  at.node.transactions = async (txids) =>
    (await transactions(txids)).map((each, index) => (txids[index] === lost.txid ? (named ?? null) : each));
  at.restart();
  at.node.setBest(at.node.build(at.node.build(fork, []).hash, []).hash, () => false);
  const syncedUntil = at.store.syncedUntil() ?? 0;
  const paid = coins(address(1), 5n);
  const block = at.node.mine([paid]);
  mineEmpty(at, 3);
  await at.step();
  expect(at.store.syncedUntil()).toBeGreaterThan(syncedUntil);
  await at.watcher().verify({ outputs: [ask(lost, block), ask(paid, block)] });
  expect(statusOf(at, paid.txid)?.kind).toBe('confirmed');
  expect(statusOf(at, lost.txid)?.kind, 'neither gone nor confirmed').toBe('block');
  at.node.transactions = transactions;
  at.restart();
  mineEmpty(at, 1);
  await at.step();
  expect(statusOf(at, lost.txid)?.kind).toBe('gone');
});

test('a verification whose tip moves in every round is retried as a whole', async () => {
  const { at, old } = await arrange();
  const block = at.node.mine([old]);
  mineEmpty(at, 3);
  await at.step();
  at.node.beforeCall = (method) => {
    if (method === 'receipts') at.node.setBest(at.node.build(at.node.best().parentHash, []).hash);
  };
  const failure = await at
    .watcher()
    .verify({ outputs: [ask(old, block)] })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'RetryableError', code: 'TIP_MOVED' });
  expect(failure instanceof UnreadableOutputsError).toBe(false);
});
