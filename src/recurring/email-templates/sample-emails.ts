import { DAY_MS, type UnixMs } from '../../../machines/index.ts';
import { type EmailContent, type RenderedEmail, renderEmail } from '../../mail/index.ts';
import type { CustomerLanguage } from '../../merchants/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { confirmationEmail } from './confirmation.ts';
import type { ScheduleEmailInput } from './inputs.ts';
import { paidTwiceEmail } from './paid-twice.ts';
import { requestEmail } from './request.ts';

/** Emails to the customer of a recurring payment request. */
export type RecurringEmail = 'recurring_confirmation' | 'recurring_request' | 'recurring_reminder';

export interface EmailSample {
  readonly shop: string;
  /** For emails to customers, which exist in several languages. */
  readonly language: CustomerLanguage;
  readonly publicUrl: string;
  readonly now: UnixMs;
}

/** An email about a recurring payment request that does not exist; its links lead nowhere. */
export function sampleRecurringEmail(
  kind: RecurringEmail,
  { shop, language, publicUrl, now }: EmailSample,
): RenderedEmail {
  const url = `${publicUrl}/recurring/sample`;
  const look = { logoUrl: null, colour: null };
  const input: ScheduleEmailInput = { ...SAMPLE, merchantName: shop, language, look, stopUrl: url };
  if (kind === 'recurring_confirmation') {
    return renderEmail(confirmationEmail({ ...input, confirmUrl: url, expiresAt: now + 7 * DAY_MS }));
  }
  const reminder = kind === 'recurring_request' ? 0 : 1;
  return renderEmail(requestEmail({ ...input, payUrl: url, periodNo: 2, dueAt: now, reminder }));
}

/** Content of the email to a merchant whose customer has paid a period twice. */
export function samplePaidTwiceEmail(): Pick<EmailContent, 'subject' | 'blocks'> {
  const transactionId = derivedId('txn', 'sample');
  return paidTwiceEmail({
    transactionId,
    scheduleId: SCHEDULE_ID,
    lostTransactionId: null,
    reference: SAMPLE.reference,
    periodNo: 2,
  });
}

// Helpers

/** A UUID (RFC 9562) that no schedule has. */
const SCHEDULE_ID = '00000000-0000-4000-8000-000000000000';

const SAMPLE = {
  description: 'Membership',
  reference: '1001',
  amountFiat: '25',
  currencyFiat: 'EUR',
  interval: 'monthly',
  startAt: null,
  maxPeriods: null,
  isTest: false,
} as const;
