import { type Kysely, type RawBuilder, sql } from 'kysely';
import { MINUTE_MS, MONITORING_MS, type UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { LinkName } from './link.ts';

/**
 * A payment of a link for which coins were seen, but not all of them or not deep enough yet; that
 * awaits the merchant's decision; or that failed and whose coins may still be confirmed.
 */
export interface PaymentInProgress {
  readonly transactionId: string;
  /** Whether it reserves one use of the link: see `HOLD_WITHOUT_BLOCK_MS`. */
  readonly holdsUse: boolean;
  readonly isLate: boolean;
  readonly isUnderReview: boolean;
  /** The customer who opened it; null once its window has closed. */
  readonly clientHash: string | null;
  /** The browser it was opened with. */
  readonly customerHash: string | null;
}

/**
 * The payments of a link in progress at `now`. Found among those in progress of the merchant, which
 * have indexes: a link may have any number of abandoned ones.
 */
export async function findPaymentsInProgress(
  db: Kysely<Database>,
  { merchantId, mode, slug }: LinkName,
  now: UnixMs,
): Promise<PaymentInProgress[]> {
  const { rows } = await sql<PaymentInProgress>`
      select transaction.id as "transactionId", client_hash as "clientHash", customer_hash as "customerHash",
        transaction.exception is not distinct from 'paid_late' as "isLate",
        transaction.exception is not distinct from 'needs_review' as "isUnderReview",
        transaction.status = 'awaiting_confirmation' and (
          mined * 100 >= due_base_units * ${MINED_PERCENT} or unmined_since is null
          or unmined_since > to_timestamp((${now}::int8 + clock_offset_ms - ${HOLD_WITHOUT_BLOCK_MS}) / 1000.0)
        ) as "holdsUse"
      from (${progressing(sql`status in ('partial', 'awaiting_confirmation')`)}
          union ${progressing(sql`exception in ('paid_late', 'needs_review')`)}
          union ${progressing(MAY_BE_CONFIRMED)} union ${dismissed()}) as found
        join transaction on transaction.id = found.id
        join link_payment on link_payment.transaction_id = transaction.id
        join actor on actor.id = transaction.id
        cross join lateral (
          select coalesce(sum(amount_base_units) filter (where payment.status in ('confirming', 'confirmed')), 0) as mined,
            min(first_seen_at) filter (where payment.status not in ('confirming', 'confirmed')) as unmined_since
          from payment where payment.transaction_id = transaction.id
        ) as coins
      where link_payment.merchant_id = ${merchantId} and link_payment.mode = ${mode} and slug = ${slug}
        and counted_as is null
      order by transaction.id`.execute(db);
  return rows;

  function progressing(condition: RawBuilder<unknown>) {
    return sql`select id from transaction_status where merchant_id = ${merchantId} and mode = ${mode} and ${condition}`;
  }

  /**
   * Payments that missed their deadline and are expired, because the merchant has dismissed some of
   * their coins. Found by the item about those: a merchant has any number of expired payments.
   */
  function dismissed(): RawBuilder<unknown> {
    return sql`
      select id from attention_item as item join transaction_status on id = transaction_id
      where item.merchant_id = ${merchantId} and item.mode = ${mode} and kind = 'paid_late'
        and settled_at > to_timestamp((${now}::int8 - ${MONITORING_MS}) / 1000.0)
        and status = 'expired' and customer_hash is not null and ${hasUnconfirmed(sql`given_up`)}`;
  }
}

// Helpers

/**
 * Coins that missed the confirmation deadline become `paid_late` once confirmed: their payer must
 * not pay again meanwhile. The browser is known only while the address is monitored.
 */
const MAY_BE_CONFIRMED = sql<boolean>`status = 'failed' and customer_hash is not null and ${hasUnconfirmed(sql`true`)}`;

function hasUnconfirmed(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from payment where payment.transaction_id = transaction_status.id
      and payment.status in ('detected', 'confirming') and ${condition})`;
}

/**
 * An unmined payment reserves a use for this long after its first such coins were seen, replaced
 * ones included. Sending with a fee too low to be mined costs nothing and must not block the link.
 */
const HOLD_WITHOUT_BLOCK_MS = 30 * MINUTE_MS;
/**
 * With this share of the due amount in blocks, a payment reserves its use until it ends. A
 * merchant's tolerance is at most the rest.
 */
const MINED_PERCENT = 95;
