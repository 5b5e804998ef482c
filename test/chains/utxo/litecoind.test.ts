import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { utxoChain } from '../../../src/chains/index.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { createRealWatcher, doubleSpend, type RealWatcher } from '../support/real-watcher.ts';

const describeWithNode = describeWith('litecoind');
/** Blocks between two payments during an absence: together several batches of the watcher. */
const APART = level.pick({ quick: 10, full: 50 });

let node: Litecoind;
let at: RealWatcher;

async function startFresh(): Promise<void> {
  at = createRealWatcher({ params: utxoChain('litecoin-regtest'), url: node.rpcUrl });
  await at.step();
}

describeWithNode('a watcher on a real Litecoin node', () => {
  beforeAll(async () => {
    node = await startLitecoind();
  });
  afterAll(() => node?.stop());
  beforeEach(startFresh);
  afterEach(() => at.close());

  test('reports that a payment was double-spent in the mempool to another recipient', async () => {
    const { address, scriptHex } = await at.watchedAddress(node);
    const txid = await node.rpc<string>('sendtoaddress', [address, 0.1, '', '', false, true]);
    await at.step();
    const thief = await node.newAddress();
    await node.rpc('sendrawtransaction', [await doubleSpend(node, txid, thief.address), 0]);
    await at.step();
    expect(at.statuses(scriptHex)).toEqual([{ kind: 'gone', reason: 'replaced' }]);
    await node.mine(1);
  });

  test('follows a reorg of twenty blocks', async () => {
    const { address, scriptHex } = await at.watchedAddress(node);
    const txid = await node.rpc<string>('sendtoaddress', [address, 0.1]);
    const [stale] = await node.mine(20);
    await at.step();
    await node.rpc('invalidateblock', [stale]);
    // After more than ten disconnected blocks the node does not return their transactions to the
    // mempool; this broadcasts the payment again.
    const { hex } = await node.rpc<{ hex: string }>('gettransaction', [txid]);
    await node.rpc('sendrawtransaction', [hex]);
    await node.mine(25);
    await at.step();
    expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['block', 'block']);
    expect(at.store.blocks().at(-1)?.blockHash).toBe(await node.rpc('getbestblockhash'));
  });

  test(`catches up ${6 * APART} blocks after downtime without skipping one`, async () => {
    const { address, scriptHex } = await at.watchedAddress(node);
    await at.step();
    const from = await node.rpc<number>('getblockcount');
    const miner = await node.newAddress();
    for (let paid = 0; paid < 6; paid += 1) {
      await node.rpc('sendtoaddress', [address, 0.01]);
      await node.mine(APART, miner.address);
    }
    at.restart();
    await at.step();
    expect(at.paidTo(scriptHex)).toHaveLength(6);
    expect(at.statuses(scriptHex).map((each) => ('height' in each ? each.height : null))).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => from + index * APART + 1),
    );
    const heights = at.store.blocks().map((block) => block.height);
    expect(heights.slice(-6 * APART)).toEqual(Array.from({ length: 6 * APART }, (_, index) => from + 1 + index));
    expect(at.status()).toMatchObject({ cursorHeight: from + 6 * APART, tipHeight: from + 6 * APART });
  });

  test('survives the death of the node and continues where it was', async () => {
    const { address, scriptHex } = await at.watchedAddress(node);
    await node.rpc('sendtoaddress', [address, 0.1]);
    await node.mine(1);
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    await node.kill();
    await expect(at.step()).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE' });
    expect(at.status().lastError).toContain('127.0.0.1');
    expect(at.status().lastError).not.toContain('password');
    expect(at.store.syncedUntil()).toBe(syncedUntil);

    await node.restart();
    const later = await at.watchedAddress(node);
    await node.rpc('sendtoaddress', [later.address, 0.2]);
    await expect.poll(() => at.step().then(() => at.statuses(later.scriptHex))).toEqual([{ kind: 'mempool' }]);
    expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
    expect(at.store.syncedUntil()).toBeGreaterThan(syncedUntil ?? Number.POSITIVE_INFINITY);
    expect(at.status().lastError).toBeNull();
  });

  // At the quick level test/chains/utxo/node-health.test.ts covers this with a fake node.
  if (level.isFull) {
    test('removes nothing while a restarted node loads its mempool', async () => {
      const paid = await Promise.all(Array.from({ length: 12 }, () => at.watchedAddress(node)));
      for (const { address } of paid) await node.rpc('sendtoaddress', [address, 0.01]);
      await at.step();
      const responses: unknown = await node.rpc('getmempoolinfo');
      expect(responses, 'the node says whether it has loaded its mempool').toHaveProperty('loaded', true);
      await node.rpc('savemempool');
      await node.kill();
      const restarted = node.restart();
      await expect.poll(() => at.step().then(() => at.status().warnings)).toEqual([]);
      await restarted;
      await at.step();
      expect(new Set(at.reported())).toEqual(new Set(['mempool']));
      expect(paid.flatMap(({ scriptHex }) => at.statuses(scriptHex))).toHaveLength(paid.length);
      await node.mine(1);
    });
  }

  test('rejects a node of another network and names the remedy', async () => {
    const wrong = createRealWatcher({ params: utxoChain('litecoin-mainnet'), url: node.rpcUrl });
    await expect(wrong.step()).rejects.toThrow(/not on litecoin-mainnet.*Point the RPC URL/);
    await wrong.close();
  });
});

describeWithNode('a watcher on a real Litecoin node with MWEB', () => {
  beforeAll(async () => {
    node = await startLitecoind({ mweb: true });
  });
  afterAll(() => node?.stop());
  beforeEach(startFresh);
  afterEach(() => at.close());

  test('reads MWEB blocks and sees ordinary payments as usual', async () => {
    const { address, scriptHex } = await at.watchedAddress(node);
    await node.rpc('sendtoaddress', [address, 0.1]);
    await at.step();
    await node.mine(1);
    await at.step();
    expect(at.sink.observations.map((each) => each.status.kind)).toEqual(['mempool', 'block']);
    expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
  });

  test('finds a payment out of MWEB in its block, under the id it has there', async () => {
    await node.rpc('createwallet', ['hidden'], '');
    const hidden = await node.rpc<string>('getnewaddress', ['', 'mweb'], 'hidden');
    await node.rpc('sendtoaddress', [hidden, 5]);
    await at.step();
    await node.mine(1);
    await at.step();
    const { address, scriptHex } = await at.watchedAddress(node);
    const mempoolTxid = await node.rpc<string>('sendtoaddress', [address, 1], 'hidden');
    await at.step();
    expect(at.paidTo(scriptHex), 'a payment out of MWEB is invisible in the mempool').toEqual([]);
    await node.mine(1);
    await at.step();
    expect(at.paidTo(scriptHex)).toMatchObject([{ amountBaseUnits: 100_000_000n, status: { kind: 'block' } }]);
    const [mined] = at.paidTo(scriptHex);
    expect(mined?.txid).not.toBe(mempoolTxid);
    await node.mine(5);
    if (mined) await at.verify(mined, 6);
    expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'confirmed' }]);
  });

  test('tracks a payment out of MWEB through a reorg', async () => {
    const hidden = await node.rpc<string>('getnewaddress', ['', 'mweb'], 'hidden');
    await node.rpc('sendtoaddress', [hidden, 5]);
    await node.mine(1);
    const { address, scriptHex } = await at.watchedAddress(node);
    await node.rpc('sendtoaddress', [address, 1], 'hidden');
    const [stale] = await node.mine(1);
    await at.step();
    expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
    await node.rpc('invalidateblock', [stale]);
    await node.mine(2);
    await at.step();
    const alive = at.paidTo(scriptHex).filter((each) => each.status.kind !== 'gone');
    expect(alive.reduce((sum, each) => sum + each.amountBaseUnits, 0n)).toBeLessThanOrEqual(100_000_000n);
    const best = new Set(at.store.blocks().map((block) => block.blockHash));
    for (const { status } of alive) expect('blockHash' in status && best.has(status.blockHash)).toBe(true);
  });
});
