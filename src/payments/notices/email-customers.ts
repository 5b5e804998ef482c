import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type OutputRecord, sumBaseUnits } from '../../../machines/index.ts';
import { type NewEmail, queueEmails, renderEmail } from '../../mail/index.ts';
import { brandOf, type CustomerLanguage, DEFAULT_SETTINGS } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { type CustomerEmail, customerEmailContent } from './customer-email.ts';
import { missedDeadlineOf, noticeInputOf } from './notice-input.ts';

/** Who gets an email about a payment; columns of `customerColumns`. */
export interface CustomerRow {
  readonly orderId: string | null;
  /** Null when the payment has none or the merchant has not switched the email on. */
  readonly customerEmail: string | null;
  readonly merchantName: string;
  readonly merchantSettings: Readonly<Record<string, unknown>>;
  /** Null for the default. */
  readonly language: CustomerLanguage | null;
  /** The merchant awaits approval: the email is stored and not sent. */
  readonly isHeld: boolean;
}

/** Columns from `transaction` and `merchant` joined. */
export function customerColumns(kind: CustomerEmail): RawBuilder<CustomerRow> {
  return sql`order_id as "orderId",
    case when merchant.settings -> ${SETTINGS[kind]}::text = 'true' then customer_email end as "customerEmail",
    merchant.name as "merchantName", merchant.settings as "merchantSettings", merchant.settings ->> 'customerLanguage' as language,
    approval_pending_since is not null as "isHeld"`;
}

/**
 * Writes the emails of a kind to the customers of these live payments: one per payment and kind.
 */
export async function emailCustomers(
  trx: Transaction<Database>,
  kind: CustomerEmail,
  payments: readonly Payment[],
  publicUrl: string,
): Promise<void> {
  const emails = payments.flatMap(({ step, row }) => {
    const { customerEmail, merchantName, orderId, isHeld } = row;
    if (customerEmail === null) return [];
    const known = noticeInputOf(step, { orderId, publicUrl });
    // What a merchant has accepted by hand may be anything, also nothing.
    const input = { ...known, arrived: step.context.completedBy === 'merchant' ? null : known.arrived };
    const language = row.language ?? DEFAULT_SETTINGS.customerLanguage;
    const mail: NewEmail = {
      merchantId: step.context.merchantId,
      recipient: customerEmail,
      fromName: merchantName,
      actorId: step.actorId,
      isHeld,
      dedupeKey: `payment:${step.actorId}:${kind === 'receipt' ? 'receipt' : 'late'}`,
      createdAt: step.at,
      ...renderEmail(
        customerEmailContent(kind, input, {
          shop: merchantName,
          brand: brandOf(row.merchantSettings),
          language,
          publicUrl,
        }),
      ),
    };
    return [mail];
  });
  await queueEmails(trx, emails);
}

/**
 * Coins worth less than this share of the amount due may be anyone's: no email is sent about them.
 */
const WORTH_A_MAIL_PERCENT = 1n;

/** Emails customers that their coins arrived late, or were confirmed late: once per payment. */
export async function emailLateCustomers(
  trx: Transaction<Database>,
  payments: readonly (Payment & { readonly outputs: readonly OutputRecord[] })[],
  publicUrl: string,
): Promise<void> {
  const worth = payments.filter(
    ({ step, outputs }) => sumBaseUnits(outputs) * 100n >= BigInt(step.context.dueBaseUnits) * WORTH_A_MAIL_PERCENT,
  );
  for (const [missed, kind] of LATE_KINDS) {
    const ofKind = worth.filter(({ step, outputs }) => missedDeadlineOf(step.context, outputs) === missed);
    await emailCustomers(trx, kind, ofKind, publicUrl);
  }
}

// Helpers

interface Payment {
  readonly step: TransactionStep;
  readonly row: CustomerRow;
}

/** By which of the coins missed the confirmation deadline. */
const LATE_KINDS = [
  ['all', 'confirmedLate'],
  ['some', 'mixedLate'],
  ['none', 'late'],
] as const;

const SETTINGS = {
  receipt: 'mailCustomerReceipt',
  late: 'mailCustomerLate',
  confirmedLate: 'mailCustomerLate',
  mixedLate: 'mailCustomerLate',
} as const;
