import type { BaseUnitsString } from '../vocabulary/amount.ts';
import type { OutputRecord, Verification } from './context.ts';
import type { TransactionEvent } from './events.ts';

/**
 * The payments of one transaction as a set that observations are folded into. The fold takes the newest
 * observation of each output, its earliest sighting and its newest verification, so it does not depend on
 * arrival order and a repeated observation changes nothing.
 */

export type OutputEvent = Extract<TransactionEvent, { outputId: string }>;

/** Folds one observation in. Returns the same array when it told nothing new. */
export function recordOutput(outputs: readonly OutputRecord[], event: OutputEvent): readonly OutputRecord[] {
  const known = outputs.find((output) => output.outputId === event.outputId);
  const next = known === undefined ? fromEvent(event) : merge(known, event);
  if (next === known) return outputs;
  return [...outputs.filter((output) => output !== known), next].sort(byFirstSeen);
}

/** Outputs that are in the mempool or in a block. */
export function liveOutputs(outputs: readonly OutputRecord[]): OutputRecord[] {
  return outputs.filter((output) => output.presence !== 'gone');
}

/** Sum of the amounts, in base units. */
export function sumBaseUnits(outputs: readonly { readonly amountBaseUnits: BaseUnitsString }[]): bigint {
  return outputs.reduce((sum, output) => sum + BigInt(output.amountBaseUnits), 0n);
}

// Helpers

function fromEvent(event: OutputEvent): OutputRecord {
  return withVerification(standing(event), newestVerification(null, event));
}

function merge(known: OutputRecord, event: OutputEvent): OutputRecord {
  const firstSeenAt = Math.min(known.firstSeenAt, event.firstSeenAt);
  const verified = newestVerification(known.verified, event);
  if (event.order > known.order) return withVerification({ ...standing(event), firstSeenAt }, verified);
  if (firstSeenAt === known.firstSeenAt && verified === known.verified) return known;
  return withVerification({ ...known, firstSeenAt }, verified);
}

/** What an observation alone says of its output. */
function standing(event: OutputEvent): OutputRecord {
  const { outputId, txid, amountBaseUnits, order, firstSeenAt } = event;
  const sighting = { outputId, txid, amountBaseUnits, order, firstSeenAt, confirmedAt: null, verified: null };
  const nowhere = { height: null, blockHash: null, goneReason: null, verifying: false };
  switch (event.type) {
    case 'chain.output_seen':
      return { ...sighting, ...nowhere, presence: 'mempool' };
    case 'chain.output_mined':
    case 'chain.output_confirmed':
      return { ...sighting, ...nowhere, presence: 'block', height: event.height, blockHash: event.blockHash };
    case 'chain.output_dropped':
      return { ...sighting, ...nowhere, presence: 'gone', goneReason: event.reason };
  }
}

/** Depth once verified in a block stays verified for as long as the output is in that block. */
function withVerification(output: OutputRecord, verified: Verification | null): OutputRecord {
  const confirmedAt = verified !== null && verified.blockHash === output.blockHash ? verified.at : null;
  return { ...output, verified, confirmedAt, verifying: output.verifying && confirmedAt === null };
}

/** A repeated verification in the same block keeps the moment of the first. */
function newestVerification(known: Verification | null, event: OutputEvent): Verification | null {
  if (event.type !== 'chain.output_confirmed' || (known !== null && event.order <= known.order)) return known;
  const at = known?.blockHash === event.blockHash ? known.at : event.at;
  return { blockHash: event.blockHash, order: event.order, at };
}

function byFirstSeen(a: OutputRecord, b: OutputRecord): number {
  return a.firstSeenAt - b.firstSeenAt || (a.outputId < b.outputId ? -1 : 1);
}
