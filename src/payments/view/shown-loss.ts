import { sql } from 'kysely';
import type { Loss } from '../projection/loss.ts';

/** `gone_settled`: gone, and a user has marked the attention item about it as settled. */
export type ShownLoss = Loss | 'gone_settled';

/** Of `transaction`. Reads the item only where coins are gone, which is hardly ever. */
export const SHOWN_LOSS = sql<ShownLoss | null>`case
  when transaction.loss is distinct from 'gone' then transaction.loss
  when exists (
    select from attention_item
    where transaction_id = transaction.id and kind = 'coins_lost' and settled_at is not null
  ) then 'gone_settled'
  else transaction.loss end`;
