import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { utxoChain } from '../../../src/chains/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type DialectNode, NETWORKS, startDialectNode } from '../../support/nodes/dialect-node.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { UTXO_COINS, type UtxoCoin } from '../support/dialects.ts';
import { createRealWatcher, doubleSpend, type RealWatcher } from '../support/real-watcher.ts';

/** Real-world payment events on a real node's chain, in the RPC dialect of every coin. */

const describeWithNode = describeWith('litecoind');

const COINBASE_MATURITY_BLOCKS = 100;
/** At the quick level test/e2e/chains/every-coin.test.ts covers payments in the other dialects. */
const COINS = level.pick<readonly UtxoCoin[]>({ quick: ['BTC', 'LTC'], full: UTXO_COINS });

let node: Litecoind;
let dialect: DialectNode;
let at: RealWatcher;

describeWithNode('on a real node', () => {
  beforeAll(async () => {
    node = await startLitecoind({ plainBytes: true });
  });
  afterAll(() => node?.stop());

  describe.each(COINS)('in the dialect of %s', (coin) => {
    beforeAll(async () => {
      dialect = await startDialectNode({ coin, upstream: node });
    });
    afterAll(() => dialect.stop());
    beforeEach(async () => {
      at = createRealWatcher({ params: utxoChain(NETWORKS[coin]), url: dialect.url });
      await at.step();
    });
    afterEach(() => at.close());

    test('a payment is seen in the mempool, then in its block, and verified at its depth', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      const before = systemClock.now();
      const txid = await node.rpc<string>('sendtoaddress', [address, 0.12345678]);
      await at.step();
      expect(at.paidTo(scriptHex)).toMatchObject([
        { network: NETWORKS[coin], asset: coin, txid, amountBaseUnits: 12_345_678n, status: { kind: 'mempool' } },
      ]);
      const firstSeenAt = at.paidTo(scriptHex)[0]?.firstSeenAt ?? 0;
      expect(firstSeenAt).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
      expect(firstSeenAt).toBeLessThanOrEqual(at.clock.now());

      const [blockHash] = await node.mine(1);
      await at.step();
      const height = await node.rpc<number>('getblockcount');
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'block', height, blockHash }]);
      for (const mined of at.paidTo(scriptHex)) await at.verify(mined, 3);
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'block', height, blockHash }]);
      await node.mine(2);
      for (const mined of at.paidTo(scriptHex)) await at.verify(mined, 3);
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'confirmed', height, blockHash }]);
      expect(at.reported()).toEqual(['mempool', 'block', 'block', 'confirmed']);
    });

    test('rule 5: one transaction that pays one address, and one that pays many, create one payment for each output', async () => {
      const many = await Promise.all(Array.from({ length: 20 }, () => at.watchedAddress(node)));
      const one = await at.watchedAddress(node);
      const amounts = Object.fromEntries(many.map(({ address }, index) => [address, (index + 1) / 1000]));
      const txid = await node.rpc<string>('sendmany', ['', amounts]);
      const twice = await payTwice(one.address);
      await at.step();
      for (const [index, { scriptHex }] of many.entries()) {
        expect(at.paidTo(scriptHex)).toMatchObject([{ txid, amountBaseUnits: BigInt(index + 1) * 100_000n }]);
      }
      expect(new Set(at.sink.observations.map((each) => each.outputId)).size).toBe(22);
      expect(at.paidTo(one.scriptHex).map(({ txid, amountBaseUnits }) => [txid, amountBaseUnits])).toEqual([
        [twice, 10_000_000n],
        [twice, 20_000_000n],
      ]);
      await node.mine(1);
      await at.step();
      expect(at.sink.observations).toHaveLength(44);
      expect(at.reported().filter((kind) => kind === 'block')).toHaveLength(22);
    });

    test('a fee bump replaces a payment, and the replacement is tracked', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      const first = await node.rpc<string>('sendtoaddress', [address, 0.1, '', '', false, true]);
      await at.step();
      const { txid: second } = await node.rpc<{ txid: string }>('bumpfee', [first]);
      await at.step();
      expect(Object.fromEntries(at.paidTo(scriptHex).map((each) => [each.txid, each.status]))).toEqual({
        [first]: { kind: 'gone', reason: 'replaced' },
        [second]: { kind: 'mempool' },
      });
      await node.mine(1);
      await at.step();
      expect(at.paidTo(scriptHex).find((each) => each.txid === second)?.status.kind).toBe('block');
    });

    test('a payment follows its transaction out of a block and into another', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      await node.rpc('sendtoaddress', [address, 0.5]);
      const [stale] = await node.mine(1);
      await at.step();
      await node.rpc('invalidateblock', [stale]);
      await at.step();
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'mempool' }]);
      const [again] = await node.mine(2);
      await at.step();
      expect(at.reported()).toEqual(['block', 'mempool', 'block']);
      expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block', blockHash: again }]);
    });

    test('a double spend through a reorg removes a payment, despite the stale transaction index', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      const txid = await node.rpc<string>('sendtoaddress', [address, 0.1]);
      const thief = await node.newAddress();
      const conflict = await doubleSpend(node, txid, thief.address);
      const [stale] = await node.mine(1);
      await at.step();
      const [mined] = at.paidTo(scriptHex);
      await node.rpc('invalidateblock', [stale]);
      await node.rpc('generateblock', [thief.address, [conflict]]);
      await node.rpc('generateblock', [thief.address, []]);
      const indexed = await node.rpc<{ blockhash?: string }>('getrawtransaction', [txid, true]);
      expect(indexed.blockhash, 'the index still names the stale block').toBe(stale);
      await at.step();
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'gone', reason: 'replaced' }]);
      if (mined !== undefined) await at.verify(mined, 1);
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'gone', reason: 'replaced' }]);
    });

    test('a payment that the mempool drops is gone as evicted, and seen again when it is sent again', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      const hex = await spendYoungestCoinbase(address);
      await node.rpc('sendrawtransaction', [hex]);
      await at.step();
      // With one block less the coinbase is immature: the node drops the payment.
      await node.rpc('invalidateblock', [await node.rpc('getbestblockhash')]);
      await at.step();
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'gone', reason: 'evicted' }]);
      await node.mine(1);
      await node.rpc('sendrawtransaction', [hex]);
      await at.step();
      await node.mine(1);
      await at.step();
      expect(at.reported()).toEqual(['mempool', 'gone:evicted', 'mempool', 'block']);
    });

    test('the watcher catches up after many blocks, and a rescan reports the same again', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      const from = await node.rpc<number>('getblockcount');
      const miner = await node.newAddress();
      for (let paid = 0; paid < 3; paid += 1) {
        await node.rpc('sendtoaddress', [address, 0.01]);
        await node.mine(15, miner.address);
      }
      at.restart();
      await at.step();
      const heights = at.statuses(scriptHex).map((each) => ('height' in each ? each.height : null));
      expect(heights).toEqual([from + 1, from + 16, from + 31]);
      expect(await at.rescan(0, from + 45)).toEqual({ blocks: from + 46, outputs: 3 });
      expect(at.statuses(scriptHex).map((each) => ('height' in each ? each.height : null))).toEqual(heights);
    });
  });

  describe('in the dialect of DASH with locks', () => {
    beforeEach(async () => {
      dialect = await startDialectNode({ coin: 'DASH', upstream: node });
      at = createRealWatcher({ params: utxoChain('dash-regtest'), url: dialect.url });
      await at.step();
    });
    afterEach(async () => {
      await at.close();
      await dialect.stop();
    });

    test('one confirmation is enough when the block has a ChainLock', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      await node.rpc('sendtoaddress', [address, 0.1]);
      const [blockHash = ''] = await node.mine(1);
      await at.step();
      expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
      dialect.lockBlock(blockHash);
      await at.step();
      for (const mined of at.paidTo(scriptHex)) await at.verify(mined, 6);
      expect(at.reported()).toEqual(['block', 'confirmed', 'confirmed']);
    });

    test('an InstantSend lock alone confirms nothing, in a block or before', async () => {
      const { address, scriptHex } = await at.watchedAddress(node);
      dialect.lockTransaction(await node.rpc<string>('sendtoaddress', [address, 0.1]));
      await at.step();
      expect(at.statuses(scriptHex)).toEqual([{ kind: 'mempool' }]);
      await node.mine(1);
      await at.step();
      expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
      for (const mined of at.paidTo(scriptHex)) await at.verify(mined, 2);
      expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
    });
  });
});

// Helpers

/** A transaction with two outputs to the same address. */
async function payTwice(address: string): Promise<string> {
  const [coin] = await node.rpc<{ txid: string; vout: number; amount: number }[]>('listunspent', [
    1,
    9_999_999,
    [],
    true,
    { minimumAmount: 1 },
  ]);
  if (coin === undefined) throw new Error('the wallet has no coin');
  const change = await node.rpc<string>('getrawchangeaddress', ['bech32']);
  const rest = (Math.round(coin.amount * 1e8) - 30_000_000 - 100_000) / 1e8;
  const inputs = [{ txid: coin.txid, vout: coin.vout }];
  // The RPC rejects duplicate addresses, so the second output's script is replaced afterwards.
  const placeholder = await node.newAddress();
  const raw = await node.rpc<string>('createrawtransaction', [
    inputs,
    [{ [address]: 0.1 }, { [placeholder.address]: 0.2 }, { [change]: rest }],
  ]);
  const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('getaddressinfo', [address]);
  const doubled = raw.replace(placeholder.scriptHex, scriptPubKey);
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', [doubled]);
  return node.rpc<string>('sendrawtransaction', [hex]);
}

/** A transaction that spends the youngest coinbase allowed in the next block. */
async function spendYoungestCoinbase(address: string): Promise<string> {
  const height = await node.rpc<number>('getblockcount');
  const hash = await node.rpc<string>('getblockhash', [height - (COINBASE_MATURITY_BLOCKS - 1)]);
  const { tx } = await node.rpc<{ tx: string[] }>('getblock', [hash]);
  const { value } = await node.rpc<{ value: number }>('gettxout', [tx[0], 0]);
  const paid = (Math.round(value * 1e8) - 100_000) / 1e8;
  const raw = await node.rpc('createrawtransaction', [[{ txid: tx[0], vout: 0 }], { [address]: paid }]);
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', [raw]);
  return hex;
}
