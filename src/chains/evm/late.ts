import { findingsInBlocks } from '../following/findings.ts';
import type { Reporter } from '../following/reporter.ts';
import type { AccountChange, ExpectedBalance, SweepTurn, TrackedOutput } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import { inReportOrder } from './report-order.ts';
import type { PlacedOutput } from './scan.ts';
import { withGoneBefore } from './stage-findings.ts';

/** Changes of remembered blocks that were scanned, reported and saved without them. */
export interface LateChanges {
  /** Outputs that belong into remembered blocks, or replace what is there under the same id. */
  readonly placed: readonly PlacedOutput[];
  /** Outputs that are nowhere any more, because others stand for their coins. */
  readonly removed: readonly TrackedOutput[];
  readonly balances?: readonly ExpectedBalance[];
  /** What accounts turned out to have gained or lost in remembered blocks. */
  readonly flows?: readonly { readonly height: number; readonly change: AccountChange }[];
  readonly turns?: readonly SweepTurn[];
}

/**
 * Puts an output into a remembered block. It counts as unsettled until it is reported, so that a watcher that dies before
 * finds it in both places at its next start and says it then.
 */
export function placeLate(memory: EvmMemory, { height, output }: PlacedOutput): void {
  if (memory.chain.at(height) === null) return;
  memory.chain.adopt(height, [output]);
  memory.unsettled.set(output.outputId, { output, fellOut: true });
  memory.reported.delete(output.outputId);
}

/**
 * Saves changes and then reports them. The store is written before anything is reported, because these outputs change what
 * was reported earlier: half of that must not be lost in a crash.
 */
export async function saveLate(reporter: Reporter, memory: EvmMemory, changes: LateChanges): Promise<void> {
  const { removed, balances = [], flows = [], turns = [] } = changes;
  const placed = changes.placed.filter(({ height }) => memory.chain.at(height) !== null);
  const heights = placed.map(({ height }) => height);
  const before = new Map<string, TrackedOutput>();
  for (const { outputId } of [...placed.map(({ output }) => output), ...removed]) {
    const known = memory.chain.find(outputId);
    if (known !== null) before.set(outputId, known.output);
  }
  for (const output of removed) {
    const place = memory.chain.find(output.outputId);
    if (place !== null) heights.push(place.block.height);
    memory.chain.remove(output.outputId);
    // Its coins did not fall: others stand for them, with its sighting.
    memory.unsettled.set(output.outputId, { output: { ...output, leftBaseUnits: 0n }, fellOut: true });
  }
  for (const change of placed) placeLate(memory, change);
  for (const { height, change } of flows) {
    heights.push(height);
    memory.chain.addFlows(height, [change]);
  }
  const tip = memory.chain.tip();
  if (tip === null || (heights.length === 0 && turns.length === 0)) return;
  const forkHeight = Math.min(memory.savedHeight, ...heights.map((height) => height - 1));
  const progress = {
    cursor: { height: tip.height, blockHash: tip.blockHash },
    tipHeight: tip.height,
    lookedUntil: null,
  };
  const blocks = memory.chain.above(forkHeight);
  await reporter.saveProgress(memory, { ...progress, forkHeight, blocks, balances, turns });
  if (heights.length === 0) return;
  const gone = removed.map((output) => ({ output, standing: { kind: 'gone', reason: 'replaced' } }) as const);
  const findings = withGoneBefore(memory, [...findingsInBlocks(memory), ...gone]);
  await reporter.report(memory, inReportOrder(findings, before));
  await reporter.saveProgress(memory, { ...progress, forkHeight: tip.height, blocks: [] });
}
