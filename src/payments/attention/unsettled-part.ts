import { isMoneyOf, type OutputRecord, sumBaseUnits } from '../../../machines/index.ts';
import type { AttentionFact } from './attention-of.ts';

/** What users have settled of an item so far. */
export interface SettledPart {
  readonly baseUnits: bigint;
  readonly outputIds: readonly string[];
}

/**
 * The part of a fact that no user has settled; null when all of it was. The money that was settled
 * stays settled under a new id: after a replacement, or in another place of another block.
 */
export function unsettledPart(
  fact: AttentionFact,
  settled: SettledPart,
  outputs: readonly OutputRecord[],
): AttentionFact | null {
  if (settled.baseUnits === 0n) return fact;
  const isSettled = isMoneyOf(settled.outputIds, outputs);
  const concerned = new Set(fact.outputIds);
  const others = outputs.filter((output) => concerned.has(output.outputId) && !isSettled(output));
  const beyond = fact.baseUnits - settled.baseUnits;
  const sum = sumBaseUnits(others);
  const baseUnits = sum > beyond ? sum : beyond;
  if (baseUnits <= 0n) return null;
  return {
    kind: fact.kind,
    baseUnits: baseUnits < fact.baseUnits ? baseUnits : fact.baseUnits,
    outputIds: others.length === 0 ? fact.outputIds : others.map(({ outputId }) => outputId).sort(),
  };
}
