import type { CryptoSymbol, FiatCurrency, TransactionStatus, UnixMs } from '../../../machines/index.ts';
import type { StatsInterval } from './buckets.ts';
import type { Timing } from './calculate-stats.ts';

/** Transactions created from `from` until before `to`. */
export interface StatsRange {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly interval: StatsInterval;
  /** Whether payments whose coins are gone count as completed; by default they do not. */
  readonly countsGone?: boolean;
}

/** Money is exact decimal text. Ratios and means are null without data. */
export type Sums = Omit<Stats, keyof Timing>;

export interface Stats extends Timing {
  readonly totals: StatsTotals & {
    readonly expired: number;
    readonly partial: number;
    readonly failed: number;
    /** Paid after the payment window. */
    readonly paidLate: number;
    /** Completed, but the coins are gone. */
    readonly gone: number;
    /** Completed ÷ created: 0 to 1, to four decimals. */
    readonly completionRate: string | null;
    /** Completed ÷ ended, which excludes open ones: 0 to 1, to four decimals. */
    readonly conversionRate: string | null;
    readonly averageUsd: string | null;
  };
  readonly byStatus: Readonly<Record<TransactionStatus, number>>;
  /** Highest volume first, as in `byCurrency`. */
  readonly byCoin: readonly (StatsTotals & { readonly crypto: CryptoSymbol })[];
  readonly byCurrency: readonly CurrencyStats[];
  /** Every day, week or month of the range, including those without transactions. */
  readonly series: readonly (StatsTotals & { readonly startsAt: UnixMs })[];
}

export interface StatsTotals {
  readonly created: number;
  readonly completed: number;
  /** Waiting for the customer, for confirmations, or for the merchant's decision. */
  readonly open: number;
  /** Volume of the completed payments, at the rates of their creation. */
  readonly volumeUsd: string;
  /** The same by the currency of their price; highest in USD first. */
  readonly volumes: readonly FiatAmount[];
}

export interface FiatAmount {
  readonly currency: FiatCurrency;
  readonly amount: string;
}

/** The transactions with prices in one currency. Amounts are in it, but for `volumeUsd`. */
export interface CurrencyStats extends Omit<StatsTotals, 'volumes'> {
  readonly currency: FiatCurrency;
  readonly volume: string;
  readonly average: string | null;
  readonly gone: number;
  readonly goneVolume: string;
}
