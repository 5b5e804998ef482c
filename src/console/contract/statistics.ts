import type { CryptoSymbol, FiatCurrency, TransactionStatus } from '../../../machines/index.ts';
import type { Mode } from './desk.ts';

/**
 * Statistics of the payments created in a period, by their current state. Days, weeks and months
 * are in UTC.
 */

export type StatisticsInterval = 'day' | 'week' | 'month';

/**
 * Query of GET /console/api/merchant/statistics: payments created from `from` until before `to`, in
 * Unix ms.
 */
export interface StatisticsQuery {
  readonly mode: Mode;
  readonly from: number;
  readonly to: number;
  readonly interval: StatisticsInterval;
}

/**
 * Response of GET /console/api/merchant/statistics. Amounts are exact decimal text; rates and
 * averages of nothing are null.
 */
export interface Statistics {
  readonly totals: {
    readonly created: number;
    readonly completed: number;
    readonly expired: number;
    readonly partial: number;
    readonly failed: number;
    /** Paid after the payment window. */
    readonly paidLate: number;
    /** 0 to 1, with four decimals. */
    readonly conversionRate: string | null;
    readonly volumeUsd: string;
    readonly averageUsd: string | null;
  };
  readonly byStatus: Readonly<Record<TransactionStatus, number>>;
  /** Highest volume first. */
  readonly byCoin: readonly (StatisticsShare & { readonly crypto: CryptoSymbol })[];
  /** Highest volume first; `volume` is in the currency itself. */
  readonly byCurrency: readonly (StatisticsShare & { readonly currency: FiatCurrency; readonly volume: string })[];
  /** Every day, week or month of the period, including those without payments. */
  readonly series: readonly (StatisticsShare & { readonly startsAt: number })[];
  readonly medianSecondsToFirstPayment: number | null;
  readonly medianSecondsToComplete: number | null;
}

export interface StatisticsShare {
  readonly created: number;
  readonly completed: number;
  /** Completed payments only. */
  readonly volumeUsd: string;
}
