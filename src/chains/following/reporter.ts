import type { ChainOrder } from '../../../machines/index.ts';
import { RetryableError } from '../../errors.ts';
import type { Observation, ObservationSink, Progress, Standing, TrackedOutput, WatcherStore } from '../port.ts';
import { rememberGone, type WatcherMemory } from './memory.ts';

/** What is to be said about one output. */
export interface Finding {
  readonly output: TrackedOutput;
  readonly standing: Standing;
  /** Outputs of its account that this report, or one before, calls gone or smaller; most important first. */
  readonly outdates?: readonly string[];
}

/** Numbers findings and hands them to the sink, so that no crash in between loses track of an output. */
export interface Reporter {
  /** Takes the fencing epoch; must have resolved before `report`. */
  ready(): Promise<void>;
  /**
   * Notes in the store what will be followed, then reports, then remembers what the sink accepted. Must come
   * before the progress it belongs to is saved. `isAsked`: somebody waits for these, also where they are nothing new.
   */
  report(memory: WatcherMemory, findings: readonly Finding[], telling?: { readonly isAsked: boolean }): Promise<void>;
  /** Tells something else under the epoch. What refuses it as that of a replaced watcher makes the next look take a new one. */
  inTurn(tell: (epoch: number) => Promise<void>): Promise<void>;
  /** Saves progress, and with it the list of unsettled outputs as it is after the report. */
  saveProgress(memory: WatcherMemory, progress: Omit<Progress, 'unsettled'>): Promise<void>;
}

const COUNTER_SPAN = 2 ** 32;
/** More at once would keep the broker busy for longer than it may take over one of them. */
const TOLD_TOGETHER = 250;
/** Bounds what a payment keeps of hundreds of outputs that change at once. */
const MAX_OUTDATED = 8;
const UNASKED = { isAsked: false };

export function createReporter(network: string, store: WatcherStore, sink: ObservationSink): Reporter {
  let epoch: number | null = null;
  let counter = 0;

  async function ready(): Promise<void> {
    if (epoch !== null && counter < COUNTER_SPAN / 2) return;
    epoch = await store.nextEpoch();
    counter = 0;
  }

  /** What the store refuses may have been refused because of the epoch, so the next look takes a new one. */
  async function keepEpoch(write: Promise<void>): Promise<void> {
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

  /** `before`: the order at which the report begins. `named`: the outputs that some finding of it outdates. */
  function toObservation(
    { output, standing, outdates }: Finding,
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
      order: nextOrder(),
      firstSeenAt: output.firstSeenAt,
      spends: output.spends,
      ...(named.has(output.outputId) ? { isOutdating: true } : {}),
      ...(outdates === undefined ? {} : { outdates: { outputIds: outdates.slice(0, MAX_OUTDATED), before } }),
      standing,
    };
  }

  async function report(memory: WatcherMemory, findings: readonly Finding[], { isAsked } = UNASKED): Promise<void> {
    await writeAhead(memory, findings);
    const before = orderNow();
    const named = new Set(findings.flatMap(({ outdates = [] }) => outdates.slice(0, MAX_OUTDATED)));
    for (let start = 0, end = 0; start < findings.length; start = end) {
      end = endOfPart(findings, start);
      const together = findings.slice(start, end);
      await inTurn((turn) =>
        sink(
          together.map((each) => toObservation(each, before, named)),
          { epoch: turn, isAsked },
        ),
      );
    }
    for (const finding of findings) noteAccepted(memory, finding);
  }

  async function inTurn(tell: (epoch: number) => Promise<void>): Promise<void> {
    if (epoch === null) throw new Error('reporter used before it was ready');
    try {
      await tell(epoch);
    } catch (error) {
      if (error instanceof RetryableError && error.code === 'WATCHER_FENCED') epoch = null;
      throw error;
    }
  }

  function noteAccepted(memory: WatcherMemory, { output, standing }: Finding): void {
    const { outputId } = output;
    if (standing.kind === 'gone') {
      memory.reported.delete(outputId);
      if (output.txid !== null) memory.conflictedTxids.delete(output.txid);
      rememberGone(memory, outputId, standing.reason);
    } else {
      memory.reported.set(outputId, standing);
    }
    if (standing.kind === 'mempool') memory.unsettled.set(outputId, { output, fellOut: false });
    else memory.unsettled.delete(outputId);
  }

  async function writeAhead(memory: WatcherMemory, findings: readonly Finding[]): Promise<void> {
    const follow = new Map([...memory.unsettled].map(([outputId, { output }]) => [outputId, output]));
    for (const { output, standing } of findings) {
      // What is in a saved block is followed through that block; as unsettled it would be looked for in vain.
      const isSaved = 'height' in standing && standing.height <= memory.savedHeight;
      if (standing.kind !== 'gone' && !isSaved) follow.set(output.outputId, output);
    }
    if ([...follow.keys()].every((outputId) => memory.savedUnsettledIds.has(outputId))) return;
    await keepEpoch(store.saveUnsettled([...follow.values()]));
    memory.savedUnsettledIds = new Set(follow.keys());
  }

  async function saveProgress(memory: WatcherMemory, progress: Omit<Progress, 'unsettled'>): Promise<void> {
    const ids = new Set(memory.unsettled.keys());
    const unchanged =
      ids.size === memory.savedUnsettledIds.size && [...ids].every((id) => memory.savedUnsettledIds.has(id));
    const unsettled = unchanged ? null : [...memory.unsettled.values()].map(({ output }) => output);
    await keepEpoch(store.saveProgress({ ...progress, unsettled }));
    memory.savedUnsettledIds = ids;
    memory.savedHeight = progress.cursor.height;
  }

  return { ready, report, inTurn, saveProgress };
}

// Helpers

/**
 * Splits batches between addresses, because outputs of one address may outdate each other. Splits
 * inside an address only if it exceeds the batch size.
 */
function endOfPart(findings: readonly Finding[], start: number): number {
  const last = start + TOLD_TOGETHER;
  for (let end = last; end > start; end -= 1) {
    if (findings[end - 1]?.output.watchKey !== findings[end]?.output.watchKey) return end;
  }
  return last;
}
