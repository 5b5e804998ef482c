import { MINUTE_MS } from '../../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';
import type { OutputEvent } from '../events.ts';

/** When outputs should be as deep as required, so that the watcher is asked to verify it. */

/** A verification unanswered for this long is requested again. */
export const VERIFICATION_OVERDUE_MS = 10 * MINUTE_MS;

/** The next chain height at which an output may reach its required depth; null when none waits. */
export function nextDepthHeight(context: TransactionContext): number | null {
  const heights = unverified(context).map((output) => depthHeight(context, output));
  return heights.length === 0 ? null : Math.min(...heights);
}

/** Outputs whose depth can be verified once the chain has `height`. */
export function outputsDeepAt(context: TransactionContext, height: number): OutputRecord[] {
  return unverified(context).filter((output) => depthHeight(context, output) <= height);
}

/** Adapts an observation: where depth is required, a block lock only means "in a block". */
export function asObserved(context: TransactionContext, event: OutputEvent): OutputEvent {
  if (event.type !== 'chain.output_confirmed' || event.byLock !== true || context.waitsForDepth !== true) return event;
  const { byLock: _, ...placed } = event;
  return { ...placed, type: 'chain.output_mined' };
}

/** True while the depth verification of some output is pending. */
export function isVerifying(context: TransactionContext): boolean {
  return context.outputs.some((output) => output.verifying);
}

// Helpers

function unverified(context: TransactionContext): OutputRecord[] {
  return context.outputs.filter(
    (output) => output.presence === 'block' && output.confirmedAt === null && !output.verifying,
  );
}

/** The output's own block is its first confirmation. */
function depthHeight(context: TransactionContext, output: OutputRecord): number {
  return (output.height ?? 0) + context.confirmationsRequired - 1;
}
