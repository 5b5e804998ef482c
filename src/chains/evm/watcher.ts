import type { UnixMs } from '../../../machines/index.ts';
import { messageOf } from '../../platform/errors.ts';
import { createMutex } from '../../platform/mutex.ts';
import type { ObservationSink, RescanRange, VerifyRequest, Watcher } from '../port.ts';
import { forgetOldBlocks } from '../sync/memory.ts';
import { createReporter } from '../sync/reporter.ts';
import { UnreadableOutputsError } from '../unreadable-outputs.ts';
import { createCheckSchedule } from './balance-check/check-schedule.ts';
import { disagreementWarning } from './balance-check/confirmed-balances.ts';
import { type Disagreement, type DisconnectedBranch, type EvmMemory, loadEvmMemory } from './evm-memory.ts';
import { createRetriedTraces } from './node/retried-traces.ts';
import { createMissingLogs } from './outputs/missing-logs.ts';
import type { BatchDeps } from './outputs/process-batch.ts';
import { createPendingVerifications } from './pending-verifications.ts';
import { type PollDeps, type PollResult, pollOnce } from './poll.ts';
import { rescanBlocks } from './rescan.ts';
import { searchTransaction } from './search.ts';
import { verifyOutputs } from './verify-outputs.ts';

export interface EvmWatcherDeps extends Omit<BatchDeps, 'reporter'> {
  readonly sink: ObservationSink;
  /** Blocks kept in memory; deeper reorganisations are looked up in the store. */
  readonly historyBlocks?: number;
  /**
   * Pause in milliseconds between two groups of the balance check of watched addresses; default one
   * minute.
   */
  readonly balanceCheckEveryMs?: number;
}

const HISTORY_BLOCKS = 1_000;
/** This many incomplete polls in a row cannot be caused by reorganisations alone. */
const UNFINISHED_POLLS = 5;

/**
 * Watches one EVM network: native payments, tokens, and native coins sent by contracts. `step`,
 * `verify` and `rescan` run one at a time. When one fails, all memory is dropped and loaded from
 * the store again, as after a crash; except what is not saved (`kept`).
 * An `UnreadableOutputsError` drops nothing: its poll was saved, and only reading failed.
 */
export function createEvmWatcher(deps: EvmWatcherDeps): Watcher {
  const { params, store, log } = deps;
  const network = params.network;
  const traces = createRetriedTraces(deps.node, deps.clock);
  const checkSchedule = createCheckSchedule(deps.clock, deps.balanceCheckEveryMs);
  const unverified = createPendingVerifications(deps.clock);
  const pollDeps: PollDeps = {
    ...deps,
    node: { ...deps.node, internalTransfers: traces.internalTransfers },
    isTracePending: traces.isPending,
    checkSchedule,
    unverified,
    reporter: createReporter(network, store, deps.sink),
    onFork: warnBelowFinality,
  };
  const historyBlocks = deps.historyBlocks ?? HISTORY_BLOCKS;
  const exclusive = createMutex();
  const disconnected: DisconnectedBranch = { height: null, since: 0 };
  const missingLogs = createMissingLogs();
  const kept = { disconnected, missingLogs, disagreements: new Map<string, Disagreement>() };
  let memory: EvmMemory | null = null;
  let cursorHeight: number | null = null;
  let tipHeight: number | null = null;
  let finalizedHeight = -1;
  let syncedUntil: UnixMs | null = null;
  let lastError: string | null = null;
  let brokenFinality: string | null = null;
  let lacksState = false;
  let silentAssets: PollResult['silentAssets'] = [];
  let unfinishedPolls = 0;

  /** Runs a section with loaded memory; a failure drops the memory, unless only reading failed. */
  function withMemory<T>(section: (loaded: EvmMemory) => Promise<T>): Promise<T> {
    return exclusive(async () => {
      try {
        if (memory === null) {
          // Acquire the epoch before reading: the previous leader can then save nothing that would
          // be missed.
          await pollDeps.reporter.ready();
          memory = await loadEvmMemory(store, historyBlocks, kept);
        }
        // Until balances can be read after a reorganisation, blocks are neither reported nor saved.
        if (memory.staleAbove === null) forgetOldBlocks(memory, historyBlocks);
        const result = await section(memory);
        for (const output of memory.lateFound.splice(0)) missingLogs.found(output);
        lastError = null;
        return result;
      } catch (error) {
        if (!(error instanceof UnreadableOutputsError)) memory = null;
        lastError = messageOf(error);
        throw error;
      }
    });
  }

  async function poll(loaded: EvmMemory): Promise<PollResult> {
    const result = await pollOnce(pollDeps, loaded);
    cursorHeight = loaded.chain.tip()?.height ?? null;
    tipHeight = result.tipHeight;
    finalizedHeight = Math.max(finalizedHeight, result.finalizedHeight ?? -1);
    syncedUntil = result.syncedUntil ?? syncedUntil;
    lacksState = !result.isComplete;
    silentAssets = result.silentAssets;
    unfinishedPolls = result.isUnfinished ? unfinishedPolls + 1 : 0;
    return result;
  }

  /** Finalised blocks are never undone unless the network itself, or the node, is broken. */
  function warnBelowFinality(forkHeight: number): void {
    if (forkHeight >= finalizedHeight) return;
    brokenFinality =
      `The chain was reorganised down to block ${forkHeight}, although block ${finalizedHeight} was final. ` +
      'Compare the node with others of this network before delivering anything.';
    log.error({ network, forkHeight, finalizedHeight }, 'the chain was reorganised below its final block');
  }

  function warnings(): string[] {
    const silent = silentAssets.map((asset) => {
      return `The ${asset} contract returns no balances. Check the contract configured for ${asset}.`;
    });
    const blind =
      'The node does not have the state of its newest block. Use one that keeps the state of recent blocks.';
    const contradicting =
      `The last ${unfinishedPolls} polls did not complete, because responses of the node contradicted each other: payment windows ` +
      'of this network are held open. Compare the node with others, or use another one.';
    const disconnectedHeight = disconnected.height;
    const shorter =
      `The chain was reorganised and is shorter than before. Until block ${disconnectedHeight} or a time limit, payment ` +
      'windows of this network are held open and nothing is confirmed.';
    const untraced = traces.warning();
    const checkWarning = checkSchedule.warning();
    return [
      ...(brokenFinality === null ? [] : [brokenFinality]),
      ...(lacksState ? [blind] : []),
      ...(disconnectedHeight === null ? [] : [shorter]),
      ...(unfinishedPolls >= UNFINISHED_POLLS ? [contradicting] : []),
      ...(untraced === null ? [] : [untraced]),
      ...(checkWarning === null ? [] : [checkWarning]),
      ...silent,
      ...missingLogs.warnings(deps.clock.now()),
      ...[...kept.disagreements.values()].map(disagreementWarning),
      ...unverified.warnings(),
    ];
  }

  return {
    network,
    step: () => withMemory(async (loaded) => void (await poll(loaded))),
    verify: (request: VerifyRequest) =>
      withMemory((loaded) => verifyOutputs(pollDeps, loaded, request, () => poll(loaded))),
    rescan: (range: RescanRange) => withMemory((loaded) => rescanBlocks(pollDeps, loaded, range, () => poll(loaded))),
    search: (txid: string, height?: number) =>
      withMemory((loaded) => searchTransaction(pollDeps, loaded, { txid, height }, () => poll(loaded))),
    status: () => ({ network, cursorHeight, tipHeight, syncedUntil, lastError, warnings: warnings() }),
  };
}
