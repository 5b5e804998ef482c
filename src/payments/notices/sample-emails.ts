import { type EmailContent, type RenderedEmail, renderEmail } from '../../mail/index.ts';
import type { Brand, CustomerLanguage } from '../../merchants/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { summaryEmail } from '../summary/summary-email.ts';
import { type CustomerEmail, customerEmailContent } from './customer-email.ts';
import { attentionEmail, firstPaymentEmail, type MailedAttention, type NoticeInput } from './email-templates.ts';
import { unassignedEmail } from './unassigned-email.ts';

/** Emails to the users of a merchant that this feature sends. */
export type PaymentEmail = 'first_payment' | MailedAttention | 'unassigned_coins' | 'daily_summary';

/** Content of an email to the users of a merchant, about a payment that does not exist. */
export function samplePaymentEmail(
  kind: PaymentEmail,
  { publicUrl, day }: { readonly publicUrl: string; readonly day: number },
): Pick<EmailContent, 'subject' | 'blocks'> {
  const input = sampleInput(publicUrl, ARRIVED[kind]);
  const { transactionId, orderId } = input;
  switch (kind) {
    case 'first_payment':
      return firstPaymentEmail(input);
    case 'unassigned_coins': {
      const reason = 'monitoring_ended';
      return unassignedEmail({ reason, transactionId, orderId, outputs: [OUTPUT], isConfirmed: false, publicUrl });
    }
    case 'daily_summary':
      return summaryEmail({ ...SUMMARY, day }, publicUrl);
    case 'paid_late':
    case 'needs_review':
    case 'coins_lost':
    case 'underpaid':
    case 'overpaid':
    case 'coins_on_closed':
      return attentionEmail(kind, input, { isConfirmed: kind !== 'underpaid', missedDeadline: 'none' });
  }
}

/** An email to the customer of a payment that does not exist. */
export function sampleCustomerEmail(
  kind: CustomerEmail,
  options: { readonly shop: string; readonly language: CustomerLanguage; readonly publicUrl: string },
): RenderedEmail {
  return renderEmail(customerEmailContent(kind, sampleInput(options.publicUrl), { ...options, brand: NO_BRAND }));
}

// Helpers

/** A page that shows the email permits neither colours nor images of a merchant. */
const NO_BRAND: Brand = { logo: null, brandColour: null, supportContact: null };

/** 25 EUR at 1.08 USD per EUR, in litecoins at 80 USD each, as in sample webhooks. */
const DUE = '0.3375 LTC';

/** Where something else than the amount due arrived. */
const ARRIVED: { readonly [K in PaymentEmail]?: string } = {
  coins_lost: '0 LTC',
  underpaid: '0.2 LTC',
  overpaid: '0.5 LTC',
};

const OUTPUT = {
  amount: DUE,
  network: 'litecoin-mainnet',
  address: 'ltc1qexampleexampleexampleexampleexample',
  txid: '00'.repeat(32),
};

const SUMMARY = {
  completed: [
    { currency: 'EUR', count: 12, volume: '310.50' },
    { currency: 'USD', count: 3, volume: '75.00' },
  ],
  needAttention: 2,
  late: 1,
  failingHosts: ['shop.example'],
};

function sampleInput(publicUrl: string, arrived = DUE): NoticeInput {
  const transactionId = derivedId('txn', 'sample');
  const consoleUrl = `${publicUrl}/console/payments/${transactionId}`;
  return { transactionId, orderId: '1001', price: '25.00 EUR', due: DUE, arrived, consoleUrl };
}
