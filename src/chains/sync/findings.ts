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
