import type { Interval, ScheduleStatus } from '../../../../../machines/index.ts';
import type { ScreenText } from '../screen-text.ts';

/** Statuses in which the customer has nothing to confirm. */
export type SettledStatus = Exclude<ScheduleStatus, 'pending_confirmation'>;

/**
 * All texts of the pages behind the links in recurring emails: one object per language, one file
 * each. As for the payment page, all are plain text, and the shop's name is part of no sentence.
 */
export interface RecurringTexts {
  readonly banner: { readonly strong: string; readonly rest: string };
  readonly back: string;
  readonly nextHeading: string;
  readonly labels: {
    readonly description: string;
    readonly often: string;
    readonly amount: string;
    readonly start: string;
    readonly next: string;
    readonly count: string;
    readonly period: string;
    readonly due: string;
    readonly wasDue: string;
  };
  /** "every month", after an amount and within a sentence. */
  readonly often: { readonly [I in Interval]: string };
  readonly startsAtOnce: string;
  /** Instead of a number of payments. */
  readonly untilEnded: string;
  readonly confirm: {
    /** `often` is one of the phrases above. */
    readonly ask: (often: string) => ScreenText;
    /**
     * What happens next, in order; the first item depends on whether the
     * merchant has set a start day.
     */
    readonly firstAtOnce: string;
    readonly firstOnItsDay: string;
    readonly after: readonly string[];
    readonly button: string;
    readonly otherwise: string;
  };
  readonly stop: {
    readonly ask: ScreenText;
    /** Shown before the customer has confirmed. */
    readonly decline: ScreenText;
    readonly meaningHeading: string;
    readonly meaning: readonly string[];
    readonly button: string;
  };
  readonly pay: PeriodTexts;
  /** Status of a schedule that no longer needs a decision. */
  readonly statuses: { readonly [S in SettledStatus]: ScreenText };
  /** After the last period. */
  readonly finished: ScreenText;
  /** When the next request is due, for a confirmed schedule. */
  readonly following: {
    readonly none: string;
    readonly first: (day: string) => string;
    readonly next: (day: string) => string;
    /** Where the email with its link was sent. */
    readonly firstIsDue: string;
    readonly isDue: string;
  };
  readonly problems: {
    readonly noSuchLink: ScreenText;
    readonly unavailable: ScreenText;
    readonly triesAgain: string;
    readonly broken: ScreenText;
    readonly notNow: ScreenText;
    readonly chooseCoin: ScreenText;
    readonly shopCannot: ScreenText;
    readonly notUnderstood: ScreenText;
  };
}

export interface PeriodTexts {
  readonly due: (amount: string) => ScreenText;
  readonly late: (amount: string) => ScreenText;
  readonly open: (amount: string) => ScreenText;
  readonly inProgress: ScreenText;
  readonly paid: ScreenText;
  readonly nothingToPay: string;
  readonly choose: string;
  readonly fixed: string;
  readonly goToPay: string;
  /** Leads to the page of a period. */
  readonly now: string;
  /** "Pay with Litecoin (LTC)" */
  readonly payWith: (coin: string) => string;
  readonly continuePayment: string;
  readonly another: string;
  readonly viewPayment: string;
  readonly receipt: string;
  /** "USDT on Ethereum (ERC-20)" */
  readonly token: (crypto: string, network: string) => string;
}
