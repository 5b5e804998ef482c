import { beforeEach, expect, test } from 'vitest';
import { type TrackedOutput, UnreadableOutputsError } from '../../../src/chains/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { payment, script } from '../../support/nodes/fake-utxo-node.ts';
import type { BuiltTransaction } from '../support/raw-builder.ts';
import { createWatcherHarness, WATCHED_KEYS, type WatcherHarness } from '../support/watcher-harness.ts';

const UNWATCHED = WATCHED_KEYS + 1;
let at: WatcherHarness;

beforeEach(async () => {
  at = createWatcherHarness();
  for (let mined = 0; mined < 20; mined += 1) at.node.mine([]);
  await at.step();
});

function outputOf(paid: BuiltTransaction): TrackedOutput {
  const [first] = paid.outputs;
  return {
    outputId: `${paid.txid}:0`,
    txid: paid.txid,
    watchKey: first?.scriptHex ?? '',
    asset: 'BTC',
    amountBaseUnits: first?.valueBaseUnits ?? 0n,
    firstSeenAt: 1_000,
    spends: paid.spends,
  };
}

async function ask(output: TrackedOutput, requiredConfirmations: number, reportedHeight: number | null = null) {
  await at.watcher().verify({ outputs: [{ output, requiredConfirmations, reportedHeight }] });
  return at.sink.last(output.outputId)?.status;
}

test('rule 19: an output is confirmed at exactly the required depth, not one block earlier', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  at.node.mine([]);
  const mined = { height: 21, blockHash: block.hash };
  expect(await ask(outputOf(paid), 3)).toEqual({ kind: 'block', ...mined });
  at.node.mine([]);
  expect(await ask(outputOf(paid), 3)).toEqual({ kind: 'confirmed', ...mined });
  await at.step();
  expect(at.sink.last(`${paid.txid}:0`)?.status.kind).toBe('confirmed');
});

test('every requested output gets a response, also when nothing changed', async () => {
  const both = [payment([1], [0]), payment([2], [1])];
  for (const paid of both) at.node.submit(paid);
  await at.step();
  await at.watcher().verify({ outputs: both.map((paid) => ({ output: outputOf(paid), requiredConfirmations: 1 })) });
  expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool', 'mempool', 'mempool', 'mempool']);
});

test('rule 19: a payment that lost its block is not confirmed, although the index of the node still names that block', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  at.node.setBest(at.node.build(at.node.build(block.previousHash, []).hash, []).hash, () => false);
  expect(await ask(outputOf(paid), 1, 21)).toEqual({ kind: 'gone', reason: 'reorged' });
});

test('a payment whose coins were spent elsewhere is answered as replaced', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  await at.step();
  at.node.submit(payment([1], [UNWATCHED]));
  expect(await ask(outputOf(paid), 1)).toEqual({ kind: 'gone', reason: 'replaced' });
});

test('two payments whose coins were spent by a third are both answered as replaced', async () => {
  const lost = [payment([1], [0]), payment([1], [1])];
  for (const paid of lost) {
    at.node.submit(paid);
    await at.step();
  }
  at.node.submit(payment([1], [UNWATCHED]));
  await at.watcher().verify({ outputs: lost.map((paid) => ({ output: outputOf(paid), requiredConfirmations: 1 })) });
  expect(lost.map(({ txid }) => at.sink.last(`${txid}:0`)?.status)).toEqual(
    lost.map(() => ({ kind: 'gone', reason: 'replaced' })),
  );
});

test.each([
  ['the height it was reported at', 9],
  ['the index of the node', null],
])('an untracked output is found by %s', async (_title, reportedHeight) => {
  at = createWatcherHarness();
  for (let mined = 0; mined < 8; mined += 1) at.node.mine([]);
  const old = payment([1], [0]);
  at.node.submit(old);
  const block = at.node.mine();
  for (let mined = 0; mined < 40; mined += 1) at.node.mine([]);
  await at.step();
  expect(at.sink.observations).toEqual([]);
  at.node.hasTransactionIndex = reportedHeight === null;
  expect(await ask(outputOf(old), 6, reportedHeight)).toEqual({ kind: 'confirmed', height: 9, blockHash: block.hash });
});

test('an output with another amount or script than requested is not confirmed', async () => {
  const paid = payment([1], [0], 500n);
  at.node.submit(paid);
  at.node.mine();
  await at.step();
  expect(await ask({ ...outputOf(paid), amountBaseUnits: 501n }, 1, 21)).toMatchObject({ kind: 'gone' });
  expect(await ask({ ...outputOf(paid), watchKey: script(3) }, 1, 21)).toMatchObject({ kind: 'gone' });
  expect(await ask(outputOf(paid), 1, 21)).toMatchObject({ kind: 'confirmed' });
});

test('an unwatched output that was verified is tracked from then on, also across a restart', async () => {
  const paid = payment([1], [UNWATCHED]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  expect(await ask(outputOf(paid), 1, 21)).toMatchObject({ kind: 'confirmed' });
  at.restart();
  await at.step();
  at.node.setBest(at.node.build(block.previousHash, []).hash, () => false);
  await at.step();
  expect(at.sink.last(`${paid.txid}:0`)?.status).toEqual({ kind: 'gone', reason: 'reorged' });
});

test('a verification polls new blocks first', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  at.node.mine();
  at.node.mine([]);
  expect(await ask(outputOf(paid), 2)).toMatchObject({ kind: 'confirmed', height: 21 });
});

test('a reorg in the middle of a verification changes its response', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  at.node.beforeCall = (method) => {
    if (method !== 'getblock') return;
    at.node.beforeCall = null;
    at.node.setBest(at.node.build(at.node.build(block.previousHash, []).hash, []).hash);
  };
  expect(await ask(outputOf(paid), 1, 21)).toEqual({ kind: 'mempool' });
});

test('a transient branch in the middle of a verification confirms nothing', async () => {
  const paid = payment([1], [0]);
  const before = at.node.best();
  const empty = at.node.mine([]);
  await at.step();
  const other = at.node.build(before.hash, [paid]);
  let hashes = 0;
  at.node.beforeCall = (method) => {
    if (method === 'getblockhash') hashes += 1;
    if (method === 'getblockhash' && hashes === 2) at.node.setBest(other.hash);
    if (method === 'getbestblockhash') at.node.setBest(empty.hash, () => false);
  };
  expect(await ask(outputOf(paid), 1, 21)).toMatchObject({ kind: 'gone' });
  expect(hashes).toBeGreaterThan(2);
});

test('a node that is still loading answers nothing', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  at.node.mine();
  await at.step();
  at.node.initialDownload = true;
  await expect(ask(outputOf(paid), 1)).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_SYNCING' });
});

test('concurrent polls and verifications run one after another', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  at.node.mine();
  await Promise.all([at.step(), ask(outputOf(paid), 1), at.step(), ask(outputOf(paid), 1)]);
  const orders = at.sink.observations.map((each) => each.order);
  expect(orders).toEqual([...orders].sort((a, b) => a - b));
  expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['block', 'confirmed', 'confirmed']);
});

test.each([
  ['the poll', 'getblockchaininfo', false],
  ['where the outputs are', 'getblock', true],
])('a node that does not answer %s reports whether an output may be the cause', async (_, method, mayBeOutput) => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  at.node.mine();
  await at.step();
  at.node.beforeCall = (called) => {
    if (called === method) throw new RetryableError('NODE_UNREACHABLE', 'no response', { retryAfterMs: 5_000 });
  };
  const failure = await ask(outputOf(paid), 1).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE', retryAfterMs: 5_000 });
  expect(failure instanceof UnreadableOutputsError).toBe(mayBeOutput);
});
