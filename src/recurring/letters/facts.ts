import type { FiatCurrency, Interval, UnixMs } from '../../../machines/index.ts';

/** What the letters of a schedule speak of. Texts are plain and may hold anything a merchant has written. */
export interface LetterFacts {
  readonly merchantName: string;
  readonly description: string;
  readonly reference: string | null;
  /** Exact decimal. */
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
  /** Due date of period 1 when the merchant has set one. */
  readonly startAt: UnixMs | null;
  readonly maxPeriods: number | null;
  readonly isTest: boolean;
  /** Where whoever got the mail ends all of it. */
  readonly stopUrl: string;
}

/** Asks whether the customer wants this at all. */
export interface ConfirmationFacts extends LetterFacts {
  readonly confirmUrl: string;
  /** When not confirming has ended it. */
  readonly expiresAt: UnixMs;
}

/** Asks for the payment of one period. */
export interface RequestFacts extends LetterFacts {
  readonly payUrl: string;
  readonly periodNo: number;
  readonly dueAt: UnixMs;
  /** 0 for the request, then the number of the reminder. */
  readonly reminder: number;
}
