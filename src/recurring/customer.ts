import type { CryptoSymbol, FiatCurrency, Interval, ScheduleStatus, UnixMs } from '../../machines/index.ts';

/** A schedule as the customer sees it who follows a link in a mail. Nothing that only the merchant should know. */
export interface ScheduleForCustomer {
  readonly merchantName: string;
  readonly description: string;
  /** Exact decimal. */
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
  readonly status: ScheduleStatus;
  /** Its last period is over. */
  readonly isFinished: boolean;
  readonly isTest: boolean;
  /** Due date of period 1 when the merchant has set one. */
  readonly startAt: UnixMs | null;
  readonly maxPeriods: number | null;
  readonly nextDueAt: UnixMs | null;
}

/** One period of it, behind its stable link. */
export interface PeriodForCustomer {
  readonly schedule: ScheduleForCustomer;
  readonly periodNo: number;
  readonly status: 'awaited' | 'paid' | 'unpaid';
  readonly dueAt: UnixMs;
  /** Coins it can be paid in; one when the merchant has fixed it. Empty when a payment cannot be opened. */
  readonly cryptos: readonly CryptoSymbol[];
  /** The payment to look at: the one that paid it, or one that has coins or can still be paid; null for none. */
  readonly transactionId: string | null;
  /** Whether coins for `transactionId` have come, so that no other payment should be opened. */
  readonly isUnderWay: boolean;
}
