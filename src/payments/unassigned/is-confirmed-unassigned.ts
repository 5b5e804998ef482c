import { sql } from 'kysely';

/**
 * SQL: whether an output is as deep as the payment of its address requires. Watchers verify only
 * outputs of payments, so this one counts from the last scanned block. Expects rows of
 * `unassigned_payment` and `transaction`.
 */
export const IS_CONFIRMED_UNASSIGNED = sql<boolean>`(
  unassigned_payment.status = 'confirmed' or unassigned_payment.status = 'block' and exists (
    select from chain_cursor
    where chain_cursor.network = unassigned_payment.network
      and chain_cursor.height >= unassigned_payment.height + transaction.confirmations_required - 1
  )
)`;
