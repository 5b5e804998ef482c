import { DUE, TERMS } from '../sink-support.ts';
import type { Sighting, Sightings } from './sightings.ts';
import type { Moment, Sent, World } from './world.ts';

const REQUIRED = DUE - BigInt(TERMS.toleranceBaseUnits);
const PAID_LATE_WINDOW_MS = 6 * 3_600_000;

/** Where a payment must end, read off the final chain in order. */
export interface Expected {
  readonly ends: 'completed' | 'paid late' | 'unpaid';
  readonly paidBaseUnits: bigint;
  /** By transaction, whether it counts in the end. Those that no poll has found are in neither. */
  readonly counts: Readonly<Record<string, boolean>>;
  /** From a moment inside the window on, coins in time covered the amount without a gap: it may never look unpaid. */
  readonly isSteady: boolean;
}

/** `expiresAt` in Unix ms. */
export function expectedOf(world: World, sightings: Sightings, payment: number, expiresAt: number): Expected {
  const found = findSeen(world, sightings, payment);
  const { present } = world.momentNow();
  const live = found.filter(({ made }) => present.has(made.txid));
  const isInTime = ({ at }: Sighting) => at <= expiresAt;
  const inTime = live.filter(({ sighting }) => isInTime(sighting));
  const late = live.filter(({ sighting: { at } }) => at > expiresAt && at <= expiresAt + PAID_LATE_WINDOW_MS);
  const covers = ({ present: there }: Moment) =>
    total(found.filter(({ made, sighting }) => there.has(made.txid) && isInTime(sighting))) >= REQUIRED;
  const first = world.moments.findIndex(covers);
  return {
    ends: total(inTime) >= REQUIRED ? 'completed' : late.length > 0 ? 'paid late' : 'unpaid',
    paidBaseUnits: total(live),
    counts: Object.fromEntries(found.map(({ made }) => [made.txid, present.has(made.txid)])),
    isSteady:
      first >= 0 &&
      (world.moments[first]?.at ?? expiresAt + 1) <= expiresAt &&
      world.moments.slice(first).every(covers),
  };
}

// Helpers

interface Seen extends Sent {
  /** Its own first sighting, or that of what it replaces when it pays no more than that did. */
  readonly sighting: Sighting;
}

function findSeen(world: World, sightings: Sightings, payment: number): Seen[] {
  const own = world.sent
    .filter((each) => each.payment === payment)
    .flatMap((each) => {
      const sighting = sightings.of(each.made.txid);
      return sighting === undefined ? [] : [{ ...each, sighting }];
    })
    .sort((one, other) => one.sighting.order - other.sighting.order);
  const roots: Seen[] = [];
  return own.map((each) => {
    const root = roots.find(({ lineage, amount }) => lineage === each.lineage && amount >= each.amount);
    if (root === undefined) roots.push(each);
    return root === undefined ? each : { ...each, sighting: root.sighting };
  });
}

function total(list: readonly Sent[]): bigint {
  return list.reduce((sum, { amount }) => sum + amount, 0n);
}
