import type { OutputRecord, TransactionContext } from '../context.ts';
import { isDeclined } from './declined-coins.ts';
import { isWithin, limitsOf } from './in-time-limits.ts';

/**
 * Whether an output was first seen inside the window. A replacement has the first sighting of what
 * it replaces, but only up to the confirmation deadline after the window: a transaction that was
 * shown once and taken back must not keep the rate for as long as the address is watched. Never
 * true of declined coins.
 */
export function isInTime(context: TransactionContext, output: OutputRecord): boolean {
  return isWithin(output, limitsOf(context)) && !isDeclined(context)(output);
}
