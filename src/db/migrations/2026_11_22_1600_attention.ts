import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/**
 * Items about payments that need a person's attention. From here on written in the commits of the
 * payments' actors; existing payments are backfilled.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table attention_item (
      transaction_id text not null,
      kind text not null check (kind in ('paid_late', 'needs_review', 'underpaid', 'overpaid', 'coins_on_closed')),
      merchant_id text not null,
      mode text not null check (mode in ('live', 'test')),
      base_units numeric(78, 0) not null check (base_units >= 0),
      output_ids jsonb not null,
      raised_at timestamptz not null,
      settled_at timestamptz,
      settled_by text,
      note text,
      primary key (transaction_id, kind),
      check (settled_at is not null or (settled_by is null and note is null))
    )`.execute(db);
  // Open items, oldest first, and their count; then settled items, newest first.
  await sql`
    create index attention_item_open on attention_item (merchant_id, mode, raised_at, transaction_id, kind)
    where settled_at is null`.execute(db);
  await sql`
    create index attention_item_settled on attention_item (merchant_id, mode, settled_at, transaction_id, kind)
    where settled_at is not null`.execute(db);
  // Unassigned deposits at a payment's address.
  await sql`
    create index stray_payment_of_transaction on stray_payment (transaction_id) where transaction_id is not null`.execute(
    db,
  );
  await fillAttention(db);
}

/** Backfills the items of all existing payments, by the rules of this version. */
export async function fillAttention(db: QueryExecutorProvider): Promise<void> {
  await sql`
    with payment_fact as (
      select transaction.id, transaction.merchant_id, transaction.mode, actor.state,
        date_trunc('milliseconds', actor.updated_at) - actor.clock_offset_ms * interval '1 millisecond' as raised_at,
        actor.snapshot -> 'context' as context
      from transaction join actor on actor.id = transaction.id
      where actor.state in ('expired.paidLate', 'open.inReview', 'expired.watching', 'closedExpired', 'failed',
        'closedFailed', 'completed', 'closedCompleted')
    ), fact as (
      select *, (context ->> 'dueBaseUnits')::numeric as due, (context ->> 'toleranceBaseUnits')::numeric as tolerance,
        (context ->> 'expiresAt')::int8 as expires_at, (context ->> 'failedAt')::int8 as failed_at,
        context ->> 'completedBy' = 'merchant' as is_accepted, (context ->> 'settledBaseUnits')::numeric as settled,
        coalesce(context -> 'review' ->> 'resolvedAt' = context ->> 'failedAt', false) as is_rejected
      from payment_fact
    ), output as (
      select fact.id, told ->> 'outputId' as output_id, (told ->> 'amountBaseUnits')::numeric as amount,
        told ->> 'presence' <> 'gone' as is_live, told ->> 'confirmedAt' is not null as is_confirmed,
        (told ->> 'firstSeenAt')::int8 as first_seen_at,
        context -> 'acknowledgedOutputIds' ? (told ->> 'outputId') as is_acknowledged,
        context -> 'givenUpOutputIds' ? (told ->> 'outputId') as is_given_up
      from fact cross join lateral jsonb_array_elements(context -> 'outputs') as told
    ), named as (
      select id, output_id, amount, case
        when state = 'expired.paidLate' and is_live and not is_acknowledged and (
          (failed_at is not null and is_confirmed)
          or (first_seen_at > expires_at and first_seen_at <= expires_at + 21600000 and not is_given_up)
        ) then 'paid_late'
        when state not in ('expired.watching', 'closedExpired', 'failed', 'closedFailed') then null
        when failed_at is not null then case
          when is_given_up or not is_live then null
          when not is_acknowledged then 'coins_on_closed'
          when not is_rejected and first_seen_at <= failed_at and is_confirmed then 'underpaid'
        end
        when is_live and first_seen_at <= expires_at then 'underpaid'
        when is_live and first_seen_at > expires_at + 21600000 and not is_acknowledged then 'coins_on_closed'
      end as kind
      from fact join output using (id)
    ), confirmed as (
      select id, sum(amount) as amount, jsonb_agg(output_id order by output_id collate "C") as output_ids
      from output where is_confirmed group by id
    ), item as (
      select id, kind, sum(amount) as base_units, jsonb_agg(output_id order by output_id collate "C") as output_ids
      from named where kind is not null group by id, kind
      union all
      select id, 'needs_review', (context -> 'review' ->> 'missingBaseUnits')::numeric, '[]'::jsonb
      from fact where state = 'open.inReview'
      union all
      select id, case when amount > due + tolerance then 'overpaid' else 'coins_on_closed' end,
        case when amount > due + tolerance then amount - due else amount - settled end, output_ids
      from fact join confirmed using (id)
      where state in ('completed', 'closedCompleted')
        and (amount > due + tolerance or (is_accepted and amount - settled > tolerance))
    )
    insert into attention_item (transaction_id, kind, merchant_id, mode, base_units, output_ids, raised_at)
    select id, kind, merchant_id, mode, base_units, output_ids, raised_at
    from item join fact using (id)`.execute(db);
}
