import { DUE, TERMS } from '../watching/sink-support.ts';
import type { ChainSimulation, Sent } from './chain-simulation.ts';
import type { Sighting, Sightings } from './sightings.ts';
import type { Timestamp } from './timeline.ts';

const REQUIRED = DUE - BigInt(TERMS.toleranceBaseUnits);
const PAID_LATE_WINDOW_MS = 6 * 3_600_000;

/** Where a payment must end, read from the final chain in order. */
export interface Expected {
  readonly ends: 'completed' | 'paid late' | 'unpaid';
  readonly paidBaseUnits: bigint;
  /** What the polls found of it. Coins that no poll found do not count. */
  readonly found: readonly Found[];
  /**
   * From some time inside the window on, in-time coins covered the amount without a gap: it must
   * never look unpaid.
   */
  readonly isSteady: boolean;
}

export interface Found extends Sent {
  /** Its own first sighting. */
  readonly own: Sighting;
  /** Its amount, by the time at which it counts as first seen. */
  readonly portions: readonly Portion[];
  /** Whether it is in the final chain. */
  readonly counts: boolean;
}

/** Unix ms. */
interface Portion {
  readonly amount: bigint;
  readonly at: number;
}

/**
 * `expiresAt` in Unix ms. A watcher that sees coins in blocks only cannot know of a transaction in
 * the mempool that was in no block yet, such as the replacement of a reorged-out one.
 */
export function expectedOf(
  simulation: ChainSimulation,
  sightings: Sightings,
  payment: number,
  { expiresAt, isSeenInBlocksOnly }: { readonly expiresAt: number; readonly isSeenInBlocksOnly: boolean },
): Expected {
  const { moments, now } = simulation.timeline;
  const { present } = now();
  const found = findSeen(simulation, sightings, payment).map((each) => ({ ...each, counts: present.has(each.txid) }));
  const live = found.filter(({ counts }) => counts);
  const inTime = (list: readonly Seen[]) => total(portionsOf(list).filter(({ at }) => at <= expiresAt));
  const isPaidLate = ({ at }: Portion) => at > expiresAt && at <= expiresAt + PAID_LATE_WINDOW_MS;
  const isKnown = ({ own }: Seen, at: number) => !isSeenInBlocksOnly || own.at <= at;
  const covers = ({ at, present: there }: Timestamp) =>
    inTime(found.filter((each) => there.has(each.txid) && isKnown(each, at))) >= REQUIRED;
  const steadySince = moments[moments.findLastIndex((moment) => !covers(moment)) + 1];
  return {
    ends: inTime(live) >= REQUIRED ? 'completed' : portionsOf(live).some(isPaidLate) ? 'paid late' : 'unpaid',
    paidBaseUnits: total(live),
    found,
    isSteady: steadySince !== undefined && steadySince.at <= expiresAt,
  };
}

// Helpers

type Seen = Omit<Found, 'counts'>;

function findSeen(simulation: ChainSimulation, sightings: Sightings, payment: number): Seen[] {
  const own = simulation.sent
    .filter((each) => each.payment === payment)
    .flatMap((each) => {
      const sighting = sightings.of(each, each.txid);
      return sighting === undefined
        ? []
        : [{ ...each, own: sighting, portions: [{ amount: each.amount, at: sighting.at }] }];
    })
    .sort((one, other) => one.own.order - other.own.order);
  const roots: Seen[] = [];
  return own.map((each) => {
    const root = roots.find((other) => isSameMoney(other, each));
    if (root === undefined) roots.push(each);
    return root === undefined ? each : { ...each, portions: inherited(root, each) };
  });
}

/**
 * What is named takes the time of the transaction it replaces. Coins that only a balance shows
 * replace nothing, because their transaction is unknown.
 */
function inherited(root: Seen, { amount, own }: Seen): Portion[] {
  const named = own.namedBaseUnits < amount ? own.namedBaseUnits : amount;
  return [
    { amount: named, at: root.own.at },
    { amount: amount - named, at: own.at },
  ].filter((portion) => portion.amount > 0n);
}

function portionsOf(list: readonly Seen[]): readonly Portion[] {
  return list.flatMap(({ portions }) => portions);
}

/**
 * Whether a transaction replaces another and pays no more than what was named of that one: a log
 * that came too late, and was undone with its block, was never known.
 */
function isSameMoney(root: Seen, each: Seen): boolean {
  const isReplaced = root.own.isNamed && each.own.isNamed && root.lineage === each.lineage;
  return isReplaced && root.own.namedBaseUnits >= each.own.namedBaseUnits;
}

function total(list: readonly { readonly amount: bigint }[]): bigint {
  return list.reduce((sum, { amount }) => sum + amount, 0n);
}
