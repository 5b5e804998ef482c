import { type RawBuilder, sql } from 'kysely';
import { isAddress } from './find-by-text.ts';

/**
 * SQL for the ids of payments in all shops that customers and merchants know by this text: their
 * order id or deposit address, or an on-chain transaction that paid them. Only whole texts match,
 * addresses and txids case-insensitively. Each shop is a range of its own in the indexes.
 */
export function paymentsKnownAs(text: string): RawBuilder<{ readonly id: string }> {
  return sql`
    select named.id from merchant cross join (values ('live'), ('test')) as scope (mode) cross join lateral (
      select id from transaction_terms
      where merchant_id = merchant.id and mode = scope.mode and order_id = ${text}
      union all
      select id from transaction_terms
      where merchant_id = merchant.id and mode = scope.mode and ${isAddress(text)}
    ) as named
    union all
    select transaction_id from payment where txid = ${text.toLowerCase()}`;
}
