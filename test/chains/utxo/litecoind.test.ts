import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type BitcoindRpc,
  createBitcoindRpc,
  createUtxoWatcher,
  type Observation,
  utxoChain,
  type Watcher,
} from '../../../src/chains/index.ts';
import {
  BITCOIN_FORMAT,
  DASH_FORMAT,
  DOGECOIN_FORMAT,
  LITECOIN_FORMAT,
  type RawFormat,
} from '../../../src/chains/utxo/raw-format.ts';
import { systemClock } from '../../../src/clock.ts';
import { hasLitecoind, LITECOIND_MISSING, type Litecoind, startLitecoind } from '../../support/litecoind.ts';
import { requireOrSkip } from '../../support/skip.ts';
import {
  createMemorySink,
  createMemoryStore,
  createMemoryWatchSet,
  type MemorySink,
  type MemoryStore,
  type MemoryWatchSet,
  silentLog,
} from '../support/watcher-store.ts';

const describeWithNode = requireOrSkip(hasLitecoind(), LITECOIND_MISSING.missing, LITECOIND_MISSING.remedy);

let node: Litecoind;
let rpc: BitcoindRpc;
let store: MemoryStore;
let sink: MemorySink;
let watchSet: MemoryWatchSet;
let watcher: Watcher;

function startWatcher(format: RawFormat = LITECOIN_FORMAT): void {
  watcher = createUtxoWatcher({
    params: { ...utxoChain('litecoin-regtest'), format },
    rpc,
    store,
    watchSet,
    sink: sink.sink,
    clock: systemClock,
    log: silentLog,
  });
}

async function startFresh(format: RawFormat = LITECOIN_FORMAT): Promise<void> {
  store = createMemoryStore();
  sink = createMemorySink();
  watchSet = createMemoryWatchSet();
  startWatcher(format);
  await watcher.step();
}

async function watchedAddress() {
  const made = await node.newAddress();
  watchSet.add(made.scriptHex);
  return made;
}

/** The newest observation of each output that pays a script. */
function paidTo(scriptHex: string): Observation[] {
  const ids = new Set(sink.observations.filter((each) => each.watchKey === scriptHex).map((each) => each.outputId));
  return [...ids].flatMap((outputId) => sink.last(outputId) ?? []);
}

function standings(scriptHex: string) {
  return paidTo(scriptHex).map((each) => each.standing);
}

async function verify(observation: Observation, requiredConfirmations: number): Promise<void> {
  const { standing, txid, network: _network, order: _order, ...rest } = observation;
  const output = { ...rest, txid: txid ?? '', spends: [] };
  const reportedHeight = 'height' in standing ? standing.height : null;
  await watcher.verify({ outputs: [{ output, requiredConfirmations, reportedHeight }] });
}

/** Signs a transaction that spends the same coins as `txid` but pays everything, less a high fee, to `address`. */
async function doubleSpend(txid: string, address: string): Promise<string> {
  const { vin } = await node.rpc<{ vin: { txid: string; vout: number }[] }>('getrawtransaction', [txid, true]);
  let litoshi = 0;
  for (const input of vin) {
    const parent = await node.rpc<{ vout: { value: number }[] }>('getrawtransaction', [input.txid, true]);
    litoshi += Math.round((parent.vout[input.vout]?.value ?? 0) * 1e8);
  }
  const inputs = vin.map(({ txid: spent, vout }) => ({ txid: spent, vout, sequence: 0xfffffffd }));
  const raw = await node.rpc('createrawtransaction', [inputs, { [address]: (litoshi - 10_000_000) / 1e8 }]);
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', [raw]);
  return hex;
}

describeWithNode('a watcher on a real Litecoin node', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    rpc = createBitcoindRpc({ url: node.rpcUrl });
  });
  afterAll(async () => {
    await rpc?.close();
    await node?.stop();
  });
  beforeEach(() => startFresh());

  test('sees a payment in the mempool, then in its block, and verifies its depth', async () => {
    const { address, scriptHex } = await watchedAddress();
    const before = systemClock.now();
    const txid = await node.rpc<string>('sendtoaddress', [address, 0.12345678]);
    await watcher.step();
    expect(paidTo(scriptHex)).toMatchObject([{ txid, amountBaseUnits: 12_345_678n, standing: { kind: 'mempool' } }]);
    const firstSeenAt = paidTo(scriptHex)[0]?.firstSeenAt ?? 0;
    expect(firstSeenAt).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    expect(firstSeenAt).toBeLessThanOrEqual(systemClock.now());

    const [blockHash] = await node.mine(1);
    await watcher.step();
    const height = await node.rpc<number>('getblockcount');
    expect(standings(scriptHex)).toEqual([{ kind: 'block', height, blockHash }]);
    for (const mined of paidTo(scriptHex)) await verify(mined, 3);
    expect(standings(scriptHex)).toEqual([{ kind: 'block', height, blockHash }]);
    await node.mine(2);
    for (const mined of paidTo(scriptHex)) await verify(mined, 3);
    expect(standings(scriptHex)).toEqual([{ kind: 'confirmed', height, blockHash }]);
    expect(sink.observations.map((each) => each.standing.kind)).toEqual(['mempool', 'block', 'block', 'confirmed']);
  });

  test('finds every output of one transaction that pays many addresses', async () => {
    const addresses = await Promise.all(Array.from({ length: 20 }, watchedAddress));
    const amounts = Object.fromEntries(addresses.map(({ address }, index) => [address, (index + 1) / 1000]));
    const txid = await node.rpc<string>('sendmany', ['', amounts]);
    await watcher.step();
    for (const [index, { scriptHex }] of addresses.entries()) {
      expect(paidTo(scriptHex)).toMatchObject([{ txid, amountBaseUnits: BigInt(index + 1) * 100_000n }]);
    }
    expect(new Set(sink.observations.map((each) => each.outputId)).size).toBe(20);
    await node.mine(1);
    await watcher.step();
    expect(sink.observations).toHaveLength(40);
  });

  test('tells that a payment was replaced by its own fee bump, and follows the replacement', async () => {
    const { address, scriptHex } = await watchedAddress();
    const replaceable = true;
    const first = await node.rpc<string>('sendtoaddress', [address, 0.1, '', '', false, replaceable]);
    await watcher.step();
    const { txid: second } = await node.rpc<{ txid: string }>('bumpfee', [first]);
    await watcher.step();
    expect(Object.fromEntries(paidTo(scriptHex).map((each) => [each.txid, each.standing]))).toEqual({
      [first]: { kind: 'gone', reason: 'replaced' },
      [second]: { kind: 'mempool' },
    });
    await node.mine(1);
    await watcher.step();
    expect(paidTo(scriptHex).find((each) => each.txid === second)?.standing.kind).toBe('block');
  });

  test('tells that a payment was double-spent in the mempool to somebody else', async () => {
    const { address, scriptHex } = await watchedAddress();
    const txid = await node.rpc<string>('sendtoaddress', [address, 0.1, '', '', false, true]);
    await watcher.step();
    const thief = await node.newAddress();
    await node.rpc('sendrawtransaction', [await doubleSpend(txid, thief.address), 0]);
    await watcher.step();
    expect(standings(scriptHex)).toEqual([{ kind: 'gone', reason: 'replaced' }]);
    await node.mine(1);
  });

  test('follows a payment out of a block into the mempool and into another block', async () => {
    const { address, scriptHex } = await watchedAddress();
    await node.rpc('sendtoaddress', [address, 0.1]);
    const [stale] = await node.mine(1);
    await watcher.step();
    await node.rpc('invalidateblock', [stale]);
    await watcher.step();
    expect(standings(scriptHex)).toEqual([{ kind: 'mempool' }]);
    const [again] = await node.mine(2);
    await watcher.step();
    expect(standings(scriptHex)).toMatchObject([{ kind: 'block', blockHash: again }]);
    expect(sink.observations.map((each) => each.standing.kind)).toEqual(['block', 'mempool', 'block']);
  });

  test('tells a double spend through a reorganisation, and is not fooled by the stale transaction index', async () => {
    const { address, scriptHex } = await watchedAddress();
    const txid = await node.rpc<string>('sendtoaddress', [address, 0.1]);
    const thief = await node.newAddress();
    const conflict = await doubleSpend(txid, thief.address);
    const [stale] = await node.mine(1);
    await watcher.step();
    const [mined] = paidTo(scriptHex);
    await node.rpc('invalidateblock', [stale]);
    await node.rpc('generateblock', [thief.address, [conflict]]);
    await node.rpc('generateblock', [thief.address, []]);
    const indexed = await node.rpc<{ blockhash?: string }>('getrawtransaction', [txid, true]);
    expect(indexed.blockhash, 'the trap is set: the index still names the stale block').toBe(stale);
    await watcher.step();
    expect(standings(scriptHex)).toEqual([{ kind: 'gone', reason: 'replaced' }]);
    if (mined) await verify(mined, 1);
    expect(standings(scriptHex)).toEqual([{ kind: 'gone', reason: 'replaced' }]);
  });

  test('follows a reorganisation of twenty blocks', async () => {
    const { address, scriptHex } = await watchedAddress();
    const txid = await node.rpc<string>('sendtoaddress', [address, 0.1]);
    const [stale] = await node.mine(20);
    await watcher.step();
    await node.rpc('invalidateblock', [stale]);
    // Beyond ten blocks the node does not take the fallen transactions back by itself; somebody sends them again.
    const { hex } = await node.rpc<{ hex: string }>('gettransaction', [txid]);
    await node.rpc('sendrawtransaction', [hex]);
    await node.mine(25);
    await watcher.step();
    expect(standings(scriptHex)).toMatchObject([{ kind: 'block' }]);
    expect(sink.observations.map((each) => each.standing.kind)).toEqual(['block', 'block']);
    expect(store.blocks().at(-1)?.blockHash).toBe(await node.rpc('getbestblockhash'));
  });

  test('catches up 300 blocks after an absence without skipping one', async () => {
    const { address, scriptHex } = await watchedAddress();
    await watcher.step();
    const from = await node.rpc<number>('getblockcount');
    const miner = await node.newAddress();
    for (let paid = 0; paid < 6; paid += 1) {
      await node.rpc('sendtoaddress', [address, 0.01]);
      await node.mine(50, miner.address);
    }
    startWatcher();
    await watcher.step();
    expect(paidTo(scriptHex)).toHaveLength(6);
    expect(standings(scriptHex).map((each) => ('height' in each ? each.height : null))).toEqual(
      [0, 50, 100, 150, 200, 250].map((mined) => from + mined + 1),
    );
    const heights = store.blocks().map((block) => block.height);
    expect(heights.slice(-300)).toEqual(Array.from({ length: 300 }, (_, index) => from + 1 + index));
    expect(watcher.status()).toMatchObject({ cursorHeight: from + 300, tipHeight: from + 300 });
  });

  test('survives the death of the node and goes on where it was', async () => {
    const { address, scriptHex } = await watchedAddress();
    await node.rpc('sendtoaddress', [address, 0.1]);
    await node.mine(1);
    await watcher.step();
    const lookedUntil = store.lookedUntil();
    await node.kill();
    await expect(watcher.step()).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE' });
    expect(watcher.status().lastError).toContain('127.0.0.1');
    expect(watcher.status().lastError).not.toContain('password');
    expect(store.lookedUntil()).toBe(lookedUntil);

    await node.restart();
    const later = await watchedAddress();
    await node.rpc('sendtoaddress', [later.address, 0.2]);
    await expect.poll(() => watcher.step().then(() => standings(later.scriptHex))).toEqual([{ kind: 'mempool' }]);
    expect(standings(scriptHex)).toMatchObject([{ kind: 'block' }]);
    expect(store.lookedUntil()).toBeGreaterThan(lookedUntil ?? Number.POSITIVE_INFINITY);
    expect(watcher.status().lastError).toBeNull();
  });

  test('refuses a node of another network and names the remedy', async () => {
    const params = utxoChain('litecoin-mainnet');
    const wrong = createUtxoWatcher({
      params,
      rpc,
      store,
      watchSet,
      sink: sink.sink,
      clock: systemClock,
      log: silentLog,
    });
    await expect(wrong.step()).rejects.toThrow(/not on litecoin-mainnet.*Point the RPC URL/);
  });
});

describeWithNode('a watcher on a real Litecoin node with MWEB', () => {
  beforeAll(async () => {
    node = await startLitecoind({ mweb: true });
    rpc = createBitcoindRpc({ url: node.rpcUrl });
  });
  afterAll(async () => {
    await rpc?.close();
    await node?.stop();
  });
  beforeEach(() => startFresh());

  test('reads MWEB blocks and sees ordinary payments as ever', async () => {
    const { address, scriptHex } = await watchedAddress();
    await node.rpc('sendtoaddress', [address, 0.1]);
    await watcher.step();
    await node.mine(1);
    await watcher.step();
    expect(sink.observations.map((each) => each.standing.kind)).toEqual(['mempool', 'block']);
    expect(standings(scriptHex)).toMatchObject([{ kind: 'block' }]);
  });

  test('finds a payment out of MWEB in its block, under the id it has there', async () => {
    await node.rpc('createwallet', ['hidden'], '');
    const hidden = await node.rpc<string>('getnewaddress', ['', 'mweb'], 'hidden');
    await node.rpc('sendtoaddress', [hidden, 5]);
    await watcher.step();
    await node.mine(1);
    await watcher.step();
    const { address, scriptHex } = await watchedAddress();
    const mempoolTxid = await node.rpc<string>('sendtoaddress', [address, 1], 'hidden');
    await watcher.step();
    expect(paidTo(scriptHex), 'a payment out of MWEB is invisible in the mempool').toEqual([]);
    await node.mine(1);
    await watcher.step();
    expect(paidTo(scriptHex)).toMatchObject([{ amountBaseUnits: 100_000_000n, standing: { kind: 'block' } }]);
    const [mined] = paidTo(scriptHex);
    expect(mined?.txid).not.toBe(mempoolTxid);
    await node.mine(5);
    if (mined) await verify(mined, 6);
    expect(standings(scriptHex)).toMatchObject([{ kind: 'confirmed' }]);
  });

  test('follows a payment out of MWEB through a reorganisation', async () => {
    const hidden = await node.rpc<string>('getnewaddress', ['', 'mweb'], 'hidden');
    await node.rpc('sendtoaddress', [hidden, 5]);
    await node.mine(1);
    const { address, scriptHex } = await watchedAddress();
    await node.rpc('sendtoaddress', [address, 1], 'hidden');
    const [stale] = await node.mine(1);
    await watcher.step();
    expect(standings(scriptHex)).toMatchObject([{ kind: 'block' }]);
    await node.rpc('invalidateblock', [stale]);
    await node.mine(2);
    await watcher.step();
    const alive = paidTo(scriptHex).filter((each) => each.standing.kind !== 'gone');
    expect(alive.reduce((sum, each) => sum + each.amountBaseUnits, 0n)).toBeLessThanOrEqual(100_000_000n);
    const best = new Set(store.blocks().map((block) => block.blockHash));
    for (const { standing } of alive) expect('blockHash' in standing && best.has(standing.blockHash)).toBe(true);
  });
});

describeWithNode('a watcher reading another coin, on a real node that serves plain bytes', () => {
  beforeAll(async () => {
    node = await startLitecoind({ plainBytes: true });
    rpc = createBitcoindRpc({ url: node.rpcUrl });
  });
  afterAll(async () => {
    await rpc?.close();
    await node?.stop();
  });

  test.each([
    ['Bitcoin', BITCOIN_FORMAT],
    ['Dogecoin', DOGECOIN_FORMAT],
    ['Dash', DASH_FORMAT],
  ])('%s: seen, mined, reorganised, mined again, confirmed', async (_coin, format) => {
    await startFresh(format);
    const { address, scriptHex } = await watchedAddress();
    await node.rpc('sendtoaddress', [address, 0.5]);
    await watcher.step();
    const [stale] = await node.mine(1);
    await watcher.step();
    await node.rpc('invalidateblock', [stale]);
    await watcher.step();
    await node.mine(2);
    await watcher.step();
    for (const mined of paidTo(scriptHex)) await verify(mined, 2);
    const told = sink.observations.map((each) => each.standing.kind);
    expect(told).toEqual(['mempool', 'block', 'mempool', 'block', 'confirmed']);
  });
});
