import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { isEmailAddress } from '../../platform/email-address.ts';
import { TerminalError } from '../../platform/errors.ts';

export interface ReceiptDeps {
  readonly db: Kysely<Database>;
  /** Whether emails leave this service. */
  readonly sendsMails: boolean;
}

/** Where the receipt of a payment goes, as its customer sees it. */
export interface ReceiptChoice {
  /** Shortened, as `a…@example.com`; null until the customer has entered it. */
  readonly address: string | null;
}

/**
 * Whether a customer may enter an address for the receipt, from `transaction` and `merchant`
 * joined: only where the receipt would be sent, and never in place of the merchant's address. A
 * test payment shows how it looks.
 */
export function takesReceiptAddress(sendsMails: boolean): RawBuilder<boolean> {
  return sql`(coalesce(merchant.settings -> 'mailCustomerReceipt' = 'true', false) and transaction.type <> 'billing'
    and (transaction.customer_email is null or transaction.customer_gave_email)
    and (transaction.mode = 'test' or (${sendsMails} and merchant.approval_pending_since is null)))`;
}

/**
 * Stores the address that a customer enters for the receipt as the payment's `customer_email`; a
 * later one replaces it. Throws a `TerminalError`: `INVALID_REQUEST` with the field `email`, and
 * `RECEIPT_NOT_AVAILABLE` for a payment that has ended or accepts none.
 */
export async function giveReceiptAddress({ db, sendsMails }: ReceiptDeps, id: string, email: string): Promise<void> {
  const address = email.trim();
  if (!isEmailAddress(address)) {
    throw new TerminalError('INVALID_REQUEST', 'email must be an email address like name@example.com', {
      field: 'email',
    });
  }
  // Locked, so that the email of a payment that completes in the meantime goes to this address, or
  // none.
  const { rows } = await sql`
      update transaction_terms as transaction set customer_email = ${address}, customer_gave_email = true
      from merchant, (
        select id from transaction_status
        where id = ${id} and status in ('pending', 'partial', 'awaiting_confirmation')
        for share
      ) as unfinished
      where transaction.id = unfinished.id and merchant.id = transaction.merchant_id
        and ${takesReceiptAddress(sendsMails)}
      returning transaction.id`.execute(db);
  if (rows.length === 0) {
    throw new TerminalError('RECEIPT_NOT_AVAILABLE', 'This payment accepts no email address for a receipt');
  }
}

/** `a…@example.com`, for a page that others than its customer may see. */
export function shortAddress(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
}
