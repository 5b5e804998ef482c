import type { ChainOrder } from '../../../machines/index.ts';
import { RetryableError } from '../../platform/errors.ts';
import type {
  Observation,
  ObservationSink,
  OutputStatus,
  Progress,
  ReorgedOutput,
  TrackedOutput,
  WatcherStore,
} from '../port.ts';
import { rememberGone, type WatcherMemory } from './memory.ts';

/** A new status of one output, to be reported. */
export interface Finding {
  readonly output: TrackedOutput;
  readonly status: OutputStatus;
  /** Outputs of its account that this or an earlier report marks gone or smaller, by importance. */
  readonly outdates?: readonly string[];
}

/** Assigns orders to findings and sends them to the sink so that a crash never loses an output. */
export interface Reporter {
  /** Acquires the fencing epoch; must have resolved before `report`. */
  ready(): Promise<void>;
  /**
   * Saves the outputs to track, sends the observations, then records what the sink accepted. Call
   * it before saving the progress it belongs to.
   */
  report(memory: WatcherMemory, findings: readonly Finding[], options?: ReportingOptions): Promise<void>;
  /** Runs `work` under the current epoch. On `WATCHER_FENCED` the next poll acquires a new one. */
  underEpoch(work: (epoch: number) => Promise<void>): Promise<void>;
  /**
   * Saves progress together with what changed in the unsettled outputs. Writes nothing when that is
   * as it was saved last.
   */
  saveProgress(memory: WatcherMemory, progress: BareProgress): Promise<void>;
}

type BareProgress = Omit<Progress, 'unsettled'>;

export interface ReportingOptions {
  /** The caller waits for a result, so publish known observations too. */
  readonly isForced?: boolean;
  /** Reorged outputs to save with the outputs to track: these have taken over first-seen times. */
  readonly reorged?: readonly ReorgedOutput[] | undefined;
}

const COUNTER_SPAN = 2 ** 32;
/** Observations per batch; a larger one could exceed the broker's timeout for one message. */
const MAX_OBSERVATIONS_PER_REPORT = 250;
/** Limits what a payment stores when hundreds of outputs change together. */
const MAX_OUTDATED = 8;

export function createReporter(network: string, store: WatcherStore, sink: ObservationSink): Reporter {
  let epoch: number | null = null;
  let counter = 0;
  /** Null when nothing was saved under this epoch yet. */
  let lastProgress: BareProgress | null = null;

  async function ready(): Promise<void> {
    if (epoch !== null && counter < COUNTER_SPAN / 2) return;
    epoch = await store.nextEpoch();
    counter = 0;
    lastProgress = null;
  }

  /** A failed write may have been fenced, so the next poll acquires a new epoch. */
  async function dropEpochOnFailure(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (error) {
      epoch = null;
      throw error;
    }
  }

  function orderNow(): ChainOrder {
    if (epoch === null || counter >= COUNTER_SPAN) throw new Error('reporter used before it was ready');
    return epoch * COUNTER_SPAN + counter;
  }

  function nextOrder(): ChainOrder {
    const order = orderNow();
    counter += 1;
    return order;
  }

  /** `before`: the report's first order. `named`: outputs listed in any finding's `outdates`. */
  function toObservation(
    { output, status, outdates }: Finding,
    before: ChainOrder,
    named: ReadonlySet<string>,
  ): Observation {
    return {
      network,
      outputId: output.outputId,
      txid: output.txid,
      watchKey: output.watchKey,
      asset: output.asset,
      amountBaseUnits: output.amountBaseUnits,
      ...(output.isUnproven === true ? { isUnproven: true } : {}),
      order: nextOrder(),
      firstSeenAt: output.firstSeenAt,
      spends: output.spends,
      ...(named.has(output.outputId) ? { isOutdating: true } : {}),
      ...(outdates === undefined ? {} : { outdates: { outputIds: outdates.slice(0, MAX_OUTDATED), before } }),
      status,
    };
  }

  async function report(
    memory: WatcherMemory,
    findings: readonly Finding[],
    { isForced = false, reorged }: ReportingOptions = {},
  ): Promise<void> {
    await writeAhead(memory, findings, reorged);
    const before = orderNow();
    const named = new Set(findings.flatMap(({ outdates = [] }) => outdates.slice(0, MAX_OUTDATED)));
    for (let start = 0, end = 0; start < findings.length; start = end) {
      end = endOfBatch(findings, start);
      const together = findings.slice(start, end);
      await underEpoch((current) =>
        sink(
          together.map((each) => toObservation(each, before, named)),
          { epoch: current, isForced },
        ),
      );
    }
    for (const finding of findings) rememberReported(memory, finding);
  }

  async function underEpoch(work: (epoch: number) => Promise<void>): Promise<void> {
    if (epoch === null) throw new Error('reporter used before it was ready');
    try {
      await work(epoch);
    } catch (error) {
      if (error instanceof RetryableError && error.code === 'WATCHER_FENCED') epoch = null;
      throw error;
    }
  }

  function rememberReported(memory: WatcherMemory, { output, status }: Finding): void {
    const { outputId } = output;
    if (status.kind === 'gone') {
      memory.reported.delete(outputId);
      if (output.txid !== null) memory.conflictedTxids.delete(output.txid);
      rememberGone(memory, outputId, status.reason);
    } else {
      memory.reported.set(outputId, status);
    }
    if (status.kind === 'mempool') memory.unsettled.set(outputId, { output, wasReorged: false });
    else memory.unsettled.delete(outputId);
  }

  async function writeAhead(
    memory: WatcherMemory,
    findings: readonly Finding[],
    reorged: ReportingOptions['reorged'],
  ): Promise<void> {
    const follow = new Map([...memory.unsettled].map(([outputId, { output }]) => [outputId, output]));
    for (const { output, status } of findings) {
      // An output in a saved block is tracked through that block, so it is not unsettled.
      const isSaved = 'height' in status && status.height <= memory.savedHeight;
      if (status.kind !== 'gone' && !isSaved) follow.set(output.outputId, output);
    }
    const unsaved = notSaved(memory, follow.values());
    if (unsaved.length === 0 && reorged === undefined) return;
    await dropEpochOnFailure(store.saveUnsettled(unsaved, reorged));
    for (const output of unsaved) memory.savedUnsettled.set(output.outputId, output);
  }

  async function saveProgress(memory: WatcherMemory, progress: BareProgress): Promise<void> {
    const saved = notSaved(
      memory,
      [...memory.unsettled.values()].map(({ output }) => output),
    );
    const settledIds = [...memory.savedUnsettled.keys()].filter((outputId) => !memory.unsettled.has(outputId));
    // Polls of one head would write the same row again and again.
    if (saved.length === 0 && settledIds.length === 0 && repeats(lastProgress, progress)) return;
    await dropEpochOnFailure(store.saveProgress({ ...progress, unsettled: { saved, settledIds } }));
    lastProgress = progress;
    for (const output of saved) memory.savedUnsettled.set(output.outputId, output);
    for (const outputId of settledIds) memory.savedUnsettled.delete(outputId);
    memory.savedHeight = progress.cursor.height;
  }

  return { ready, report, underEpoch, saveProgress };
}

// Helpers

function repeats(last: BareProgress | null, { cursor, reorged = [], balances = [], ...now }: BareProgress): boolean {
  const isSame = last?.cursor.blockHash === cursor.blockHash && last.syncedUntil === now.syncedUntil;
  if (!isSame || last.tipHeight !== now.tipHeight || now.forkHeight !== cursor.height) return false;
  if (now.blocks.length > 0 || balances.length > 0 || (now.nextChecks ?? []).length > 0) return false;
  const before = last.reorged ?? [];
  return before.length === reorged.length && before.every((each, index) => each === reorged[index]);
}

function notSaved({ savedUnsettled }: WatcherMemory, outputs: Iterable<TrackedOutput>): TrackedOutput[] {
  return [...outputs].filter((output) => savedUnsettled.get(output.outputId) !== output);
}

/**
 * Splits batches between addresses, because outputs of one address may outdate each other. Splits
 * inside an address only if it exceeds the batch size.
 */
function endOfBatch(findings: readonly Finding[], start: number): number {
  const last = start + MAX_OBSERVATIONS_PER_REPORT;
  for (let end = last; end > start; end -= 1) {
    if (findings[end - 1]?.output.watchKey !== findings[end]?.output.watchKey) return end;
  }
  return last;
}
