import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, whole } from '../../schema.ts';
import { CryptoSymbol, FiatCurrency, Mode, TransactionStatus } from '../schemas.ts';

/**
 * Statistics of the payments created in a period, by their current state. Days, weeks and months
 * are in UTC.
 */
export const StatisticsInterval = oneOf(['day', 'week', 'month']);
export type StatisticsInterval = Static<typeof StatisticsInterval>;

/** 9999-12-31: the last day that a date field can contain. */
const DayMoment = whole(0, Date.UTC(9999, 11, 31));

/** Payments created from `from` until before `to`, in Unix ms. */
export const StatisticsQuery = Type.Object({
  mode: Mode,
  from: DayMoment,
  to: DayMoment,
  interval: StatisticsInterval,
});
export type StatisticsQuery = Static<typeof StatisticsQuery>;

export const StatisticsShare = Type.Object({
  created: Type.Number(),
  completed: Type.Number(),
  /** Completed payments only. */
  volumeUsd: Type.String(),
});
export type StatisticsShare = Static<typeof StatisticsShare>;

/**
 * Amounts are exact decimal text; rates and
 * averages of nothing are null.
 */
export const Statistics = Type.Object({
  totals: Type.Object({
    created: Type.Number(),
    completed: Type.Number(),
    expired: Type.Number(),
    partial: Type.Number(),
    failed: Type.Number(),
    /** Paid after the payment window. */
    paidLate: Type.Number(),
    /** 0 to 1, with four decimals. */
    conversionRate: nullable(Type.String()),
    volumeUsd: Type.String(),
    averageUsd: nullable(Type.String()),
  }),
  byStatus: Type.Record(TransactionStatus, Type.Number()),
  /** Highest volume first. */
  byCoin: list(
    Type.Intersect([
      StatisticsShare,
      Type.Object({
        crypto: CryptoSymbol,
      }),
    ]),
  ),
  /** Highest volume first; `volume` is in the currency itself. */
  byCurrency: list(
    Type.Intersect([
      StatisticsShare,
      Type.Object({
        currency: FiatCurrency,
        volume: Type.String(),
      }),
    ]),
  ),
  /** Every day, week or month of the period, including those without payments. */
  series: list(
    Type.Intersect([
      StatisticsShare,
      Type.Object({
        startsAt: Type.Number(),
      }),
    ]),
  ),
  medianSecondsToFirstPayment: nullable(Type.Number()),
  medianSecondsToComplete: nullable(Type.Number()),
});
export type Statistics = Static<typeof Statistics>;
