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

/**
 * The payments of a link that are under way. Found among those of the link that have not completed, or among those of the
 * merchant that are under way, whichever are fewer: there is an index for either.
 */
export async function findPaymentsUnderWay(
  db: Kysely<Database>,
  { merchantId, mode, slug }: LinkName,
): Promise<PaymentUnderWay[]> {
  const { rows } = await whileDatabaseAnswers(() =>
    sql<PaymentUnderWay>`
      select transaction.id as "transactionId", status, client_hash as "clientHash"
      from transaction join link_payment on link_payment.transaction_id = transaction.id
      where transaction.merchant_id = ${merchantId} and transaction.mode = ${mode}
        and status in ('partial', 'awaiting_confirmation')
        and link_payment.merchant_id = ${merchantId} and link_payment.mode = ${mode} and slug = ${slug}
        and counted_as is null
      order by transaction.id`.execute(db),
  );
  return rows;
}
