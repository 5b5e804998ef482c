import type { Interval, ScheduleStatus } from '../../../../machines/index.ts';
import type { Words } from '../words.ts';

/** The statuses that leave the customer nothing to agree to. */
export type SettledStatus = Exclude<ScheduleStatus, 'pending_confirmation'>;

/**
 * Every text of the pages behind the links of recurring mails: one object of this type per language, one file each. As in the
 * texts of the payment page, everything is plain text and the name of the shop is in no sentence.
 */
export interface RecurringTexts {
  readonly banner: { readonly strong: string; readonly rest: string };
  readonly back: string;
  readonly nextHeading: string;
  readonly facts: {
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
  /** "every month", as it stands behind an amount and inside a sentence. */
  readonly often: { readonly [I in Interval]: string };
  readonly startsAtOnce: string;
  /** In place of a number of payments. */
  readonly untilEnded: string;
  readonly confirm: {
    /** `often` is one of the words above. */
    readonly ask: (often: string) => Words;
    /** What happens next, one after the other; the first depends on whether the merchant has set a day. */
    readonly firstAtOnce: string;
    readonly firstOnItsDay: string;
    readonly after: readonly string[];
    readonly button: string;
    readonly otherwise: string;
  };
  readonly stop: {
    readonly ask: Words;
    /** For whoever has not agreed yet. */
    readonly refuse: Words;
    readonly meaningHeading: string;
    readonly meaning: readonly string[];
    readonly button: string;
  };
  readonly pay: PeriodTexts;
  /** Where a schedule stands on which nothing is left to decide. */
  readonly standings: { readonly [S in SettledStatus]: Words };
  /** The last period is over. */
  readonly finished: Words;
  /** When the next request comes, for a schedule that is agreed to. */
  readonly following: {
    readonly none: string;
    readonly first: (day: string) => string;
    readonly next: (day: string) => string;
  };
  readonly problems: {
    readonly noSuchLink: Words;
    readonly unavailable: Words;
    readonly triesAgain: string;
    readonly broken: Words;
    readonly notNow: Words;
    readonly chooseCoin: Words;
    readonly shopCannot: Words;
    readonly notUnderstood: Words;
  };
}

export interface PeriodTexts {
  readonly due: (amount: string) => Words;
  readonly late: (amount: string) => Words;
  readonly open: (amount: string) => Words;
  readonly underWay: Words;
  readonly paid: Words;
  readonly nothingToPay: string;
  readonly choose: string;
  readonly fixed: string;
  readonly goToPay: string;
  /** "Pay with Litecoin (LTC)" */
  readonly payWith: (coin: string) => string;
  readonly goOn: string;
  readonly another: string;
  readonly look: string;
  readonly receipt: string;
  /** "USDT on Ethereum (ERC-20)" */
  readonly token: (crypto: string, network: string) => string;
}
