import type { TransactionEvent, UnixMs } from '../../../machines/index.ts';
import { CLOSES_AT } from './terms.ts';

export const WINDOW_CLOSED = windowClosed(CLOSES_AT);

/** `at` is later than `dueAt` for a timer that was processed late. */
export function windowClosed(at: UnixMs, dueAt: UnixMs = CLOSES_AT): TransactionEvent {
  return { type: 'timer.window_closed', at, dueAt };
}

export function deadlinePassed(dueAt: UnixMs): TransactionEvent {
  return { type: 'timer.confirmation_deadline_passed', at: dueAt, dueAt };
}

export function lossSettled(dueAt: UnixMs): TransactionEvent {
  return { type: 'timer.loss_settled', at: dueAt, dueAt };
}

/** A later balance check of an address with coins no longer there. */
export function balanceDropped(at: UnixMs, missing = 1n): TransactionEvent {
  return { type: 'chain.balance_dropped', at, missingBaseUnits: missing.toString() };
}
