import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { utxoChain } from '../../../src/chains/index.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';
import { createRealWatcher, type RealWatcher } from '../support/real-watcher.ts';

const describeWithNode = describeWith('litecoind');

let node: Litecoind;
let at: RealWatcher;

async function startFresh(): Promise<void> {
  at = createRealWatcher({ params: utxoChain('litecoin-regtest'), url: node.rpcUrl });
  await at.step();
}

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
