import type { UnixMs } from '../../../machines/index.ts';
import { beginScan } from '../sync/begin-scan.ts';
import type { CheckSchedule } from './balance-check/check-schedule.ts';
import { checkWatched } from './balance-check/check-watched.ts';
import { disconnectReorged } from './disconnect-reorged.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmChainParams } from './evm-params.ts';
import type { EvmHead, EvmReceipt } from './node/evm-node.ts';
import { unlessLeftChain } from './node/state-at.ts';
import { reasonBehind } from './node-behind.ts';
import { attributeLate } from './outputs/attribute-late.ts';
import { saveLate } from './outputs/late.ts';
import { type BatchDeps, type BatchResult, processBatch } from './outputs/process-batch.ts';
import { OVERLAP_BLOCKS } from './outputs/read-batch.ts';
import { reportThenRememberReorged } from './outputs/reorged-coins.ts';
import type { PendingVerifications } from './pending-verifications.ts';

export interface PollDeps extends BatchDeps {
  /** Called with the fork height of every reorganisation. */
  readonly onFork: (forkHeight: number) => void;
  /** Whether the trace of a block is still to be requested. */
  readonly isTracePending: (height: number) => boolean;
  readonly checkSchedule: CheckSchedule;
  readonly unverified: PendingVerifications;
}

export interface PollResult {
  readonly tipHeight: number;
  readonly finalizedHeight: number | null;
  /** Everything up to the head was scanned, reported and saved. */
  readonly caughtUp: boolean;
  readonly syncedUntil: UnixMs | null;
  /** The node had the state of the head. */
  readonly isComplete: boolean;
  readonly silentAssets: BatchResult['silentAssets'];
  /** No round completed: the responses contradicted each other, or the branch changed. */
  readonly isUnfinished: boolean;
}

/** Blocks read, reported and saved together. */
export const BLOCKS_PER_BATCH = 10;
/** Maximum number of rounds: a poll starts over when the branch changes. */
const POLL_ROUNDS = 6;

/** Polls once: disconnects reorged-out blocks, then processes new ones in batches (DESIGN.md). */
export async function pollOnce(deps: PollDeps, memory: EvmMemory): Promise<PollResult> {
  const startedAt = deps.clock.now();
  await deps.reporter.ready();
  let tipHeight = 0;
  let finalizedHeight: number | null = null;
  for (let round = 1; round <= POLL_ROUNDS; round += 1) {
    const heads = await deps.node.heads();
    tipHeight = heads.latest.height;
    finalizedHeight = heads.finalizedHeight;
    const behind = reasonBehind(heads, deps.params, startedAt);
    const tip = memory.chain.tip();
    if (tip === null) await beginScan(deps.node, memory, tipHeight, behind);
    else {
      const forkHeight = await disconnectReorged(deps, memory, tip, heads, behind);
      if (forkHeight !== null) handleFork(deps, memory, { forkHeight, seenHeight: tip.height, startedAt });
    }
    const isSynced = behind === null && !isShorterThanSeen(deps.params, memory, tipHeight, startedAt);
    const result = await followTo(deps, memory, heads.latest, isSynced, startedAt);
    if (result === null) continue;
    if (isSynced) memory.disconnected.height = null;
    const isSaved = memory.staleAbove === null;
    const isRequested = (height: number) => height > tipHeight - OVERLAP_BLOCKS || deps.isTracePending(height);
    if (isSaved) await attributeLate(deps, memory, isRequested);
    if (isSaved && isSynced && result.isComplete) await checkGroup(deps, memory, result.receipts);
    const { receipts: _, ...found } = result;
    return { tipHeight, finalizedHeight, caughtUp: isSynced && isSaved, isUnfinished: false, ...found };
  }
  deps.log.warn(
    { network: deps.params.network, tipHeight },
    'the branch changed, or the second node did not have a block, in every attempt; this poll ends before the head',
  );
  const nothing = { caughtUp: false, syncedUntil: null, isComplete: true, silentAssets: [] };
  return { tipHeight, finalizedHeight, ...nothing, isUnfinished: true };
}

// Helpers

function handleFork(
  { params, onFork, checkSchedule }: PollDeps,
  { disconnected }: EvmMemory,
  fork: { readonly forkHeight: number; readonly seenHeight: number; readonly startedAt: UnixMs },
): void {
  onFork(fork.forkHeight);
  checkSchedule.makeDue();
  if (params.staleAfterMs === null) return;
  disconnected.height = Math.max(disconnected.height ?? -1, fork.seenHeight);
  disconnected.since = fork.startedAt;
}

function isShorterThanSeen(
  { staleAfterMs }: EvmChainParams,
  { disconnected }: EvmMemory,
  tipHeight: number,
  now: UnixMs,
): boolean {
  return (
    disconnected.height !== null && tipHeight < disconnected.height && now - disconnected.since <= (staleAfterMs ?? 0)
  );
}

/** Runs last, so that nothing in the poll waits for it. */
async function checkGroup(deps: PollDeps, memory: EvmMemory, receipts: readonly EvmReceipt[]): Promise<void> {
  const group = await deps.checkSchedule.runIfDue(() => unlessLeftChain(checkWatched(deps, memory, receipts)));
  if (group === null) return;
  const { placed: found, reorged } = group;
  await reportThenRememberReorged(memory, { found, reorged }, (left) => saveLate(deps.reporter, memory, group, left));
}

/** Processes batches until the last one ends at the head. Null when the branch changed. */
async function followTo(
  deps: PollDeps,
  memory: EvmMemory,
  head: EvmHead,
  isSynced: boolean,
  startedAt: UnixMs,
): Promise<BatchResult | null> {
  const receipts: EvmReceipt[] = [];
  for (;;) {
    const tip = memory.chain.tip();
    if (tip === null || tip.height > head.height) return null;
    const toHeight = Math.min(head.height, tip.height + BLOCKS_PER_BATCH);
    const isLast = toHeight === head.height;
    const target = { toHeight, headHeight: head.height, head: isLast && isSynced ? head : null, startedAt };
    const result = await unlessLeftChain(processBatch(deps, memory, target));
    if (result === null) return null;
    receipts.push(...result.receipts);
    if (isLast) return { ...result, receipts };
  }
}
