import { sql } from 'kysely';

/**
 * SQL: whether an output is as deep as the payment of its address requires. Watchers verify only
 * outputs of payments, so this one counts from the last scanned block. Expects rows of
 * `stray_payment` and `transaction`.
 */
export const IS_CONFIRMED_UNASSIGNED = sql<boolean>`(
  stray_payment.status = 'confirmed' or stray_payment.status = 'block' and exists (
    select from chain_cursor
    where chain_cursor.network = stray_payment.network
      and chain_cursor.height >= stray_payment.height + transaction.confirmations_required - 1
  )
)`;
