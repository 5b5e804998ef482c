import type { Interval, UnixMs } from '../../../machines/index.ts';
import type { EmailLanguage } from '../../mail/index.ts';

/**
 * All texts of the email templates in one language. Another language is another object of this
 * type. The texts contain no markup, and all parameters are single lines of plain text.
 */
export interface EmailTexts {
  readonly language: EmailLanguage;
  /** The interval as used inside a sentence: "every month". */
  readonly every: Readonly<Record<Interval, string>>;
  /** A day in UTC. */
  day(moment: UnixMs): string;
  /** Date and time in UTC, including the zone name. */
  moment(moment: UnixMs): string;
  /** Subject of an email of a test schedule. */
  testSubject(subject: string): string;
  readonly testNotice: string;
  readonly confirmation: ConfirmationTexts;
  readonly request: RequestTexts;
  /** Labels of the listed values, in both emails. */
  readonly names: Readonly<Record<DetailName, string>>;
}

export interface ConfirmationTexts {
  subject(terms: Terms): string;
  opening(terms: Terms): string;
  /** Used when the schedule has no start date. */
  readonly fromConfirmation: string;
  /** How many requests there will be; null for no limit. */
  count(maxPeriods: number | null, terms: Terms): string;
  readonly nothingMovesByItself: string;
  readonly confirm: string;
  /** `expires` is a formatted date and time. */
  silenceIsNo(expires: string): string;
  why(terms: Terms): string;
  readonly decline: string;
}

export interface RequestTexts {
  /** `reminder` as in `DueTerms`. */
  subject(terms: DueTerms): string;
  opening(terms: DueTerms): string;
  periodNo(periodNo: number, maxPeriods: number | null): string;
  readonly priceIsFixedWhenOpened: string;
  /** Only in reminders. */
  readonly alreadyPaid: string;
  pay(terms: Terms): string;
  why(terms: Terms): string;
  readonly stop: string;
}

/** The parts of sentences. */
export interface Terms {
  readonly merchant: string;
  /** With currency: "25.00 EUR". */
  readonly amount: string;
  /** One of `EmailTexts.every`. */
  readonly every: string;
}

export interface DueTerms extends Terms {
  /** A formatted date. */
  readonly due: string;
  /** The request itself, a reminder, or the last one. */
  readonly reminder: 'none' | 'one_of_several' | 'last';
}

export type DetailName =
  | 'merchant'
  | 'description'
  | 'reference'
  | 'amount'
  | 'interval'
  | 'firstRequest'
  | 'count'
  | 'due'
  | 'period';
