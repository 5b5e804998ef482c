import type { CryptoSymbol, FiatCurrency, TransactionStatus } from '../../../machines/index.ts';
import type { Mode } from './desk.ts';

/** How the payments of a time went, as they stand now. Days, weeks and months are those of UTC. */

export type StatisticsInterval = 'day' | 'week' | 'month';

/** Query of GET /console/api/merchant/statistics: payments created from `from` until before `to`, in Unix ms. */
export interface StatisticsQuery {
  readonly mode: Mode;
  readonly from: number;
  readonly to: number;
  readonly interval: StatisticsInterval;
}

/** Answer of GET /console/api/merchant/statistics. Money is exact decimal text; what is a share or a mean of nothing is null. */
export interface Statistics {
  readonly totals: {
    readonly created: number;
    readonly completed: number;
    readonly expired: number;
    readonly partial: number;
    readonly failed: number;
    /** Paid after the time to pay had run out. */
    readonly paidLate: number;
    /** 0 to 1, to four decimals. */
    readonly conversionRate: string | null;
    readonly volumeUsd: string;
    readonly averageUsd: string | null;
  };
  readonly byStatus: Readonly<Record<TransactionStatus, number>>;
  /** The most worth first. */
  readonly byCoin: readonly (StatisticsShare & { readonly crypto: CryptoSymbol })[];
  /** The most worth first; `volume` is in the currency itself. */
  readonly byCurrency: readonly (StatisticsShare & { readonly currency: FiatCurrency; readonly volume: string })[];
  /** Every day, week or month of the time, also those in which nothing happened. */
  readonly series: readonly (StatisticsShare & { readonly startsAt: number })[];
  readonly medianSecondsToFirstPayment: number | null;
  readonly medianSecondsToComplete: number | null;
}

export interface StatisticsShare {
  readonly created: number;
  readonly completed: number;
  /** Of the completed ones. */
  readonly volumeUsd: string;
}
