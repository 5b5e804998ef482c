import type { IntervalName, NewScheduleBody } from '../../../../contract/recurring.ts';
import { decimalText } from '../../../ui/decimal-text.ts';

/** A recurring request as it is being written: texts of fields. */
export interface ScheduleDraft {
  readonly customerEmail: string;
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
  readonly interval: IntervalName;
  readonly reference: string;
  /** Empty: the customer chooses. */
  readonly crypto: string;
  /** As a field for date and time has it, in the browser's time zone; empty for the moment of the consent. */
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

/** What is sent for it. Whether it will do is for the server to say. */
export function bodyOf(draft: ScheduleDraft): Omit<NewScheduleBody, 'mode' | 'requestId'> {
  const { customerEmail, description, amount, currency, interval, reference, crypto, start, maxPeriods } = draft;
  const successUrl = draft.successUrl.trim();
  return {
    customerEmail: customerEmail.trim(),
    description,
    amount: decimalText(amount),
    currency,
    interval,
    ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    ...(crypto === '' ? {} : { crypto }),
    ...(start === '' ? {} : { startAt: new Date(start).getTime() }),
    ...(maxPeriods === '' ? {} : { maxPeriods: Number(maxPeriods) }),
    ...(successUrl === '' ? {} : { successUrl }),
  };
}
