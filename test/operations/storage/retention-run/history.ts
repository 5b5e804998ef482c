import fc from 'fast-check';
import type { RetentionDays } from '../../../../src/platform/config/index.ts';
import { RETENTION_SETTINGS } from '../../../../src/platform/config/settings.ts';

/** Events of a shop. Indexes count modulo the number of candidates, from the end when negative. */
export type Action =
  | { readonly do: 'pay'; readonly paid: 'nothing' | 'half' | 'all'; readonly key: number }
  | { readonly do: 'close'; readonly payment: number }
  | { readonly do: 'sendLate'; readonly payment: number }
  | { readonly do: 'answer'; readonly isTaken: boolean }
  | { readonly do: 'redeliver'; readonly delivery: number }
  | { readonly do: 'write'; readonly isOver: boolean }
  | { readonly do: 'wait'; readonly days: number }
  | RetentionRun;

const MIN_ARCHIVE_AFTER_DAYS = 35;

/** One round of the storage worker, with the settings at that time. */
export interface RetentionRun {
  readonly do: 'apply retention';
  /**
   * Whether partitions of these months exist yet: rows go to the default partition until a worker
   * creates them.
   */
  readonly makesMonths: boolean;
  readonly archiveAfterDays: number;
  readonly retention: RetentionDays;
}

/** Not used by random events. */
const UNUSED_KEY = 6;
/**
 * Rounds with the minimum settings run when the last events are exactly at each limit, a day later,
 * and when all are over.
 */
const MILESTONES = [1, 2, 7, 8, 30, 31, 65, 66, 365, 366, 400, 401, 500];

/**
 * Every history starts with something to delete, and ends with nothing left that may be deleted.
 */
export const historyArbitrary: fc.Arbitrary<readonly Action[]> = fc
  .record({ actions: actionsArbitrary(), first: retentionRunArbitrary(), last: retentionRunArbitrary() })
  .map(({ actions, first, last }) => [
    { do: 'pay', paid: 'all', key: 0 },
    { do: 'pay', paid: 'half', key: 1 },
    { do: 'answer', isTaken: true },
    { do: 'write', isOver: true },
    { do: 'write', isOver: false },
    { do: 'close', payment: 0 },
    { do: 'wait', days: 100 },
    first,
    ...actions,
    { do: 'pay', paid: 'all', key: UNUSED_KEY },
    { do: 'close', payment: -1 },
    { do: 'answer', isTaken: true },
    { do: 'write', isOver: true },
    ...MILESTONES.flatMap((days, index): Action[] => [
      { do: 'wait', days: days - (MILESTONES[index - 1] ?? 0) },
      { ...last, retention: LEAST },
    ]),
  ]);

// Helpers

function actionsArbitrary(): fc.Arbitrary<readonly Action[]> {
  return fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('pay' as const),
          paid: fc.constantFrom('nothing' as const, 'half' as const, 'all' as const, 'all' as const),
          key: fc.nat(5),
        }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('close' as const), payment: fc.nat(5) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('sendLate' as const), payment: fc.nat(5) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), isTaken: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('redeliver' as const), delivery: fc.nat(9) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), isOver: fc.boolean() }) },
      {
        weight: 6,
        // Includes the minimum of many settings: rows exactly at the limit are kept.
        arbitrary: fc.record({
          do: fc.constant('wait' as const),
          days: fc.oneof(fc.constantFrom(7, 30, 35, 65, 365, 400), fc.integer({ min: 1, max: 120 })),
        }),
      },
      { weight: 4, arbitrary: retentionRunArbitrary() },
    ),
    { minLength: 5, maxLength: 20, size: 'max' },
  );
}

/** Each setting at its minimum, somewhat longer, or never. */
function retentionRunArbitrary(): fc.Arbitrary<RetentionRun> {
  const days = (least: number) => fc.oneof(fc.constant(least), fc.integer({ min: least, max: least + 60 }));
  const retention = Object.fromEntries(
    Object.entries(RETENTION_SETTINGS).map(([name, setting]) => [
      name,
      fc.option(days(leastOf(setting)), { nil: null, freq: 5 }),
    ]),
  ) as { [K in keyof RetentionDays]: fc.Arbitrary<number | null> };
  return fc.record({
    do: fc.constant('apply retention' as const),
    makesMonths: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
    archiveAfterDays: days(MIN_ARCHIVE_AFTER_DAYS),
    retention: fc.record(retention),
  });
}

/** The documented minimum. */
function leastOf({ name, description }: { readonly name: string; readonly description: string }): number {
  const least = Number(/at least (\d+)/.exec(description)?.[1]);
  if (!Number.isSafeInteger(least)) throw new Error(`${name} does not say how little may be set`);
  return least;
}

const LEAST = Object.fromEntries(
  Object.entries(RETENTION_SETTINGS).map(([name, setting]) => [name, leastOf(setting)]),
) as unknown as RetentionDays;
