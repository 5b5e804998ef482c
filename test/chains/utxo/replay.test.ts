import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BitcoindRpc, createBitcoindRpc, createUtxoWatcher, utxoChain } from '../../../src/chains/index.ts';
import { addressNetwork, parseNetworkName } from '../../../src/wallets/index.ts';
import {
  REPLAYED_NETWORKS,
  type RecordedBlock,
  type RecordedTransaction,
  type ReplayedNetwork,
  type ReplayNode,
  startReplayNode,
} from '../../support/nodes/replay-node.ts';
import { scriptOfAddress } from '../../wallets/script-of-address.ts';
import { createMemorySink, createMemoryStore, createMemoryWatchSet, silentLog } from '../support/watcher-store.ts';

/** Real blocks of all coins, served in each coin's dialect, and what the watcher reports. */

const VECTORS = new URL('../../vectors/', import.meta.url);
const NETWORKS = Object.keys(REPLAYED_NETWORKS).filter((name): name is ReplayedNetwork => name in REPLAYED_NETWORKS);
/** Blocks above a recording, so that others follow it, as on a real chain. */
const BLOCKS_ABOVE = 3;

let node: ReplayNode;
let rpc: BitcoindRpc;

function startWatcher(watchKeys: Iterable<string>) {
  const sink = createMemorySink();
  const store = createMemoryStore();
  const watcher = createUtxoWatcher({
    params: utxoChain(node.network),
    rpc,
    store,
    sink: sink.sink,
    watchSet: createMemoryWatchSet([...watchKeys]),
    clock: node,
    log: silentLog,
  });
  return { watcher, sink, store };
}

/** Scripts of every second address of a block, from the address codec, not the block parser. */
function sampleScripts(block: RecordedBlock): Map<string, string> {
  const addresses = [...new Set(block.outputs.flatMap(({ address }) => address ?? []))];
  const sampled = addresses.filter((_, index) => index % 2 === 0);
  return new Map(sampled.map((address) => [address, scriptOf(address)]));
}

function scriptOf(address: string): string {
  const { chain, kind } = parseNetworkName(node.network);
  const network = addressNetwork(chain, kind);
  const scriptHex = network.family === 'utxo' ? scriptOfAddress(network, address) : null;
  if (scriptHex === null) throw new Error(`${address} is not an address of ${node.network}`);
  return scriptHex;
}

/** All outputs of the block that pay one of the scripts, named as a watcher names them. */
function expectedOutputs(block: RecordedBlock, scripts: ReadonlyMap<string, string>) {
  return block.outputs
    .filter(({ address }) => address !== null && scripts.has(address))
    .map(({ txid, n, valueSat, address }) => ({
      outputId: `${txid}:${n}`,
      txid,
      watchKey: scripts.get(address ?? ''),
      amountBaseUnits: BigInt(valueSat),
      status: { kind: 'block', height: block.height, blockHash: block.hash },
    }));
}

function loadTransactions(): readonly (RecordedTransaction & {
  readonly coin: string;
  readonly vout: readonly Vout[];
})[] {
  return JSON.parse(readFileSync(new URL('transactions.json', VECTORS), 'utf8')).vectors;
}

interface Vout {
  readonly n: number;
  readonly scriptPubKey: string;
}

function loadMwebTransactions(): readonly RecordedTransaction[] {
  const recorded: readonly { readonly name: string; readonly hex: string }[] = JSON.parse(
    readFileSync(new URL('ltc-mweb-transactions.json', VECTORS), 'utf8'),
  );
  // The node lists MWEB-only transactions by an id that is not derived from their bytes.
  return recorded.map(({ name, hex }) => ({
    txid: Buffer.from(name).toString('hex').padStart(64, '0').slice(-64),
    hex,
  }));
}

describe.each(NETWORKS)('recorded blocks of %s', (network) => {
  beforeAll(async () => {
    node = await startReplayNode(network);
    rpc = createBitcoindRpc({ url: node.url });
  });
  afterAll(async () => {
    await rpc?.close();
    await node?.stop();
  });

  test('yield every payment to the watched addresses, with amount and transaction, and no other', async () => {
    for (const block of node.blocks) {
      node.setTip(block.height + BLOCKS_ABOVE);
      const scripts = sampleScripts(block);
      const { watcher, sink, store } = startWatcher(scripts.values());
      await watcher.step();
      const expected = expectedOutputs(block, scripts);
      expect(expected.length, 'the sample is worth something').toBeGreaterThan(0);
      expect(sink.observations).toHaveLength(expected.length);
      for (const [index, output] of expected.entries()) expect(sink.observations[index]).toMatchObject(output);
      expect(store.syncedUntil()).toBe(node.now());
    }
  });

  test('are confirmed at their depth', async () => {
    for (const block of node.blocks) {
      node.setTip(block.height + BLOCKS_ABOVE);
      const scripts = sampleScripts(block);
      const { watcher, sink } = startWatcher(scripts.values());
      await watcher.step();
      const outputs = sink.observations.map(({ status: _status, order: _order, network: _network, ...output }) => ({
        output: { ...output, spends: [] },
        requiredConfirmations: BLOCKS_ABOVE + 1,
        reportedHeight: block.height,
      }));
      await watcher.verify({ outputs });
      for (const { output } of outputs) {
        expect(sink.last(output.outputId)?.status).toMatchObject({ kind: 'confirmed', blockHash: block.hash });
      }
    }
  });

  test('are found by a rescan, however far they are below the tip', async () => {
    node.setTip((node.blocks.at(-1)?.height ?? 0) + 100);
    for (const block of node.blocks) {
      const scripts = sampleScripts(block);
      const { watcher, sink } = startWatcher(scripts.values());
      const expected = expectedOutputs(block, scripts);
      const range = { fromHeight: block.height - 1, toHeight: block.height + 1 };
      expect(await watcher.rescan(range)).toEqual({ blocks: 3, outputs: expected.length });
      expect(sink.observations.map((each) => each.outputId)).toEqual(expected.map((each) => each.outputId));
    }
  });

  test('and recorded transactions in the mempool, of any form, are seen', async () => {
    const coin = node.blocks[0]?.coin;
    const waiting = loadTransactions().filter(
      (transaction) => transaction.coin === coin && transaction.vout.length > 0,
    );
    expect(waiting.length).toBeGreaterThan(0);
    node.setMempool([...waiting, ...(coin === 'LTC' ? loadMwebTransactions() : [])]);
    const paid = waiting.flatMap(({ txid, vout }) => vout.map(({ n, scriptPubKey }) => [`${txid}:${n}`, scriptPubKey]));
    const { watcher, sink, store } = startWatcher(paid.map(([, scriptHex]) => scriptHex ?? ''));
    await watcher.step();
    expect(new Set(sink.observations.map((each) => each.outputId))).toEqual(
      new Set(paid.map(([outputId]) => outputId)),
    );
    expect(new Set(sink.observations.map((each) => each.status.kind))).toEqual(new Set(['mempool']));
    expect(store.syncedUntil()).toBe(node.now());
  });
});
