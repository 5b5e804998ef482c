import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';

/** The payment link that started a payment; null when it was started otherwise. */
export async function findLinkOfPayment(
  db: Kysely<Database>,
  transactionId: string,
): Promise<{ readonly slug: string; readonly title: string } | null> {
  const row = await db
    .selectFrom('link_payment')
    .innerJoin('payment_link', (join) =>
      join
        .onRef('payment_link.merchant_id', '=', 'link_payment.merchant_id')
        .onRef('payment_link.mode', '=', 'link_payment.mode')
        .onRef('payment_link.slug', '=', 'link_payment.slug'),
    )
    .select(['payment_link.slug', 'payment_link.title'])
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst();
  return row ?? null;
}
