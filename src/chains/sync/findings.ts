import type { GoneReason } from '../../../machines/index.ts';
import type { OutputStatus, ScannedBlock, TrackedOutput } from '../port.ts';
import type { WatcherMemory } from './memory.ts';
import type { Finding } from './reporter.ts';

/**
 * Findings are outputs whose current status differs from the last reported one. Only the states
 * before and after a poll are compared, so an output that leaves a block and returns within one
 * poll is not reported.
 */

/**
 * Outputs in blocks that are not saved yet, or recent enough to be reported again after a start
 * (`rereportAbove`), and unsettled outputs that were found in a block.
 */
export function findingsInBlocks(memory: WatcherMemory): Finding[] {
  const findings: Finding[] = [];
  for (const block of memory.chain.above(Math.min(memory.savedHeight, memory.rereportAbove))) {
    for (const output of block.outputs) addIfNew(memory, findings, output, statusIn(block));
  }
  const added = new Set(findings.map(({ output }) => output.outputId));
  for (const outputId of memory.unsettled.keys()) {
    const found = memory.chain.find(outputId);
    if (found === null || added.has(outputId)) continue;
    // Use the block's output: a balance output may have had another amount in the old block.
    if (!addIfNew(memory, findings, found.output, statusIn(found.block))) memory.unsettled.delete(outputId);
  }
  return findings;
}

export function findingsInMempool(memory: WatcherMemory, present: readonly TrackedOutput[]): Finding[] {
  const findings: Finding[] = [];
  for (const output of present) {
    if (memory.chain.find(output.outputId) !== null) continue;
    if (!addIfNew(memory, findings, output, { kind: 'mempool' })) {
      memory.unsettled.set(output.outputId, { output, wasReorged: false });
    }
  }
  return findings;
}

/**
 * Unsettled outputs in neither a block nor the mempool. Valid only if blocks were scanned up to the
 * tip and `present` was listed at that same tip. `conflicting` returns the transactions whose
 * inputs another mempool transaction spends.
 */
export function findingsGone(
  memory: WatcherMemory,
  present: readonly TrackedOutput[],
  conflicting: (outputs: readonly TrackedOutput[]) => Set<string>,
): Finding[] {
  const presentIds = new Set(present.map((output) => output.outputId));
  const gone = [...memory.unsettled.values()].filter(
    ({ output }) => !presentIds.has(output.outputId) && memory.chain.find(output.outputId) === null,
  );
  const replaced = conflicting(gone.map(({ output }) => output));
  return gone.map(({ output, wasReorged }) => {
    const { txid } = output;
    const wasSpent = txid !== null && isDoubleSpent(memory, txid, replaced);
    const reason: GoneReason = wasSpent ? 'replaced' : wasReorged ? 'reorged' : 'evicted';
    return { output, status: { kind: 'gone', reason } };
  });
}

/**
 * Whether another transaction, in a block or one of `conflicting` in the mempool, spends the coins
 * of this one: a double spend, or a replacement by fee (BIP 125).
 */
export function isDoubleSpent(
  { conflictedTxids }: Pick<WatcherMemory, 'conflictedTxids'>,
  txid: string,
  conflicting: ReadonlySet<string>,
): boolean {
  return conflicting.has(txid) || conflictedTxids.has(txid);
}

// Helpers

function statusIn(block: ScannedBlock): OutputStatus {
  return { kind: 'block', height: block.height, blockHash: block.blockHash };
}

function addIfNew(memory: WatcherMemory, findings: Finding[], output: TrackedOutput, status: OutputStatus): boolean {
  const last = memory.reported.get(output.outputId);
  if (last !== undefined && blockHashOrKind(last) === blockHashOrKind(status)) return false;
  findings.push({ output, status });
  return true;
}

/** Confirmation does not change an output's position: it stays in the same block. */
function blockHashOrKind(status: OutputStatus): string {
  return 'blockHash' in status ? status.blockHash : status.kind;
}
