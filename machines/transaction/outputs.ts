import type { UnixMs } from '../vocabulary/time.ts';
import type { OutputRecord, Verification } from './context.ts';
import type { TransactionEvent } from './events.ts';
import { supersedeMoved, supersedeOutdated } from './moved-outputs.ts';
import { linkReplacements, withoutLinks } from './replacements.ts';

/**
 * The payments of one transaction as a set that observations are folded into. The fold takes the newest
 * observation of each output, the first sighting of its transaction and its newest verification, so it does not depend
 * on arrival order and a repeated observation changes nothing. First is what was observed first: a block that claims an
 * earlier time than the mempool sighting before it moves nothing. What replaces coins is linked to them (`replacements.ts`).
 */

export type OutputEvent = Extract<TransactionEvent, { outputId: string }>;

/**
 * Folds one observation in. Returns the same array when it says nothing new. `areNamedByPlace`: a reorganisation
 * gives outputs of this chain new names.
 */
export function recordOutput(
  outputs: readonly OutputRecord[],
  event: OutputEvent,
  areNamedByPlace = false,
): readonly OutputRecord[] {
  const unlinked = outputs.map(withoutLinks);
  const known = unlinked.find((output) => output.outputId === event.outputId);
  const next = known === undefined ? fromEvent(event) : merge(known, event);
  if (next === known) return outputs;
  const others = unlinked.filter((output) => output !== known);
  const together = seenTogether([...others, next], next.txid);
  const moved = areNamedByPlace ? supersedeMoved(together) : together;
  return [...linkReplacements(supersedeOutdated(moved), areNamedByPlace)].sort(byFirstSeen);
}

/** Outputs that are in the mempool or in a block, without those of a transaction that a newer one has replaced. */
export function liveOutputs(outputs: readonly OutputRecord[]): OutputRecord[] {
  return outputs.filter((output) => output.presence !== 'gone' && output.superseded !== true);
}

/**
 * Whether an output is the same money as one of those named: that one under its new name, or what
 * replaced it. The named one does not count any more. They share their first sighting, or the new
 * one outdates the old one with the same amount.
 */
export function isSameMoney(output: OutputRecord, outputIds: readonly string[], all: readonly OutputRecord[]): boolean {
  if (outputIds.includes(output.outputId)) return true;
  return all.some(
    (named) =>
      outputIds.includes(named.outputId) &&
      (named.presence === 'gone' || named.superseded === true) &&
      (isRenamed(output, named) ||
        (named.firstSeenOrder === output.firstSeenOrder &&
          (named.txid !== output.txid || named.amountBaseUnits === output.amountBaseUnits))),
  );
}

// Helpers

/**
 * Coins that only a balance shows share no transaction with their old name. The report that renames
 * them also reports the old name as gone; one that names what was gone before it renames nothing.
 */
function isRenamed(output: OutputRecord, named: OutputRecord): boolean {
  const before = output.outdates?.[named.outputId];
  if (before === undefined || (output.txid !== null && named.txid !== null)) return false;
  const isOfThatReport = named.presence !== 'gone' || named.order >= before;
  return isOfThatReport && output.amountBaseUnits === named.amountBaseUnits;
}

function fromEvent(event: OutputEvent): OutputRecord {
  return withVerification(standing(event), newestVerification(null, event));
}

function merge(known: OutputRecord, event: OutputEvent): OutputRecord {
  const first = event.order < known.firstSeenOrder ? standing(event) : known;
  const { firstSeenAt, firstSeenOrder } = first;
  const verified = newestVerification(known.verified, event);
  const spends = known.spends ?? event.spends;
  const backSince = returnOf(known, event);
  const outdates = withOutdated(known.outdates, event);
  const more = {
    ...(spends === undefined ? {} : { spends }),
    ...(outdates === undefined ? {} : { outdates }),
    ...(backSince === undefined ? {} : { backSince }),
  };
  if (event.order > known.order) {
    return withVerification({ ...standing(event), ...more, firstSeenAt, firstSeenOrder }, verified);
  }
  const isKnown = first === known && verified === known.verified && spends === known.spends;
  if (isKnown && outdates === known.outdates && backSince === known.backSince) return known;
  return withVerification({ ...known, ...more, firstSeenAt, firstSeenOrder }, verified);
}

/**
 * Since when it waits in the mempool again, whichever is processed first: that it was away, or that
 * it is back.
 */
function returnOf(known: OutputRecord, event: OutputEvent): UnixMs | undefined {
  const isNewer = event.order > known.order;
  const isWaiting = isNewer ? event.type === 'chain.output_seen' : known.presence === 'mempool';
  if (!isWaiting) return undefined;
  const wasAway = known.presence !== 'mempool' || event.type !== 'chain.output_seen';
  return known.backSince ?? (wasAway ? event.at : undefined);
}

/** All outputs of a transaction are first seen with it, also one that a reorg has moved to another place of its log. */
function seenTogether(outputs: readonly OutputRecord[], txid: string | null): OutputRecord[] {
  const ofIt = outputs.filter((output) => txid !== null && output.txid === txid);
  const [only, another] = ofIt;
  if (only === undefined || another === undefined) return [...outputs];
  const first = ofIt.reduce((one, other) => (other.firstSeenOrder < one.firstSeenOrder ? other : one));
  const { firstSeenAt, firstSeenOrder } = first;
  return outputs.map((output) => {
    const isLater = output.txid === txid && output.firstSeenOrder > firstSeenOrder;
    return isLater ? { ...output, firstSeenAt, firstSeenOrder } : output;
  });
}

/** Bounds what one output keeps of the others that its reports named; the newest stay. */
const MAX_OUTDATED = 16;

type OutdatedIds = NonNullable<OutputRecord['outdates']>;

function outdatedIds({ outdates }: OutputEvent): OutdatedIds | undefined {
  if (outdates === undefined) return undefined;
  return Object.fromEntries(outdates.outputIds.map((outputId) => [outputId, outdates.before]));
}

/** Keeps the same object when nothing is new, whichever report is processed first. */
function withOutdated(known: OutdatedIds | undefined, event: OutputEvent): OutdatedIds | undefined {
  const named = Object.entries(outdatedIds(event) ?? {});
  if (named.every(([outputId, before]) => (known?.[outputId] ?? -1) >= before)) return known;
  const merged = new Map(Object.entries(known ?? {}));
  for (const [outputId, before] of named) merged.set(outputId, Math.max(before, merged.get(outputId) ?? -1));
  const newest = [...merged].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, MAX_OUTDATED);
  const isKnown = newest.every(([outputId, before]) => known?.[outputId] === before);
  return isKnown ? known : Object.fromEntries(newest);
}

/** What an observation alone says of its output. */
function standing(event: OutputEvent): OutputRecord {
  const { outputId, txid, amountBaseUnits, order, firstSeenAt, spends } = event;
  const outdates = outdatedIds(event);
  const spending = { ...(spends === undefined ? {} : { spends }), ...(outdates === undefined ? {} : { outdates }) };
  const first = { firstSeenAt, firstSeenOrder: order };
  const sighting = { outputId, txid, amountBaseUnits, ...spending, order, ...first, confirmedAt: null, verified: null };
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
