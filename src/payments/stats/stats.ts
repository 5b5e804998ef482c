import type { Kysely } from 'kysely';
import {
  type CryptoSymbol,
  type FiatCurrency,
  TRANSACTION_STATUSES,
  type TransactionStatus,
  type UnixMs,
} from '../../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../../platform/db/index.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { Scope } from '../view/get-transaction.ts';
import { type StatsInterval, startsOfBuckets } from './buckets.ts';
import { type Group, type GroupKind, groupsStatement, type Timing, timingStatement } from './statements.ts';

/** Transactions created from `from` until before `to`. */
export interface StatsRequest {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly interval: StatsInterval;
}

/** Usage that counts toward the plan this month. */
export interface Usage {
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly resetsAt: UnixMs;
}

export interface StatsDeps {
  readonly db: Kysely<Database>;
  usageOf(merchantId: string): Promise<Usage>;
}

/** Money is exact decimal text. Ratios and means are null without data. */
export interface Stats {
  readonly totals: {
    readonly created: number;
    readonly completed: number;
    readonly expired: number;
    readonly partial: number;
    readonly failed: number;
    readonly paid_late: number;
    readonly conversion_rate: string | null;
    readonly volume_usd: string;
    readonly average_usd: string | null;
  };
  readonly by_status: Readonly<Record<TransactionStatus, number>>;
  readonly by_crypto: Readonly<Partial<Record<CryptoSymbol, Share>>>;
  readonly by_fiat: Readonly<Partial<Record<FiatCurrency, Share & { readonly volume: string }>>>;
  readonly timeseries: (Share & { readonly start: string })[];
  readonly timing: {
    readonly median_seconds_to_first_payment: number | null;
    readonly median_seconds_to_complete: number | null;
  };
  readonly usage: { readonly used: number; readonly limit: number | null; readonly resets_at: string };
}

export interface Share {
  readonly created: number;
  readonly completed: number;
  /** Of the completed ones. */
  readonly volume_usd: string;
}

/**
 * Current outcome of the transactions created in a range. All counts and sums come from one
 * statement, so they are consistent; sums are exact.
 */
export async function getStats(deps: StatsDeps, scope: Scope, request: StatsRequest): Promise<Stats> {
  const [{ rows: groups }, timing, usage] = await whileDatabaseAnswers(() =>
    Promise.all([
      groupsStatement(scope, request).execute(deps.db),
      timingStatement(scope, request).execute(deps.db),
      deps.usageOf(scope.merchantId),
    ]),
  );
  const of = (kind: GroupKind) => groups.filter((group) => group.kind === kind);
  const all = of('all')[0] ?? NONE;
  const byStatus = new Map(of('status').map((group) => [group.key, group.created]));
  const countOf = (status: TransactionStatus) => byStatus.get(status) ?? 0;
  const buckets = new Map(of('bucket').map((group) => [Number(group.key), group]));
  return {
    totals: {
      created: all.created,
      completed: all.completed,
      expired: countOf('expired'),
      partial: countOf('partial'),
      failed: countOf('failed'),
      paid_late: all.paid_late,
      conversion_rate: all.conversion_rate,
      volume_usd: all.volume_usd,
      average_usd: all.average_usd,
    },
    by_status: recordOf(TRANSACTION_STATUSES.map((status) => [status, countOf(status)])),
    by_crypto: Object.fromEntries(of('crypto').map((group) => [group.key, shareOf(group)])),
    by_fiat: Object.fromEntries(
      of('fiat').map((group) => [group.key, { ...shareOf(group), volume: group.volume_fiat }]),
    ),
    timeseries: startsOfBuckets(request).map((start) => ({
      start: isoTime(start),
      ...shareOf(buckets.get(start) ?? NONE),
    })),
    timing: secondsOf(timing.rows[0]),
    usage: { used: usage.used, limit: usage.limit, resets_at: isoTime(usage.resetsAt) },
  };
}

// Helpers

const NONE: Omit<Group, 'kind' | 'key'> = {
  created: 0,
  completed: 0,
  paid_late: 0,
  volume_usd: '0',
  volume_fiat: '0',
  average_usd: null,
  conversion_rate: null,
};

function shareOf({ created, completed, volume_usd }: Omit<Group, 'kind' | 'key'>): Share {
  return { created, completed, volume_usd };
}

function recordOf(entries: readonly (readonly [TransactionStatus, number])[]): Record<TransactionStatus, number> {
  // The entries contain every status.
  return Object.fromEntries(entries) as Record<TransactionStatus, number>;
}

function secondsOf(timing: Timing | undefined): Stats['timing'] {
  return {
    median_seconds_to_first_payment: timing?.to_first_payment ?? null,
    median_seconds_to_complete: timing?.to_complete ?? null,
  };
}
