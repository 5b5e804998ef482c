import type { Kysely } from 'kysely';
import { DAY_MS } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { Scope } from '../view/get-transaction.ts';
import { groupsStatement, timingStatement } from './calculate-stats.ts';
import { collectGroups } from './collect-groups.ts';
import type { Stats, StatsRange, Sums } from './stats.ts';

/** A year, leap years included; every day of it is one bucket. */
export const MAX_STATS_DAYS = 366;

/**
 * Current outcome of the transactions created in a range. All counts and sums come from one
 * statement, so they are consistent; sums are exact. Throws `INVALID_REQUEST` for an empty range,
 * one of more than `MAX_STATS_DAYS` days, or one before the year 1.
 */
export async function getStats(db: Kysely<Database>, scope: Scope, range: StatsRange): Promise<Stats> {
  const [sums, timing] = await Promise.all([getSums(db, scope, range), timingStatement(scope, range).execute(db)]);
  return {
    ...sums,
    medianSecondsToFirstPayment: timing.rows[0]?.medianSecondsToFirstPayment ?? null,
    medianSecondsToComplete: timing.rows[0]?.medianSecondsToComplete ?? null,
  };
}

/** The counts and sums of `getStats`, without the medians. */
export async function getSums(
  db: Kysely<Database>,
  scope: Scope,
  { countsGone = false, ...range }: StatsRange,
): Promise<Sums> {
  requireRange(range);
  const groups = await groupsStatement(scope, { ...range, countsGone }).execute(db);
  return collectGroups(groups.rows, range);
}

// Helpers

/** Its week starts in the year 0000, the first that RFC 3339 can express. */
const FIRST_DAY = '0001-01-01';

function requireRange({ from, to }: Pick<StatsRange, 'from' | 'to'>): void {
  if (from >= to) throw invalidFrom('before to');
  if (from < Date.parse(FIRST_DAY)) throw invalidFrom(`${FIRST_DAY} or later`);
  if (to - from > MAX_STATS_DAYS * DAY_MS) throw invalidFrom(`at most ${MAX_STATS_DAYS} days before to`);
}

function invalidFrom(limit: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `from must be ${limit}`, { field: 'from' });
}
