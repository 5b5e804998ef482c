import { sql } from 'kysely';

/**
 * What a row of `transaction` is for, in the words of the payment link or of the recurring request
 * that it was opened through; null for others.
 */
export const TITLE = sql`coalesce(
  (select link.title from link_payment as opened join payment_link as link using (merchant_id, mode, slug)
    where opened.transaction_id = transaction.id),
  (select schedule.description from schedule_attempt as attempt join schedule on schedule.id = attempt.schedule_id
    where attempt.transaction_id = transaction.id)
)`;
