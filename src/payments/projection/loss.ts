import { confirmedBaseUnits, seenBaseUnits, type TransactionContext } from '../../../machines/index.ts';

/**
 * What became of the coins that a payment was completed with, where they no longer pay it: `gone`
 * from the network, or `unconfirmed` again. It stays `completed`, because the shop was notified of
 * it.
 */
export type Loss = 'unconfirmed' | 'gone';

/** Null when what is left pays it. A merchant may have accepted less, and unconfirmed coins. */
export function lossOf(context: TransactionContext): Loss | null {
  if (context.completedAt === null) return null;
  const { pays } = sumsOf(context);
  if (seenBaseUnits(context) < pays) return 'gone';
  return context.completedBy === 'chain' && confirmedBaseUnits(context) < pays ? 'unconfirmed' : null;
}

/** Base units that a completed payment lacks since its coins are gone; 0 when it lacks none. */
export function lostBaseUnits(context: TransactionContext): bigint {
  if (lossOf(context) !== 'gone') return 0n;
  const { due, settled } = sumsOf(context);
  return (settled < due ? settled : due) - seenBaseUnits(context);
}

// Helpers

function sumsOf({ dueBaseUnits, toleranceBaseUnits, settledBaseUnits }: TransactionContext) {
  const due = BigInt(dueBaseUnits);
  const settled = BigInt(settledBaseUnits ?? dueBaseUnits);
  const least = due - BigInt(toleranceBaseUnits);
  return { due, settled, pays: settled < least ? settled : least };
}
