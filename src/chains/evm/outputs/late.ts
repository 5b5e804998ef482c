import type { AccountChange, ExpectedBalance, NextCheck, ReorgedOutput, TrackedOutput } from '../../port.ts';
import { findingsInBlocks } from '../../sync/findings.ts';
import type { Reporter } from '../../sync/reporter.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { withGoneBefore } from './batch-findings.ts';
import { inReportOrder } from './report-order.ts';
import type { PlacedOutput } from './scan-batch.ts';

/** Changes to blocks in memory that were scanned, reported and saved without them. */
export interface LateChanges {
  /** Outputs to add to blocks in memory, replacing those with the same id. */
  readonly placed: readonly PlacedOutput[];
  /** Outputs that no longer exist, because other outputs replaced them. */
  readonly removed: readonly TrackedOutput[];
  readonly balances?: readonly ExpectedBalance[];
  /** Flows of accounts found later for blocks in memory. */
  readonly flows?: readonly { readonly height: number; readonly change: AccountChange }[];
  readonly nextChecks?: readonly NextCheck[];
}

/**
 * Adds an output to a block in memory. It counts as unsettled until it is reported, so that after a
 * crash the next start finds it in both places and reports it then.
 */
export function addLateOutput(memory: EvmMemory, { height, output }: PlacedOutput): void {
  if (memory.chain.at(height) === null) return;
  memory.chain.adopt(height, [output]);
  memory.unsettled.set(output.outputId, { output, wasReorged: true });
  memory.reported.delete(output.outputId);
}

/**
 * Saves changes, then reports them. The store is written first because these outputs change earlier
 * reports, and a crash must not lose half of that.
 */
export async function saveLate(
  reporter: Reporter,
  memory: EvmMemory,
  changes: LateChanges,
  reorged: readonly ReorgedOutput[] = [...memory.reorged.values()],
): Promise<void> {
  const { removed, balances = [], flows = [], nextChecks = [] } = changes;
  const placed = changes.placed.filter(({ height }) => memory.chain.at(height) !== null);
  const heights = placed.map(({ height }) => height);
  const before = new Map<string, TrackedOutput>();
  for (const { outputId } of [...placed.map(({ output }) => output), ...removed]) {
    const known = memory.chain.find(outputId);
    if (known !== null) before.set(outputId, known.output);
  }
  for (const output of removed) {
    const found = memory.chain.find(output.outputId);
    if (found !== null) heights.push(found.block.height);
    memory.chain.remove(output.outputId);
    // Its coins were not reorged out: other outputs replaced it and have its first-seen time.
    memory.unsettled.set(output.outputId, { output: { ...output, leftBaseUnits: 0n }, wasReorged: true });
  }
  for (const change of placed) {
    addLateOutput(memory, change);
    memory.lateFound.push(change.output);
  }
  for (const { height, change } of flows) {
    heights.push(height);
    memory.chain.addFlows(height, [change]);
  }
  const tip = memory.chain.tip();
  if (tip === null || (heights.length === 0 && nextChecks.length === 0)) return;
  const forkHeight = Math.min(memory.savedHeight, ...heights.map((height) => height - 1));
  const progress = {
    cursor: { height: tip.height, blockHash: tip.blockHash },
    tipHeight: tip.height,
    syncedUntil: null,
    reorged,
  };
  const blocks = memory.chain.above(forkHeight);
  await reporter.saveProgress(memory, { ...progress, forkHeight, blocks, balances, nextChecks });
  if (heights.length === 0) return;
  const gone = removed.map((output) => ({ output, status: { kind: 'gone', reason: 'replaced' } }) as const);
  const findings = withGoneBefore(memory, [...findingsInBlocks(memory), ...gone]);
  await reporter.report(memory, inReportOrder(findings, before));
  await reporter.saveProgress(memory, { ...progress, forkHeight: tip.height, blocks: [] });
}
