import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../../machines/index.ts';
import { BLOCK_HEIGHT, confirmed, dropped, mined, seen } from '../observations.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, REQUIRED, TOLERANCE } from '../terms.ts';
import type { OutputEvent } from './model.ts';

/** Edge cases: around the amount due, the least that pays it, and overpayment. */
export const amountNearDue: fc.Arbitrary<bigint> = fc.constantFrom(
  1n,
  DUE / 2n,
  REQUIRED - DUE / 2n,
  REQUIRED - 1n,
  REQUIRED,
  DUE,
  DUE + TOLERANCE,
  DUE + TOLERANCE + 1n,
);

const SLOTS = 4;
/** The amounts of the outputs one run may report. */
export const cast: fc.Arbitrary<bigint[]> = fc.array(amountNearDue, { minLength: SLOTS, maxLength: SLOTS });
export const slot: fc.Arbitrary<number> = fc.nat({ max: SLOTS - 1 });

export const inTime: fc.Arbitrary<UnixMs> = fc.constantFrom(
  CLOSES_AT - 20 * MINUTE_MS,
  CLOSES_AT - MINUTE_MS,
  CLOSES_AT - 1,
  CLOSES_AT,
);
const late: fc.Arbitrary<UnixMs> = fc.constantFrom(
  CLOSES_AT + 1,
  CLOSES_AT + HOUR_MS,
  CLOSES_AT + 6 * HOUR_MS,
  CLOSES_AT + 6 * HOUR_MS + 1,
  CLOSES_AT + 12 * HOUR_MS,
  CLOSES_AT + DEADLINE_MS + 1,
);
export const firstSeen: fc.Arbitrary<UnixMs> = fc.oneof(
  { arbitrary: inTime, weight: 3 },
  { arbitrary: late, weight: 2 },
);

export const height: fc.Arbitrary<number> = fc.integer({ min: BLOCK_HEIGHT, max: BLOCK_HEIGHT + 2 });
export const branch = fc.constantFrom('main' as const, 'fork' as const);

/** States of an output, from first seen to the depth that settles it. */
const SETTLING = ['seen', 'mined', 'confirmed'] as const;
const ANY_STANDING = [...SETTLING, 'dropped'] as const;
export type StandingKind = (typeof ANY_STANDING)[number];

export interface HistoryShape {
  readonly sightings: fc.Arbitrary<UnixMs>;
  /** Whether outputs may be dropped, change blocks, or return from a block to the mempool. */
  readonly losses: boolean;
  /**
   * Whether the first two outputs spend the same coin, so that the newer replaces the other, and
   * the last two share one transaction, like a token's log that a reorganisation has moved.
   */
  readonly replacements?: boolean;
}

/** Chain events about up to four outputs, in the order they happened, with rising order numbers. */
export function history({ sightings, losses, replacements = false }: HistoryShape): fc.Arbitrary<OutputEvent[]> {
  const one = fc.record({
    slot,
    kind: fc.constantFrom<StandingKind>(...(losses ? ANY_STANDING : SETTLING)),
    firstSeenAt: sightings,
    height: losses ? height : fc.constant(BLOCK_HEIGHT),
    branch: losses ? branch : fc.constant('main' as const),
  });
  return fc.tuple(cast, fc.array(one, { minLength: 1, maxLength: 10 })).map(([amounts, reports]) => {
    const furthest = new Map<number, number>();
    const observed = reports.map(({ kind, slot: index, ...rest }, position) => {
      const rank = Math.max(ANY_STANDING.indexOf(kind), losses ? 0 : (furthest.get(index) ?? 0));
      furthest.set(index, rank);
      const spending = replacements ? (index < 2 ? { spends: ['coin:0'] } : { txid: 'moved', spends: ['coin:1'] }) : {};
      const reported = {
        id: slotName(index),
        amount: amounts[index] ?? DUE,
        order: position + 1,
        ...rest,
        ...spending,
      };
      return observe(ANY_STANDING[rank] ?? kind, reported);
    });
    return replacements ? observed.map(withOutdated) : observed;
  });
}

/** A mined output is reported together with the drops right before it. */
function withOutdated(event: OutputEvent, index: number, all: readonly OutputEvent[]): OutputEvent {
  if (event.type !== 'chain.output_mined') return event;
  const start = all.slice(0, index).findLastIndex(({ type }) => type !== 'chain.output_dropped') + 1;
  const [first, ...more] = all.slice(start, index);
  if (first === undefined) return event;
  const outputIds = [first, ...more].map(({ outputId }) => outputId);
  return { ...event, outdates: { outputIds, before: first.order } };
}

function observe(kind: StandingKind, reported: Parameters<typeof seen>[0]): OutputEvent {
  switch (kind) {
    case 'seen':
      return seen(reported);
    case 'mined':
      return mined(reported);
    case 'confirmed':
      return confirmed(reported);
    case 'dropped':
      return dropped(reported);
  }
}

export function slotName(index: number): string {
  return 'abcd'.charAt(index);
}
