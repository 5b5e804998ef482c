import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { messageOf, RetryableError, TerminalError } from '../../platform/errors.ts';
import type { EventLog } from '../../platform/log.ts';
import { createMutex } from '../../platform/mutex.ts';
import type {
  ObservationSink,
  RescanRange,
  SearchInput,
  SearchResult,
  VerifyRequest,
  Watcher,
  WatcherStore,
  WatchSet,
} from '../port.ts';
import { RpcError } from '../rpc/rpc-call.ts';
import { forgetOldBlocks, loadMemory, type WatcherMemory } from '../sync/memory.ts';
import { createReporter } from '../sync/reporter.ts';
import type { UtxoChainParams } from './chain-params.ts';
import { createMempoolMirror } from './mempool.ts';
import { createUtxoNode, type UtxoNode } from './node.ts';
import { type PollDeps, type PollResult, pollOnce } from './poll.ts';
import { requireNetwork } from './require-network.ts';
import { rescanBlocks } from './rescan.ts';
import type { UtxoRpc } from './rpc.ts';
import { verifyOutputs } from './verify-outputs.ts';

export interface UtxoWatcherDeps {
  readonly params: UtxoChainParams;
  readonly rpc: UtxoRpc;
  readonly store: WatcherStore;
  /** Keys are output scripts in lower-case hex. */
  readonly watchSet: WatchSet;
  readonly sink: ObservationSink;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Blocks kept in memory and loaded from the store; deeper reorgs are read from the node. */
  readonly historyBlocks?: number;
}

const HISTORY_BLOCKS = 1_000;

/**
 * Watches one Bitcoin-like network through a node's JSON-RPC. `step`, `verify` and `rescan` are
 * mutually exclusive. When one fails, all memory is dropped and reloaded from the store, as after a
 * crash.
 */
export function createUtxoWatcher(deps: UtxoWatcherDeps): Watcher {
  const { params, store, watchSet, clock, log } = deps;
  const network = params.network;
  const node = createUtxoNode(deps.rpc, params.format);
  const pollDeps: PollDeps = {
    params,
    node,
    store,
    watchSet,
    clock,
    log,
    mempool: createMempoolMirror(node, params.asset, clock),
    reporter: createReporter(network, store, deps.sink),
  };
  const historyBlocks = deps.historyBlocks ?? HISTORY_BLOCKS;
  const exclusive = createMutex();
  let memory: WatcherMemory | null = null;
  let cursorHeight: number | null = null;
  let tipHeight: number | null = null;
  let syncedUntil: UnixMs | null = null;
  let lastError: string | null = null;
  let warnings: readonly string[] = [];

  /** Runs a section with loaded memory; after a failure, memory and network check start over. */
  function withMemory<T>(section: (loaded: WatcherMemory) => Promise<T>): Promise<T> {
    return exclusive(async () => {
      try {
        if (memory === null) {
          await requireNetwork(node, params);
          // Acquire the epoch before loading: the previous holder then can no longer write.
          await pollDeps.reporter.ready();
          memory = await loadMemory(store, historyBlocks);
        }
        forgetOldBlocks(memory, historyBlocks);
        const result = await section(memory);
        lastError = null;
        return result;
      } catch (error) {
        memory = null;
        pollDeps.mempool.forgetReadingTime();
        lastError = messageOf(error);
        throw error;
      }
    });
  }

  async function poll(loaded: WatcherMemory): Promise<PollResult> {
    const result = await pollOnce(pollDeps, loaded);
    cursorHeight = loaded.chain.tip()?.height ?? null;
    tipHeight = result.tipHeight;
    syncedUntil = result.syncedUntil ?? syncedUntil;
    warnings = result.warnings;
    return result;
  }

  return {
    network,
    step: () => withMemory(async (loaded) => void (await poll(loaded))),
    verify: (request: VerifyRequest) =>
      withMemory((loaded) => verifyOutputs(pollDeps, loaded, request, () => poll(loaded))),
    rescan: (range: RescanRange) => withMemory((loaded) => rescanBlocks(pollDeps, loaded, range, () => poll(loaded))),
    search: (txid: string, height?: number) =>
      withMemory((loaded) => searchTransaction(pollDeps, loaded, { txid, height }, () => poll(loaded))),
    status: () => ({ network, cursorHeight, tipHeight, syncedUntil, lastError, warnings }),
  };
}

// Helpers

/**
 * Reads the block of a transaction again, found by the node's `txindex`, by its unspent outputs, or
 * else by the given height. Otherwise polls, which finds it in the mempool.
 */
async function searchTransaction(
  deps: PollDeps,
  memory: WatcherMemory,
  input: SearchInput,
  poll: () => Promise<PollResult>,
): Promise<SearchResult> {
  const height = (await findHeight(deps.node, input.txid)) ?? input.height ?? null;
  if (height === null) {
    await poll();
    return { height, outputs: 0 };
  }
  const { outputs } = await rescanBlocks(deps, memory, { fromHeight: height, toHeight: height }, poll);
  return { height, outputs };
}

async function findHeight(node: UtxoNode, txid: string): Promise<number | null> {
  const [blockHash] = await node.indexedBlockHashes([txid]);
  if (typeof blockHash === 'string') {
    const [height] = await node.heightsOf([blockHash]);
    return height ?? null;
  }
  try {
    return await node.heightOfUnspent(txid);
  } catch (error) {
    if (error instanceof RetryableError || !(error instanceof RpcError || error instanceof TerminalError)) throw error;
    // The node lacks the method, or its `rpcwhitelist` excludes it.
    return null;
  }
}
