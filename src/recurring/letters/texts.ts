import type { Interval, UnixMs } from '../../../machines/index.ts';
import type { LetterLanguage } from '../../mail/index.ts';

/**
 * Everything the letters say, in one language. Another language is one more object of this type. Nothing in it is markup, and
 * whatever it is given is one line of plain text.
 */
export interface LetterTexts {
  readonly language: LetterLanguage;
  /** How often, as it stands inside a sentence: "every month". */
  readonly every: Readonly<Record<Interval, string>>;
  /** A day in UTC. */
  day(moment: UnixMs): string;
  /** A day and the time of day in UTC, which it names. */
  moment(moment: UnixMs): string;
  /** The subject of a mail of a test schedule. */
  testSubject(subject: string): string;
  readonly testNotice: string;
  readonly confirmation: ConfirmationTexts;
  readonly request: RequestTexts;
  /** Names of what is listed in both. */
  readonly names: Readonly<Record<FactName, string>>;
}

export interface ConfirmationTexts {
  subject(terms: Terms): string;
  opening(terms: Terms): string;
  /** Of a schedule without a date to begin with. */
  readonly fromConfirmation: string;
  /** How many requests there will be; null: nobody has set an end. */
  count(maxPeriods: number | null, terms: Terms): string;
  readonly nothingMovesByItself: string;
  readonly confirm: string;
  /** `expires` is a moment in words. */
  silenceIsNo(expires: string): string;
  why(terms: Terms): string;
  readonly refuse: string;
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

/** What sentences are made of. */
export interface Terms {
  readonly merchant: string;
  /** With its currency: "25.00 EUR". */
  readonly amount: string;
  /** One of `LetterTexts.every`. */
  readonly every: string;
}

export interface DueTerms extends Terms {
  /** A day in words. */
  readonly due: string;
  /** The request itself, a reminder, or the last one. */
  readonly reminder: 'none' | 'one_of_several' | 'last';
}

export type FactName =
  | 'merchant'
  | 'description'
  | 'reference'
  | 'amount'
  | 'interval'
  | 'firstRequest'
  | 'count'
  | 'due'
  | 'period';
