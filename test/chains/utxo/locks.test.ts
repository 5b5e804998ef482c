import { beforeEach, expect, test } from 'vitest';
import type { TrackedOutput } from '../../../src/chains/index.ts';
import { LOCK_DEPTH_BLOCKS, LOCK_QUESTIONS } from '../../../src/chains/utxo/locks.ts';
import { payment, script } from '../../support/nodes/fake-utxo-node.ts';
import type { BuiltTransaction } from '../support/raw-builder.ts';
import { createWatcherHarness, WATCHED_KEYS, type WatcherHarness } from '../support/watcher-harness.ts';

let at: WatcherHarness;
let locks: { readonly txids: Set<string>; readonly blockHashes: Set<string> };

beforeEach(async () => {
  at = createWatcherHarness();
  Object.assign(at.params, { reportsLocks: true });
  locks = { txids: new Set(), blockHashes: new Set() };
  at.node.locks = locks;
  for (let mined = 0; mined < 20; mined += 1) at.node.mine([]);
  await at.step();
});

function reported(): string[] {
  return at.sink.observations.map(({ status }) => (status.kind === 'gone' ? `gone:${status.reason}` : status.kind));
}

function requested(): number {
  return at.node.calls.get('getrawtransaction') ?? 0;
}

async function minedPayment() {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  return { paid, block };
}

function outputOf(paid: BuiltTransaction): TrackedOutput {
  const outputId = `${paid.txid}:0`;
  const { txid, spends } = paid;
  return { outputId, txid, watchKey: script(0), asset: 'BTC', amountBaseUnits: 1_000n, firstSeenAt: 1_000, spends };
}

test('rule 18: a payment in a block locked by masternodes is confirmed when it is first seen', async () => {
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const block = at.node.mine();
  locks.blockHashes.add(block.hash);
  await at.step();
  expect(reported()).toEqual(['confirmed']);
  const status = { kind: 'confirmed', height: 21, blockHash: block.hash, byLock: true };
  expect(at.sink.last(`${paid.txid}:0`)?.status).toEqual(status);
});

test('a later lock of the block confirms later, and is reported once', async () => {
  const { block } = await minedPayment();
  await at.step();
  expect(reported()).toEqual(['block']);
  locks.blockHashes.add(block.hash);
  await at.step();
  const questions = requested();
  await at.step();
  expect(reported()).toEqual(['block', 'confirmed']);
  expect(requested(), 'a confirmed output is asked about no more').toBe(questions);
});

test('rule 18: a lock of the transaction alone confirms nothing', async () => {
  const { paid } = await minedPayment();
  locks.txids.add(paid.txid);
  await at.step();
  expect(reported()).toEqual(['block']);
});

test('a lock of a later block confirms the blocks below it', async () => {
  await minedPayment();
  locks.blockHashes.add(at.node.mine([]).hash);
  await at.step();
  expect(reported()).toEqual(['block', 'confirmed']);
});

test('all outputs of one transaction take one request', async () => {
  const paid = payment([1], [0, 0, 1, 2]);
  at.node.submit(paid);
  locks.blockHashes.add(at.node.mine().hash);
  const before = requested();
  await at.step();
  expect(reported()).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed']);
  expect(requested() - before).toBe(1);
});

test('a lock in the mempool confirms nothing, and a locked payment that leaves it is gone like any other', async () => {
  const paid = payment([1], [0]);
  locks.txids.add(paid.txid);
  at.node.submit(paid);
  await at.step();
  at.node.evict(paid.txid);
  await at.step();
  expect(reported()).toEqual(['mempool', 'gone:evicted']);
});

test('a confirmed payment that loses its block is reported like any other, and confirmed again in its next one', async () => {
  const { block } = await minedPayment();
  locks.blockHashes.add(block.hash);
  await at.step();
  at.node.setBest(at.node.build(block.previousHash, []).hash);
  await at.step();
  locks.blockHashes.add(at.node.mine().hash);
  await at.step();
  expect(reported()).toEqual(['block', 'confirmed', 'mempool', 'confirmed']);
});

test('a lock of a stale block confirms nothing', async () => {
  const { block } = await minedPayment();
  locks.blockHashes.add(block.hash);
  at.node.beforeCall = (method) => {
    if (method !== 'getrawtransaction') return;
    at.node.beforeCall = null;
    at.node.setBest(at.node.build(block.previousHash, []).hash, () => false);
  };
  await at.step();
  expect(reported()).toEqual(['block']);
  await at.step();
  expect(reported()).toEqual(['block', 'gone:reorged']);
});

test.each([
  ['a network without locks', () => Object.assign(at.params, { reportsLocks: false })],
  ['a node that does not report them', () => Object.assign(at.node, { locks: null })],
])('on %s only depth confirms', async (_title, arrange) => {
  const { paid, block } = await minedPayment();
  locks.blockHashes.add(block.hash);
  locks.txids.add(paid.txid);
  arrange();
  await at.step();
  await at.watcher().verify({ outputs: [{ output: outputOf(paid), requiredConfirmations: 2 }] });
  expect(reported()).toEqual(['block', 'block']);
});

test('a verification before the required depth answers confirmed when there is a lock', async () => {
  const { paid, block } = await minedPayment();
  const verify = () => at.watcher().verify({ outputs: [{ output: outputOf(paid), requiredConfirmations: 6 }] });
  await verify();
  expect(reported()).toEqual(['block', 'block']);
  locks.blockHashes.add(block.hash);
  await verify();
  expect(at.sink.last(`${paid.txid}:0`)?.status.kind).toBe('confirmed');
});

test('a node that is behind confirms nothing by locks', async () => {
  const { block } = await minedPayment();
  locks.blockHashes.add(block.hash);
  at.node.initialDownload = true;
  await at.step();
  expect(reported()).toEqual(['block']);
});

test('locks are requested in the newest blocks only', async () => {
  const { block } = await minedPayment();
  for (let mined = 0; mined < LOCK_DEPTH_BLOCKS; mined += 1) at.node.mine([]);
  locks.blockHashes.add(block.hash);
  await at.step();
  expect(reported()).toEqual(['block']);
});

test('the requests of one poll are bounded, and later polls request the rest', async () => {
  const paid = Array.from({ length: LOCK_QUESTIONS + 7 }, (_, index) => payment([index], [index % WATCHED_KEYS]));
  for (const each of paid) at.node.submit(each);
  const block = at.node.mine();
  await at.step();
  locks.blockHashes.add(block.hash);
  const before = requested();
  await at.step();
  expect(requested() - before).toBe(LOCK_QUESTIONS);
  await at.step();
  expect(reported().filter((kind) => kind === 'confirmed')).toHaveLength(paid.length);
});

test('after a restart a locked payment may be reported again, as confirmed', async () => {
  const { block } = await minedPayment();
  locks.blockHashes.add(block.hash);
  await at.step();
  at.restart();
  await at.step();
  expect(reported()).toEqual(['block', 'confirmed', 'confirmed']);
});
