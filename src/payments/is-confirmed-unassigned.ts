import { sql } from 'kysely';

/**
 * Whether an output is as deep as the payment of its address requires. Watchers verify outputs for
 * payments only, so others count by the block that was read last. Expects rows of `stray_payment`
 * and `transaction`.
 */
export const IS_CONFIRMED_UNASSIGNED = sql<boolean>`(
  stray_payment.standing = 'confirmed' or stray_payment.standing = 'block' and exists (
    select from chain_cursor
    where chain_cursor.network = stray_payment.network
      and chain_cursor.height >= stray_payment.height + transaction.confirmations_required - 1
  )
)`;
