import type { TransactionContext } from '../../machines/index.ts';
import type { Step } from '../engine/index.ts';
import { rowOf, termsOf } from './project.ts';
import { type TransactionView, toView } from './view.ts';

/** A transaction that was started a moment ago, made from what was committed: the same that reading it back would give. */
export function viewOfStarted(step: Step, publicUrl: string): TransactionView<string> {
  // Steps of the kind `transaction` carry its context; the engine erases the type because it knows no kind.
  const started = step as Step<TransactionContext>;
  const row = { ...rowOf(started), ...termsOf(started), created_at: step.at, step: step.sequence };
  const baseUnits = { due_base_units: BigInt(row.due_base_units), paid_base_units: BigInt(row.paid_base_units) };
  return toView({ ...row, ...baseUnits }, { payments: [], tipHeight: null, publicUrl });
}
