import type { TrackedOutput } from '../../port.ts';
import { type AccountFlows, createAccountFlows } from '../balance-check/account-flows.ts';
import type { EvmMemory, SeenLogs } from '../evm-memory.ts';
import type { TokenTransfer } from '../node/evm-node.ts';
import { isPayment, sender } from './arrivals.ts';
import {
  createOutputs,
  type MatchDeps,
  readReceipts,
  relevant,
  scanTransactions,
  scanTransfers,
  type ToOutput,
} from './match-payments.ts';
import type { BlockBatch } from './read-batch.ts';

/** What a batch of blocks contains for the watched addresses. */
export interface Scan {
  /** Payments in the new blocks, by height. */
  readonly found: ReadonlyMap<number, readonly TrackedOutput[]>;
  /** Payments missing from blocks in memory, or reported there with another amount. */
  readonly late: readonly PlacedOutput[];
  /** Flows of accounts in each new block, in block order. */
  readonly flows: readonly AccountFlows[];
  /** Flows in blocks in memory that were not counted before, as far as logs show. */
  readonly lateFlows: LateFlows;
  readonly seenLogs: ReadonlyMap<string, SeenLogs>;
}

/**
 * Not summed: a balance may already count the one and not the other. Departures are negative, and
 * include what turns out not to have arrived.
 */
export interface LateFlows {
  readonly arrivals: AccountFlows;
  readonly departures: AccountFlows;
}

export interface PlacedOutput {
  readonly height: number;
  readonly output: TrackedOutput;
}

/**
 * Finds payments in a batch. Each transaction and each log costs a few hash lookups. Null when the
 * node's responses concern other blocks than the batch.
 */
export async function scanBatch(deps: MatchDeps, memory: EvmMemory, batch: BlockBatch): Promise<Scan | null> {
  const receipts = await readReceipts(deps, batch.blocks);
  if (receipts === null) return null;
  const toOutput = createOutputs(deps, memory);
  const found = new Map<number, TrackedOutput[]>();
  const flows: AccountFlows[] = [];
  const seenLogs = new Map<string, SeenLogs>();
  for (const block of batch.blocks) {
    const moved = createAccountFlows();
    const outputs = scanTransactions(deps, block, receipts, moved, toOutput);
    const transfers = relevant(deps, batch.transfers.get(block.height));
    const tokens = await scanTransfers(deps, block, transfers, toOutput);
    if (tokens === null) return null;
    for (const { output } of tokens) moved.add(output, output.amountBaseUnits);
    for (const transfer of transfers) if (isPayment(transfer)) moved.add(sender(transfer), -transfer.amountBaseUnits);
    found.set(block.height, [...outputs, ...tokens.map(({ output }) => output)]);
    flows.push(moved);
    seenLogs.set(block.hash, logsSeen(block.height, transfers));
  }
  const late = await scanOverlap(deps, memory, batch, toOutput, seenLogs);
  return late === null ? null : { found, flows, seenLogs, ...late };
}

// Helpers

async function scanOverlap(
  deps: MatchDeps,
  memory: EvmMemory,
  batch: BlockBatch,
  toOutput: ToOutput,
  seenLogs: Map<string, SeenLogs>,
): Promise<Pick<Scan, 'late' | 'lateFlows'> | null> {
  const late: PlacedOutput[] = [];
  const lateFlows = { arrivals: createAccountFlows(), departures: createAccountFlows() };
  for (const [height, listed] of batch.transfers) {
    const remembered = memory.chain.at(height);
    if (remembered === null) continue;
    const transfers = relevant(deps, listed);
    const known = memory.seenLogs.get(remembered.blockHash)?.logIndexes;
    const fresh = transfers.filter((transfer) => known?.has(transfer.logIndex) !== true);
    // A response with fewer logs than an earlier one comes from a lagging machine and proves
    // nothing.
    if (fresh.length === 0 || !hasAll(listed, known)) continue;
    const [block] = await deps.node.blocks([height]);
    if (!block || block.hash !== remembered.blockHash) return null;
    const tokens = await scanTransfers(deps, block, transfers, toOutput);
    if (tokens === null) return null;
    const before = new Map(remembered.outputs.map((output) => [output.outputId, output]));
    for (const { output, arrival } of tokens) {
      const recorded = before.get(output.outputId);
      // One that was seen before and is not recorded had credited nothing, as its balance showed.
      const isFresh = known?.has(arrival.transfer.logIndex) !== true;
      const isNew = arrival.isProven
        ? recorded?.amountBaseUnits !== output.amountBaseUnits
        : recorded === undefined && isFresh;
      if (!isNew) continue;
      late.push({ height, output: { ...output, firstSeenAt: recorded?.firstSeenAt ?? output.firstSeenAt } });
      const change = output.amountBaseUnits - (recorded?.amountBaseUnits ?? 0n);
      (change < 0n ? lateFlows.departures : lateFlows.arrivals).add(output, change);
    }
    for (const transfer of fresh.filter(isPayment)) {
      lateFlows.departures.add(sender(transfer), -transfer.amountBaseUnits);
    }
    seenLogs.set(block.hash, logsSeen(height, transfers));
  }
  return { late, lateFlows };
}

function logsSeen(height: number, transfers: readonly TokenTransfer[]): SeenLogs {
  return { height, logIndexes: new Set(transfers.map((transfer) => transfer.logIndex)) };
}

function hasAll(listed: readonly TokenTransfer[], known: ReadonlySet<number> = new Set()): boolean {
  const indexes = new Set(listed.map((transfer) => transfer.logIndex));
  return [...known].every((logIndex) => indexes.has(logIndex));
}
