import type { IntervalName, NewScheduleBody } from '../../../../http/console/merchant/recurring/schemas.ts';
import { decimalText } from '../../../ui/values/amount-text.ts';

/** The form of a recurring payment request: the texts of its fields. */
export interface ScheduleDraft {
  readonly customerEmail: string;
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
  readonly interval: IntervalName;
  readonly reference: string;
  /** Empty: the customer chooses. */
  readonly crypto: string;
  /**
   * Value of a date and time field, in the browser's time zone; empty for the time of the consent.
   */
  readonly start: string;
  readonly maxPeriods: string;
  readonly successUrl: string;
}

export const NEW_DRAFT: ScheduleDraft = {
  customerEmail: '',
  description: '',
  amount: '',
  currency: 'EUR',
  interval: 'monthly',
  reference: '',
  crypto: '',
  start: '',
  maxPeriods: '',
  successUrl: '',
};

/** The request body. The server validates it. */
export function bodyOf(draft: ScheduleDraft): Omit<NewScheduleBody, 'mode' | 'requestId'> {
  const { customerEmail, description, amount, currency, interval, reference, crypto, start, maxPeriods } = draft;
  const successUrl = draft.successUrl.trim();
  return {
    customerEmail: customerEmail.trim(),
    description,
    amount: decimalText(amount),
    // Choices of their fields, as the coin is.
    currency: currency as NewScheduleBody['currency'],
    interval,
    ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    ...(crypto === '' ? {} : { crypto: crypto as NonNullable<NewScheduleBody['crypto']> }),
    ...(start === '' ? {} : { startAt: new Date(start).getTime() }),
    ...(maxPeriods === '' ? {} : { maxPeriods: Number(maxPeriods) }),
    ...(successUrl === '' ? {} : { successUrl }),
  };
}
