import { isMoneyOf, sumBaseUnits, type TransactionContext } from '../../../machines/index.ts';
import type { AttentionReason } from './attention-of.ts';

/** What users have settled of an item so far. */
export interface SettledPart {
  readonly baseUnits: bigint;
  readonly outputIds: readonly string[];
}

/**
 * The part of a reason that no user has settled; null when all of it was. The money that was
 * settled stays settled under a new id: after a replacement, or at another position in another
 * block.
 */
export function unsettledPart(
  reason: AttentionReason,
  settled: SettledPart,
  context: TransactionContext,
): AttentionReason | null {
  if (settled.baseUnits === 0n) return reason;
  const isSettled = isMoneyOf(settled.outputIds, context);
  const concerned = new Set(reason.outputIds);
  const others = context.outputs.filter((output) => concerned.has(output.outputId) && !isSettled(output));
  const beyond = reason.baseUnits - settled.baseUnits;
  const sum = sumBaseUnits(others);
  const baseUnits = sum > beyond ? sum : beyond;
  if (baseUnits <= 0n) return null;
  return {
    kind: reason.kind,
    baseUnits: baseUnits < reason.baseUnits ? baseUnits : reason.baseUnits,
    outputIds: others.length === 0 ? reason.outputIds : others.map(({ outputId }) => outputId).sort(),
  };
}
