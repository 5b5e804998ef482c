import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { type PaymentLink, toLink } from './link.ts';

export interface ListedLink extends PaymentLink {
  /** The payments beyond `maxUses`, oldest first: each is to be fulfilled or refunded. */
  readonly excessTransactionIds: readonly string[];
}

/** The links of a merchant, of both modes, newest first. */
export async function listLinks(db: Kysely<Database>, merchantId: string): Promise<ListedLink[]> {
  const rows = await db
    .selectFrom('payment_link')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('mode')
    .orderBy('slug')
    .execute();
  const { rows: excess } = await sql<{ mode: string; slug: string; transaction_id: string }>`
    select link_payment.mode, slug, transaction_id
    from link_payment join transaction on transaction.id = transaction_id
    where link_payment.merchant_id = ${merchantId} and counted_as = 'excess'
    order by completed_at, transaction_id`.execute(db);
  return rows.map((row) => ({
    ...toLink(row),
    excessTransactionIds: excess
      .filter(({ mode, slug }) => mode === row.mode && slug === row.slug)
      .map(({ transaction_id: id }) => id),
  }));
}

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
