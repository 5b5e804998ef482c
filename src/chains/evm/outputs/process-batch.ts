import type { UnixMs } from '../../../../machines/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { EventLog } from '../../../platform/log.ts';
import type {
  AccountChange,
  AccountReader,
  BalanceDropSink,
  OpenAccount,
  TrackedOutput,
  WatcherStore,
  WatchSet,
} from '../../port.ts';
import { forgetOldReports } from '../../sync/memory.ts';
import type { Finding, Reporter } from '../../sync/reporter.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import { areCompared, type BalanceCheck, checkBalances } from '../balance-check/check-balances.ts';
import { coinFlows } from '../balance-check/coin-flows.ts';
import { WIDE_OVERLAP_MS } from '../balance-check/token-balances.ts';
import { type BalanceMismatch, type EvmMemory, forgetSeenLogs } from '../evm-memory.ts';
import type { EvmChainParams } from '../evm-params.ts';
import type { EvmHead, EvmNode, EvmReceipt } from '../node/evm-node.ts';
import { findingsOf, type OutputReadings } from './batch-findings.ts';
import { findInternalAgain } from './find-again.ts';
import { addLateOutput } from './late.ts';
import { createOutputs, type MatchDeps } from './match-payments.ts';
import { findProvenOutputs } from './proven-outputs.ts';
import {
  type BlockBatch,
  followedReceipts,
  type LogRequests,
  OVERLAP_BLOCKS,
  readBatch,
  WIDE_OVERLAP_BLOCKS,
} from './read-batch.ts';
import { reportThenRememberReorged } from './reorged-coins.ts';
import { inReportOrder } from './report-order.ts';
import { type Scan, scanBatch } from './scan-batch.ts';
import { isUnread } from './unproven.ts';
import { locateOutputs } from './unsettled.ts';

export interface BatchDeps {
  readonly params: EvmChainParams;
  readonly node: EvmNode;
  readonly store: WatcherStore;
  /** Keys are addresses in lower case. */
  readonly watchSet: WatchSet;
  readonly accounts: AccountReader;
  readonly dropSink: BalanceDropSink;
  readonly reporter: Reporter;
  readonly clock: Clock;
  readonly log: EventLog;
}

export interface BatchTarget {
  /** Last block to scan; the height of the tip in memory if there is none. */
  readonly toHeight: number;
  readonly headHeight: number;
  /**
   * The head, if the batch ends there and the node is not behind; else nothing can be reported as
   * gone for being absent.
   */
  readonly head: EvmHead | null;
  readonly startedAt: UnixMs;
}

export interface BatchResult {
  readonly syncedUntil: UnixMs | null;
  /** The node had the state of the last block. */
  readonly isComplete: boolean;
  readonly silentAssets: BalanceCheck['silentAssets'];
  /** Receipts of reorged-out payments that are in blocks of this branch again. */
  readonly receipts: readonly EvmReceipt[];
}

/**
 * Processes the next blocks, up to ten or none: reads everything, decides, checks that the blocks
 * are still in the best chain, then reports and saves. Memory is changed only after that check.
 * Null when the branch changed.
 */
export async function processBatch(
  deps: BatchDeps,
  memory: EvmMemory,
  target: BatchTarget,
): Promise<BatchResult | null> {
  const batch = await readBatch(deps.node, memory, target.toHeight, logRequests(memory, target));
  if (batch === null || (target.head !== null && target.head.hash !== batch.end.blockHash)) return null;
  await deps.watchSet.refresh();
  // Accounts opened since are read with the next block: new ones can only be paid in that one.
  const hasRegularBlocks = deps.params.staleAfterMs !== null;
  const isCompared = hasRegularBlocks && batch.blocks.length === 0 && areCompared(memory, batch.end);
  const accounts = isCompared ? memory.openAccounts : uniqueAccounts(await deps.accounts.openAccounts());
  const readings = await collectReadings(deps, memory, { target, batch, accounts });
  if (readings === null || !(await isUnmoved(deps.node, batch))) return null;
  const before = new Map([...memory.unsettled].map(([outputId, { output }]) => [outputId, output]));
  remember(memory, batch, readings);
  memory.openAccounts = accounts;
  const findings = inReportOrder(findingsOf(memory, readings), before);
  return save(deps, memory, { target, batch, balanceCheck: readings.balanceCheck, findings });
}

// Helpers

interface BatchInput {
  readonly target: BatchTarget;
  readonly batch: BlockBatch;
  readonly accounts: readonly OpenAccount[];
}

/** Everything found in a batch. */
interface BatchReadings extends OutputReadings {
  readonly scan: Scan;
  readonly balanceCheck: BalanceCheck;
  /** Native coin flows of watched accounts by height: in new blocks, and late ones. */
  readonly flows: ReadonlyMap<number, readonly AccountChange[]>;
}

async function collectReadings(
  deps: BatchDeps,
  memory: EvmMemory,
  { target, batch, accounts }: BatchInput,
): Promise<BatchReadings | null> {
  const { node, params } = deps;
  const matching = matchDeps(deps, memory, accounts);
  const toOutput = createOutputs(matching, memory);
  const scan = await scanBatch(matching, memory, batch);
  if (scan === null) return null;
  const { network, asset, lateBlockMs } = params;
  const logInfo = (fields: object, message: string) => deps.log.info({ network, ...fields }, message);
  const isHead = target.head !== null;
  const checkDeps = {
    node,
    store: deps.store,
    network,
    asset,
    lateLogMs: lateBlockMs,
    now: Math.max(target.startedAt, (target.head?.timeSeconds ?? 0) * 1000),
    isHead,
    logInfo,
  };
  const balanceCheck = await checkBalances(checkDeps, memory, { batch, accounts, scan, toOutput });
  const refound = await findInternalAgain(node, memory, batch, matching.isOpen, toOutput);
  if (balanceCheck === null || refound === null) return null;
  const inBlocks = [...scan.found].flatMap(([height, outputs]) => outputs.map((output) => ({ height, output })));
  const placed = [...inBlocks, ...scan.late, ...balanceCheck.found, ...refound];
  const beginsAt = memory.staleAbove ?? batch.start.height;
  const flows = coinFlows({
    batch,
    beginsAt,
    moved: scan.flows,
    found: [...balanceCheck.found, ...refound],
    check: balanceCheck,
    isCounted: (account) => account.asset === asset && matching.isWatched(account.watchKey),
  });
  const readings = { scan, balanceCheck, placed, flows, isUnread: (output: TrackedOutput) => isUnread(node, output) };
  if (!isHead || !balanceCheck.isComplete) return { ...readings, below: [], location: null };
  const ids = new Set(placed.map(({ output }) => output.outputId));
  const isMissing = ({ outputId }: TrackedOutput) => !ids.has(outputId) && memory.chain.find(outputId) === null;
  const missing = [...memory.unsettled.values()].map(({ output }) => output).filter(isMissing);
  const below = await findBelow(deps, memory, missing);
  const nowhere = missing.filter(({ outputId }) => !below.some(({ output }) => output.outputId === outputId));
  const location = await locateOutputs(node, nowhere, batch.end);
  return location === null ? null : { ...readings, below, location };
}

/**
 * A chain that goes far back and returns leaves outputs unsettled whose blocks are no longer in
 * memory. Those are not scanned again; only the chain and the store show that nothing changed.
 */
async function findBelow(deps: BatchDeps, memory: EvmMemory, missing: readonly TrackedOutput[]): Promise<Finding[]> {
  if (missing.length === 0) return [];
  const oldest = memory.chain.oldest()?.height ?? 0;
  const { locations } = await findProvenOutputs(
    deps,
    memory,
    missing.map((output) => ({ output })),
  );
  return [...locations]
    .filter(([, { height }]) => height < oldest)
    .map(([{ output }, { height, blockHash }]) => ({ output, status: { kind: 'block', height, blockHash } }));
}

/** Matches watched addresses and those of open accounts and of outputs that are still followed. */
export function matchDeps(
  { node, params, watchSet, clock }: Pick<BatchDeps, 'node' | 'params' | 'watchSet' | 'clock'>,
  memory: EvmMemory,
  accounts: readonly OpenAccount[],
): MatchDeps {
  const followed = new Set([...memory.unsettled.values()].map(({ output }) => output.watchKey));
  const open = new Set<string>();
  for (const { watchKey, asset } of accounts) {
    // It may have been opened after the watch set was refreshed.
    followed.add(watchKey);
    if (asset === params.asset) open.add(watchKey);
  }
  const isWatched = (address: string) => watchSet.has(address) || followed.has(address);
  return {
    node,
    asset: params.asset,
    isWatched,
    isCompared: isWatched,
    isOpen: (address) => open.has(address),
    now: clock.now(),
  };
}

async function isUnmoved(node: EvmNode, { start, end }: BlockBatch): Promise<boolean> {
  const [first, last] = await node.blockHashes([start.height, end.height]);
  return first === start.blockHash && last === end.blockHash;
}

function remember(memory: EvmMemory, batch: BlockBatch, readings: BatchReadings): void {
  for (const late of readings.placed.filter(({ height }) => height <= batch.start.height)) {
    addLateOutput(memory, late);
    // The comparison of an open account has counted it.
    if (!readings.balanceCheck.exact.has(accountKey(late.output))) memory.lateFound.push(late.output);
    memory.savedHeight = Math.min(memory.savedHeight, late.height - 1);
  }
  for (const { height, hash } of batch.blocks) {
    const outputs = readings.placed.filter((each) => each.height === height).map(({ output }) => output);
    memory.chain.append({ height, blockHash: hash, outputs, flows: readings.flows.get(height) ?? [] });
  }
  for (const [height, changes] of readings.flows) {
    if (height > batch.start.height || memory.chain.at(height) === null) continue;
    memory.chain.addFlows(height, changes);
    memory.savedHeight = Math.min(memory.savedHeight, height - 1);
  }
  for (const [blockHash, seen] of readings.scan.seenLogs) memory.seenLogs.set(blockHash, seen);
  forgetSeenLogs(memory);
  const { isComplete, known, exact, silentAssets } = readings.balanceCheck;
  for (const key of exact) memory.exactAt.set(key, batch.end.height);
  for (const key of memory.exactAt.keys()) if (!known.has(key)) memory.exactAt.delete(key);
  if (isComplete || known.size > 0) memory.staleAbove = null;
  const isCompared = isComplete && silentAssets.length === 0 && memory.disagreements.size === 0;
  memory.comparedAt = isCompared ? batch.end.blockHash : null;
  memory.knownOpen = known;
}

interface BatchOutcome extends Pick<BatchInput, 'target' | 'batch'>, Pick<BatchReadings, 'balanceCheck'> {
  readonly findings: readonly Finding[];
}

async function save(
  deps: BatchDeps,
  memory: EvmMemory,
  { target, batch, balanceCheck, findings }: BatchOutcome,
): Promise<BatchResult> {
  const { isComplete, silentAssets } = balanceCheck;
  // A cursor saved with balances of a stale block would make them look valid. Read more blocks
  // first.
  const receipts = followedReceipts(memory, batch);
  if (memory.staleAbove !== null) return { syncedUntil: null, isComplete, silentAssets, receipts };
  const isConclusive = target.head !== null && isComplete && !balanceCheck.isHeld;
  const syncedUntil = isConclusive ? syncedUntilAt(deps.params, target.head, target.startedAt) : null;
  await reportThenRememberReorged(memory, balanceCheck, (left) =>
    deps.reporter.report(memory, findings, { reorged: left }),
  );
  if (balanceCheck.drops.length > 0)
    await deps.reporter.underEpoch((epoch) => deps.dropSink(balanceCheck.drops, { epoch }));
  await deps.reporter.saveProgress(memory, {
    forkHeight: memory.savedHeight,
    blocks: memory.chain.above(memory.savedHeight),
    cursor: { height: batch.end.height, blockHash: batch.end.blockHash },
    tipHeight: target.headHeight,
    syncedUntil,
    balances: balanceCheck.balances,
    reorged: [...memory.reorged.values()],
  });
  forgetOldReports(memory);
  return { syncedUntil, isComplete, silentAssets, receipts };
}

/**
 * With regular blocks, anything dated after the head may be in a block we have not received:
 * timestamps increase from block to block. Elsewhere the next block may take long, so payment
 * windows close without it once it would have arrived.
 */
function syncedUntilAt(params: EvmChainParams, { timeSeconds }: EvmHead, startedAt: UnixMs): UnixMs {
  const { staleAfterMs, lateBlockMs } = params;
  const headAt = timeSeconds * 1000;
  return Math.min(startedAt, staleAfterMs === null ? Math.max(headAt, startedAt - lateBlockMs) : headAt);
}

function logRequests({ mismatches, missingLogs }: EvmMemory, { head, startedAt: now }: BatchTarget): LogRequests {
  const isRecent = ({ since }: BalanceMismatch) => now - since < WIDE_OVERLAP_MS;
  const isWide = [...mismatches.values()].some(isRecent) || missingLogs.isNewerThan(WIDE_OVERLAP_MS, now);
  return {
    overlapBlocks: isWide ? WIDE_OVERLAP_BLOCKS : OVERLAP_BLOCKS,
    searched: head === null ? [] : missingLogs.due(now),
  };
}

function uniqueAccounts(accounts: readonly OpenAccount[]): OpenAccount[] {
  return [...new Map(accounts.map((account) => [accountKey(account), account])).values()];
}
