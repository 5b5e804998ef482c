import { DAY_MS, type UnixMs } from '../../../../../machines/index.ts';
import { sampleSecurityMail } from '../../../../accounts/index.ts';
import { sampleExcessUseMail } from '../../../../links/index.ts';
import { type RenderedMail, renderNotice } from '../../../../mail/index.ts';
import type { CustomerLanguage } from '../../../../merchants/index.ts';
import { sampleCustomerMail, samplePaymentMail } from '../../../../payments/index.ts';
import { samplePaidTwiceMail, sampleRecurringMail } from '../../../../recurring/index.ts';
import { sampleEndpointMail } from '../../../../webhooks/index.ts';
import type { MailKind } from './schemas.ts';

export interface MailSample {
  readonly shop: string;
  /** For emails to customers, which exist in several languages. */
  readonly language: CustomerLanguage;
  readonly publicUrl: string;
  readonly now: UnixMs;
}

/** An email of each kind as it is sent, about things that do not exist. */
export function previewMail(kind: MailKind, sample: MailSample): RenderedMail {
  const { shop, publicUrl, now } = sample;
  switch (kind) {
    case 'security_change':
      return sampleSecurityMail(sample);
    case 'receipt':
    case 'late':
      return sampleCustomerMail(kind, sample);
    case 'confirmed_late':
      return sampleCustomerMail('confirmedLate', sample);
    case 'recurring_confirmation':
    case 'recurring_request':
    case 'recurring_reminder':
      return sampleRecurringMail(kind, sample);
    case 'webhook_failing':
    case 'webhook_disabled':
    case 'webhook_recovered':
      return renderNotice(sampleEndpointMail(kind, now), shop);
    case 'period_paid_twice':
      return renderNotice(samplePaidTwiceMail(), shop);
    case 'link_paid_too_often':
      return renderNotice(sampleExcessUseMail(), shop);
    case 'first_payment':
    case 'paid_late':
    case 'needs_review':
    case 'coins_lost':
    case 'underpaid':
    case 'overpaid':
    case 'coins_on_closed':
    case 'unassigned_coins':
    case 'daily_summary':
      return renderNotice(samplePaymentMail(kind, { publicUrl, day: now - DAY_MS }), shop);
  }
}
