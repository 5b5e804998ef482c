import type { TransactionContext } from '../../../machines/index.ts';
import type { Step } from '../../platform/engine/index.ts';
import { statusOf, termsOf } from '../projection/transaction-rows.ts';
import { type TransactionView, toView } from '../view/view.ts';

/** The view of a just started transaction, from the committed step: equal to reading it back. */
export function viewOfStarted(step: Step, publicUrl: string): TransactionView<string> {
  // Steps of the kind `transaction` carry its context; the engine is generic and erases the type.
  const started = step as Step<TransactionContext>;
  const row = { ...statusOf(started), ...termsOf(started), created_at: step.at };
  const baseUnits = { due_base_units: BigInt(row.due_base_units), paid_base_units: BigInt(row.paid_base_units) };
  return toView({ ...row, ...baseUnits }, { payments: [], tipHeight: null, publicUrl });
}
