import type { CryptoSymbol, FiatCurrency, Interval, ScheduleStatus, UnixMs } from '../../machines/index.ts';
import type { Brand } from '../merchants/index.ts';

/**
 * A schedule as shown to the customer behind an email link, without data private to the merchant.
 */
export interface ScheduleForCustomer {
  readonly merchantName: string;
  readonly brand: Brand;
  readonly description: string;
  /** Exact decimal. */
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
  readonly status: ScheduleStatus;
  /** Whether its last period has ended. */
  readonly isFinished: boolean;
  readonly isTest: boolean;
  /** Due date of period 1, if the merchant set one. */
  readonly startAt: UnixMs | null;
  readonly maxPeriods: number | null;
  readonly nextDueAt: UnixMs | null;
  /** The newest period if it awaits its payment; read only for the page to confirm. */
  readonly due: DuePeriod | null;
}

export interface DuePeriod {
  readonly periodNo: number;
  /** Its permanent link, which its email contains as well. */
  readonly url: string;
}

/** One period of a schedule, behind its permanent link. */
export interface PeriodForCustomer {
  readonly schedule: ScheduleForCustomer;
  readonly periodNo: number;
  readonly status: 'awaited' | 'paid' | 'unpaid';
  readonly dueAt: UnixMs;
  /**
   * Coins it can be paid in; at most one if the merchant fixed it. Empty if no payment can be
   * opened.
   */
  readonly cryptos: readonly CryptoSymbol[];
  /**
   * The payment to show: the one that paid it, or one that has received coins or can still be paid;
   * null without one.
   */
  readonly transactionId: string | null;
  /** Whether coins for `transactionId` have arrived, so that no other payment should be opened. */
  readonly isInProgress: boolean;
  /** Whether the coins that paid it have left the network since. */
  readonly isLost: boolean;
}
