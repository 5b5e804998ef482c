import { DAY_MS } from '../../../../../machines/index.ts';
import { sampleSecurityEmail } from '../../../../accounts/index.ts';
import { sampleExcessUseEmail } from '../../../../links/index.ts';
import { type RenderedEmail, renderNotice } from '../../../../mail/index.ts';
import { sampleCustomerEmail, samplePaymentEmail } from '../../../../payments/index.ts';
import { type EmailSample, samplePaidTwiceEmail, sampleRecurringEmail } from '../../../../recurring/index.ts';
import { sampleEndpointEmail } from '../../../../webhooks/index.ts';
import type { EmailKind } from './schemas.ts';

/** An email of each kind as it is sent, about things that do not exist. */
export function previewEmail(kind: EmailKind, sample: EmailSample): RenderedEmail {
  const { shop, publicUrl, now } = sample;
  switch (kind) {
    case 'security_change':
      return sampleSecurityEmail(sample);
    case 'receipt':
    case 'late':
      return sampleCustomerEmail(kind, sample);
    case 'confirmed_late':
      return sampleCustomerEmail('confirmedLate', sample);
    case 'mixed_late':
      return sampleCustomerEmail('mixedLate', sample);
    case 'recurring_confirmation':
    case 'recurring_request':
    case 'recurring_reminder':
      return sampleRecurringEmail(kind, sample);
    case 'webhook_failing':
    case 'webhook_disabled':
    case 'webhook_recovered':
      return renderNotice(sampleEndpointEmail(kind, now), shop);
    case 'period_paid_twice':
      return renderNotice(samplePaidTwiceEmail(), shop);
    case 'link_paid_too_often':
      return renderNotice(sampleExcessUseEmail(), shop);
    case 'first_payment':
    case 'paid_late':
    case 'needs_review':
    case 'coins_lost':
    case 'underpaid':
    case 'overpaid':
    case 'coins_on_closed':
    case 'unassigned_coins':
    case 'daily_summary':
      return renderNotice(samplePaymentEmail(kind, { publicUrl, day: now - DAY_MS }), shop);
  }
}
