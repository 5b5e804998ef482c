import { type Kysely, sql } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import type { LinkName } from './link.ts';

/** A payment of a link for which coins have come, but not all of them or not deep enough yet. */
export interface PaymentUnderWay {
  readonly transactionId: string;
  readonly status: 'partial' | 'awaiting_confirmation';
  /** Of whoever opened it. */
  readonly clientHash: string | null;
}

/** The payments of a link that are under way. Found among those of the merchant, of which few are at any moment. */
export async function findPaymentsUnderWay(
  db: Kysely<Database>,
  { merchantId, mode, slug }: LinkName,
): Promise<PaymentUnderWay[]> {
  const { rows } = await whileDatabaseAnswers(() =>
    sql<PaymentUnderWay>`
      select transaction.id as "transactionId", status, client_hash as "clientHash"
      from transaction join link_payment on link_payment.transaction_id = transaction.id
      where transaction.merchant_id = ${merchantId} and transaction.mode = ${mode}
        and status in ('partial', 'awaiting_confirmation') and slug = ${slug}
      order by transaction.id`.execute(db),
  );
  return rows;
}
