import type { FiatCurrency, Interval, UnixMs } from '../../../machines/index.ts';
import type { EmailBranding } from '../../mail/index.ts';
import type { CustomerLanguage } from '../../merchants/index.ts';

/** Data of the email templates of a schedule. Texts are plain and may be any merchant input. */
export interface ScheduleEmailInput {
  readonly merchantName: string;
  readonly language: CustomerLanguage;
  readonly look: Omit<EmailBranding, 'name'>;
  readonly description: string;
  readonly reference: string | null;
  /** Exact decimal. */
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
  /** Due date of period 1, if the merchant set one. */
  readonly startAt: UnixMs | null;
  readonly maxPeriods: number | null;
  readonly isTest: boolean;
  /** Where the recipient can end the schedule. */
  readonly stopUrl: string;
}

/** For the email that asks the customer to confirm. */
export interface ConfirmationEmailInput extends ScheduleEmailInput {
  readonly confirmUrl: string;
  /** When the schedule ends if it is not confirmed. */
  readonly expiresAt: UnixMs;
}

/** For the emails that request the payment of one period. */
export interface RequestEmailInput extends ScheduleEmailInput {
  readonly payUrl: string;
  readonly periodNo: number;
  readonly dueAt: UnixMs;
  /** 0 for the request, then the number of the reminder. */
  readonly reminder: number;
}
