import type { UnixMs } from '../vocabulary/time.ts';
import type { OutputRecord, Verification } from './context.ts';
import type { OutputEvent } from './events.ts';
import { earlierSighting, seenTogether, sightingOf } from './first-sighting.ts';
import { supersedeMoved, supersedeOutdated } from './moved-outputs.ts';
import { linkReplacements, withoutLinks } from './replacements.ts';
import { isLive } from './rules/live.ts';

/**
 * The outputs of one transaction, as a set that observations are folded into. The fold keeps the
 * newest observation of each output, the first sighting of its transaction and its newest
 * verification, so it is idempotent and independent of arrival order. "First" goes by observation
 * order: a block with an earlier timestamp than the mempool sighting before it changes nothing.
 * Replacements are linked in `replacements.ts`.
 */

/**
 * Folds in one observation. Returns the same array when nothing changed. `areNamedByPosition`: a
 * reorganisation gives outputs of this chain new ids.
 */
export function recordOutput(
  outputs: readonly OutputRecord[],
  event: OutputEvent,
  areNamedByPosition = false,
): readonly OutputRecord[] {
  const unlinked = outputs.map(withoutLinks);
  const known = unlinked.find((output) => output.outputId === event.outputId);
  const next = known === undefined ? fromEvent(event) : merge(known, event);
  if (next === known) return outputs;
  const others = unlinked.filter((output) => output !== known);
  const together = seenTogether([...others, next], next.txid);
  const moved = areNamedByPosition ? supersedeMoved(together) : together;
  return [...linkReplacements(supersedeOutdated(moved), areNamedByPosition)].sort(byFirstSeen);
}

/** Outputs in the mempool or in a block, without those of replaced transactions. */
export function liveOutputs(outputs: readonly OutputRecord[]): OutputRecord[] {
  return outputs.filter(isLive);
}

// Helpers

function fromEvent(event: OutputEvent): OutputRecord {
  return withVerification(recordOf(event), newestVerification(null, event));
}

function merge(known: OutputRecord, event: OutputEvent): OutputRecord {
  const first = earlierSighting(known, sightingOf(event));
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
    return withVerification({ ...recordOf(event), ...more, ...first }, verified);
  }
  const isKnown =
    first.firstSeenOrder === known.firstSeenOrder && verified === known.verified && spends === known.spends;
  if (isKnown && outdates === known.outdates && backSince === known.backSince) return known;
  return withVerification({ ...known, ...more, ...first }, verified);
}

/** Since when it is back in the mempool, whether its absence or its return is processed first. */
function returnOf(known: OutputRecord, event: OutputEvent): UnixMs | undefined {
  const isNewer = event.order > known.order;
  const isWaiting = isNewer ? event.type === 'chain.output_seen' : known.presence === 'mempool';
  if (!isWaiting) return undefined;
  const wasAway = known.presence !== 'mempool' || event.type !== 'chain.output_seen';
  return known.backSince ?? (wasAway ? event.at : undefined);
}

/** Caps the outdated outputs kept per output; the newest stay. */
const MAX_OUTDATED = 16;

type OutdatedIds = NonNullable<OutputRecord['outdates']>;

function outdatedIds({ outdates }: OutputEvent): OutdatedIds | undefined {
  if (outdates === undefined) return undefined;
  return Object.fromEntries(outdates.outputIds.map((outputId) => [outputId, outdates.before]));
}

/** Returns the same object when nothing changed, in any order of processing. */
function withOutdated(known: OutdatedIds | undefined, event: OutputEvent): OutdatedIds | undefined {
  const named = Object.entries(outdatedIds(event) ?? {});
  if (named.every(([outputId, before]) => (known?.[outputId] ?? -1) >= before)) return known;
  const merged = new Map(Object.entries(known ?? {}));
  for (const [outputId, before] of named) merged.set(outputId, Math.max(before, merged.get(outputId) ?? -1));
  const newest = [...merged].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, MAX_OUTDATED);
  const isKnown = newest.every(([outputId, before]) => known?.[outputId] === before);
  return isKnown ? known : Object.fromEntries(newest);
}

/** The record that a single observation makes of its output. */
function recordOf(event: OutputEvent): OutputRecord {
  const { outputId, txid, amountBaseUnits, order, spends } = event;
  const outdates = outdatedIds(event);
  const placed = event.type === 'chain.output_mined' || event.type === 'chain.output_confirmed' ? event : null;
  return {
    outputId,
    txid,
    amountBaseUnits,
    presence: PRESENCE[event.type],
    order,
    ...sightingOf(event),
    height: placed?.height ?? null,
    blockHash: placed?.blockHash ?? null,
    confirmedAt: null,
    verified: null,
    goneReason: event.type === 'chain.output_dropped' ? event.reason : null,
    verifying: false,
    ...(spends === undefined ? {} : { spends }),
    ...(outdates === undefined ? {} : { outdates }),
  };
}

const PRESENCE: Readonly<Record<OutputEvent['type'], OutputRecord['presence']>> = {
  'chain.output_seen': 'mempool',
  'chain.output_mined': 'block',
  'chain.output_confirmed': 'block',
  'chain.output_dropped': 'gone',
};

/** Verified depth holds for as long as the output is in that block. */
function withVerification(output: OutputRecord, verified: Verification | null): OutputRecord {
  const confirmedAt = verified !== null && verified.blockHash === output.blockHash ? verified.at : null;
  return { ...output, verified, confirmedAt, verifying: output.verifying && confirmedAt === null };
}

/** A repeated verification in the same block keeps the time of the first. */
function newestVerification(known: Verification | null, event: OutputEvent): Verification | null {
  if (event.type !== 'chain.output_confirmed' || (known !== null && event.order <= known.order)) return known;
  const at = known?.blockHash === event.blockHash ? known.at : event.at;
  return { blockHash: event.blockHash, order: event.order, at };
}

function byFirstSeen(a: OutputRecord, b: OutputRecord): number {
  return a.firstSeenAt - b.firstSeenAt || (a.outputId < b.outputId ? -1 : 1);
}
