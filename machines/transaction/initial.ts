import { parseBaseUnits } from '../vocabulary/amount.ts';
import type { TransactionContext, TransactionTerms } from './context.ts';

/** The context of a new transaction. Throws a `RangeError` when the terms are invalid. */
export function openTransaction(terms: TransactionTerms): TransactionContext {
  const due = parseBaseUnits(terms.dueBaseUnits, 'dueBaseUnits');
  const tolerance = parseBaseUnits(terms.toleranceBaseUnits, 'toleranceBaseUnits');
  if (due === 0n) throw new RangeError('dueBaseUnits must be above zero');
  if (tolerance >= due) throw new RangeError('toleranceBaseUnits must be below dueBaseUnits');
  if (!Number.isSafeInteger(terms.confirmationsRequired) || terms.confirmationsRequired < 1) {
    throw new RangeError('confirmationsRequired must be a whole number of at least 1');
  }
  return {
    outputs: [],
    expiresAt: terms.createdAt + terms.windowMs,
    windowClosed: false,
    confirmationDeadlineAt: null,
    lossSettlesAt: null,
    verificationDueAt: null,
    updatedAt: terms.createdAt,
    // `payment.created` is part of the start.
    notifications: 1,
    partialNotifiedBaseUnits: null,
    overpaidNotifiedBaseUnits: null,
    paidLateNotified: false,
    review: null,
    acknowledgedOutputIds: [],
    givenUpOutputIds: [],
    failedAt: null,
    failedBy: null,
    completedAt: null,
    completedBy: null,
    settledBaseUnits: null,
    lossAlerted: false,
    depthTimerHeight: null,
    ...terms,
  };
}
