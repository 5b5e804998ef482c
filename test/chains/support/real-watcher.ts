import {
  type BitcoindRpc,
  createBitcoindRpc,
  createUtxoWatcher,
  type Observation,
  type UtxoChainParams,
  type Watcher,
} from '../../../src/chains/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Litecoind } from '../../support/nodes/litecoind.ts';
import { createMemorySink, createMemoryStore, createMemoryWatchSet, silentLog } from './watcher-store.ts';

/** Generous, because the machine may be busy. */
const TIMEOUT_MS = 20_000;

/** A watcher of a real node. Its store, sink and watch set are in memory and survive restarts. */
export function createRealWatcher({ params, url }: RealWatcherOptions) {
  const clients: BitcoindRpc[] = [];
  const store = createMemoryStore();
  const sink = createMemorySink();
  const watchSet = createMemoryWatchSet();
  let polls = 0;
  /** Each poll is a second later than the previous one: the watermark has whole seconds. */
  const clock = { now: () => systemClock.now() + polls * 1_000 };

  function build(timeoutMs: number): Watcher {
    const rpc = createBitcoindRpc({ url, timeoutMs });
    clients.push(rpc);
    return createUtxoWatcher({ params, rpc, store, watchSet, sink: sink.sink, clock, log: silentLog });
  }

  let watcher = build(TIMEOUT_MS);

  /** The newest observation of each output that pays a script. */
  function paidTo(scriptHex: string): Observation[] {
    const ids = new Set(sink.observations.filter((each) => each.watchKey === scriptHex).map((each) => each.outputId));
    return [...ids].flatMap((outputId) => sink.last(outputId) ?? []);
  }

  return {
    store,
    sink,
    clock,
    paidTo,
    statuses: (scriptHex: string) => paidTo(scriptHex).map((each) => each.status),
    /** The reports in order. */
    reported: () =>
      sink.observations.map(({ status }) => (status.kind === 'gone' ? `gone:${status.reason}` : status.kind)),
    step() {
      polls += 1;
      return watcher.step();
    },
    status: () => watcher.status(),
    rescan: (fromHeight: number, toHeight: number) => watcher.rescan({ fromHeight, toHeight }),
    /** Discards the watcher and its state, and creates another one over the same store. */
    restart({ timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
      watcher = build(timeoutMs);
    },
    async verify(observation: Observation, requiredConfirmations: number): Promise<void> {
      const { status, network: _network, order: _order, ...output } = observation;
      const reportedHeight = 'height' in status ? status.height : null;
      await watcher.verify({ outputs: [{ output: { ...output, spends: [] }, requiredConfirmations, reportedHeight }] });
    },
    /** A new address of the node's wallet, watched from the next poll on. */
    async watchedAddress(node: Litecoind) {
      const made = await node.newAddress();
      watchSet.add(made.scriptHex);
      return made;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

export interface RealWatcherOptions {
  readonly params: UtxoChainParams;
  readonly url: string;
}

export type RealWatcher = ReturnType<typeof createRealWatcher>;

/**
 * Signs a conflicting transaction that spends the coins of `txid` and pays everything, minus a high
 * fee, to `address`.
 */
export async function doubleSpend(node: Litecoind, txid: string, address: string): Promise<string> {
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
