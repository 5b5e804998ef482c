import type { Kysely } from 'kysely';
import {
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  DAY_MS,
  FIAT_CURRENCIES,
  type FiatCurrency,
  TRANSACTION_STATUSES,
  type TransactionStatus,
  type UnixMs,
} from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { Scope } from '../view/get-transaction.ts';
import { type StatsInterval, startsOfBuckets } from './buckets.ts';
import { type Group, type GroupKind, groupsStatement, type Timing, timingStatement } from './statements.ts';

/** A year, leap years included; every day of it is one bucket. */
export const MAX_STATS_DAYS = 366;

/** Transactions created from `from` until before `to`. */
export interface StatsRange {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly interval: StatsInterval;
}

/** Money is exact decimal text. Ratios and means are null without data. */
export interface Stats extends Timing {
  readonly totals: StatsTotals & {
    readonly expired: number;
    readonly partial: number;
    readonly failed: number;
    /** Paid after the payment window. */
    readonly paidLate: number;
    /** 0 to 1, to four decimals. */
    readonly conversionRate: string | null;
    readonly averageUsd: string | null;
  };
  readonly byStatus: Readonly<Record<TransactionStatus, number>>;
  /** Highest volume first, as in `byCurrency`. */
  readonly byCoin: readonly (StatsTotals & { readonly crypto: CryptoSymbol })[];
  /** `volume` is in the currency itself. */
  readonly byCurrency: readonly (StatsTotals & { readonly currency: FiatCurrency; readonly volume: string })[];
  /** Every day, week or month of the range, including those without transactions. */
  readonly series: readonly (StatsTotals & { readonly startsAt: UnixMs })[];
}

export interface StatsTotals {
  readonly created: number;
  readonly completed: number;
  /** Of the completed ones. */
  readonly volumeUsd: string;
}

/**
 * Current outcome of the transactions created in a range. All counts and sums come from one
 * statement, so they are consistent; sums are exact. Throws `INVALID_REQUEST` for an empty range,
 * one of more than `MAX_STATS_DAYS` days, or one before the year 1.
 */
export async function getStats(db: Kysely<Database>, scope: Scope, range: StatsRange): Promise<Stats> {
  requireRange(range);
  const [{ rows: groups }, timing] = await Promise.all([
    groupsStatement(scope, range).execute(db),
    timingStatement(scope, range).execute(db),
  ]);
  const byName = new Map(groups.map((group) => [`${group.kind} ${group.key}`, group]));
  const find = (kind: GroupKind, key: string | number = '') => byName.get(`${kind} ${key}`);
  const countOf = (status: TransactionStatus) => find('status', status)?.created ?? 0;
  const all = find('all') ?? NONE;
  return {
    totals: {
      created: all.created,
      completed: all.completed,
      expired: countOf('expired'),
      partial: countOf('partial'),
      failed: countOf('failed'),
      paidLate: all.paidLate,
      conversionRate: all.conversionRate,
      volumeUsd: all.volumeUsd,
      averageUsd: all.averageUsd,
    },
    // The entries contain every status.
    byStatus: Object.fromEntries(TRANSACTION_STATUSES.map((status) => [status, countOf(status)])) as Stats['byStatus'],
    byCoin: CRYPTO_SYMBOLS.flatMap((crypto) => {
      const group = find('crypto', crypto);
      return group === undefined ? [] : [{ crypto, ...shareOf(group) }];
    }).sort(mostWorthFirst),
    byCurrency: FIAT_CURRENCIES.flatMap((currency) => {
      const group = find('fiat', currency);
      return group === undefined ? [] : [{ currency, volume: group.volumeFiat, ...shareOf(group) }];
    }).sort(mostWorthFirst),
    series: startsOfBuckets(range).map((startsAt) => ({ startsAt, ...shareOf(find('bucket', startsAt) ?? NONE) })),
    medianSecondsToFirstPayment: timing.rows[0]?.medianSecondsToFirstPayment ?? null,
    medianSecondsToComplete: timing.rows[0]?.medianSecondsToComplete ?? null,
  };
}

// Helpers

/** Its week begins in the year 0000, the first that RFC 3339 can express. */
const FIRST_DAY = '0001-01-01';

function requireRange({ from, to }: StatsRange): void {
  if (from >= to) throw invalidFrom('before to');
  if (from < Date.parse(FIRST_DAY)) throw invalidFrom(`${FIRST_DAY} or later`);
  if (to - from > MAX_STATS_DAYS * DAY_MS) throw invalidFrom(`at most ${MAX_STATS_DAYS} days before to`);
}

function invalidFrom(limit: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `from must be ${limit}`, { field: 'from' });
}

const NONE: Omit<Group, 'kind' | 'key'> = {
  created: 0,
  completed: 0,
  paidLate: 0,
  volumeUsd: '0',
  volumeFiat: '0',
  averageUsd: null,
  conversionRate: null,
};

function shareOf({ created, completed, volumeUsd }: StatsTotals): StatsTotals {
  return { created, completed, volumeUsd };
}

/** Used only to sort, so the rounding of floats does not matter. */
function mostWorthFirst(a: StatsTotals, b: StatsTotals): number {
  return Number(b.volumeUsd) - Number(a.volumeUsd) || b.created - a.created;
}
