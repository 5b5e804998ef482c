import { sql } from 'kysely';

/** Which of some coins came in time, and were confirmed after the payment had failed. */
export type MissedDeadline = 'all' | 'some' | 'none';

/** Coins of a completed or expired payment that pay nothing, as its items say. */
export interface Surplus {
  /** Whether a user has settled them; until then, the shop decides about them. */
  readonly isSettled: boolean;
  readonly baseUnits: string;
  readonly missedDeadline: MissedDeadline;
}

/**
 * SQL: whether users have settled each output of a `transaction` that counts, under its own id or
 * that of the one it replaces. Sums do not show that: dismissed coins may equal settled ones that
 * are gone.
 */
const ARE_ALL_SETTLED = sql<boolean>`not exists (
    select from payment where payment.transaction_id = transaction.id and status <> 'replaced' and not exists (
      select from attention_item as item join payment as named
        on named.transaction_id = item.transaction_id and item.settled_output_ids ? named.output_id
      where item.transaction_id = transaction.id and (named.output_id = payment.output_id
        or (payment.is_declined and named.status = 'replaced' and named.first_seen_at = payment.first_seen_at
          and (named.is_replaced or named.txid = payment.txid)))
    )
  )`;

/**
 * SQL: the surplus of a `transaction`, from its open items, else from those that users have
 * settled, so that customers read what the shop reads. Reads items only of completed and expired
 * payments. Of a completed one, at most what exceeds the amount due, with what made up for losses:
 * the shop may have accepted less.
 */
export const SURPLUS = sql<Surplus | null>`case when transaction.completed_at is not null or transaction.status = 'expired' then (
    select json_build_object('isSettled', open is null, 'baseUnits', units::text, 'missedDeadline', missed_deadline)
    from (
      select sum(item.base_units) filter (where item.settled_at is null) as open,
        sum(item.settled_base_units) filter (where item.kind <> 'coins_on_closed' or transaction.completed_at is null
            or item.settled_at >= transaction.completed_at) as settled,
        case when bool_and(coins.all_missed) filter (where item.settled_at is null) then 'all'
          when bool_or(coins.some_missed) filter (where item.settled_at is null) then 'some' else 'none' end as missed_deadline,
        coalesce((select settled_base_units from attention_item
          where transaction_id = transaction.id and kind = 'coins_lost'), 0) as losses
      from attention_item as item cross join lateral (
        select bool_and(payment.missed_deadline) as all_missed, bool_or(payment.missed_deadline) as some_missed from payment
        where payment.transaction_id = item.transaction_id and item.output_ids ? payment.output_id
      ) as coins
      where item.transaction_id = transaction.id and (item.kind = 'coins_on_closed' or item.kind = any(
        case when transaction.completed_at is null then array['paid_late', 'underpaid'] else array['overpaid'] end))
    ) as sums join transaction_terms as terms on terms.id = transaction.id
    cross join lateral (select case
      when transaction.completed_at is null then coalesce(open, settled)
      else least(coalesce(open, settled, 0), transaction.paid_base_units + losses - terms.due_base_units) end as units) as shown
    where units > 0 and (open is not null or transaction.completed_at is not null or ${ARE_ALL_SETTLED})
  ) end`;
