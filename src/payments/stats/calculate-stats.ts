import { type RawBuilder, sql } from 'kysely';
import type { FiatCurrency, UnixMs } from '../../../machines/index.ts';
import type { Scope } from '../view/get-transaction.ts';
import type { StatsInterval } from './buckets.ts';

export type GroupKind = 'all' | 'status' | 'crypto' | 'bucket';

/** A group of transactions. Decimals are exact, without trailing zeros. */
export interface Group {
  readonly kind: GroupKind;
  /** The status or coin; for a bucket, its start as Unix ms. */
  readonly key: string;
  /** Currency of the price; null for all currencies together. */
  readonly currency: FiatCurrency | null;
  readonly created: number;
  readonly completed: number;
  /** Neither paid nor ended: the customer or the merchant can still act. */
  readonly open: number;
  readonly paidLate: number;
  /** Completed, but the coins are gone. */
  readonly gone: number;
  readonly volumeUsd: string;
  /** In the currency of the group, like `goneFiat` and `averageFiat`; else without meaning. */
  readonly volumeFiat: string;
  readonly goneFiat: string;
  /** Rounded half up to the cent, like `averageFiat`. */
  readonly averageUsd: string | null;
  readonly averageFiat: string | null;
  /** Completed ÷ created, and completed ÷ ended: 0 to 1, to four decimals. */
  readonly completionRate: string | null;
  readonly conversionRate: string | null;
}

interface Range {
  readonly from: UnixMs;
  readonly to: UnixMs;
}

interface GroupsRequest extends Range {
  readonly interval: StatsInterval;
  readonly countsGone: boolean;
}

/**
 * All counts and sums in one query, which reads the range once, by the index of the list. They are
 * sums over cells of equal transactions: far fewer rows than transactions for all the groupings.
 */
export function groupsStatement(scope: Scope, { interval, countsGone, ...range }: GroupsRequest): RawBuilder<Group> {
  return sql<Group>`
    with cell as (
      select status, exception, loss, crypto, currency_fiat,
        (extract(epoch from date_trunc(${interval}::text, created_at at time zone 'UTC')) * 1000)::int8 as bucket,
        count(*) as payments, sum(amount_usd::numeric) as usd, sum(amount_fiat::numeric) as fiat
      from transaction where ${created(scope, range)}
      group by 1, 2, 3, 4, 5, 6
    ), counted as (
      select *, loss is not distinct from 'gone' as is_gone,
        status = 'completed' and (${countsGone}::boolean or loss is distinct from 'gone') as is_completed,
        status in ('pending', 'partial', 'awaiting_confirmation') or exception is not null as is_open
      from cell
    ), summed as (
      select
        case when grouping(status) = 0 then 'status' when grouping(crypto) = 0 then 'crypto'
          when grouping(bucket) = 0 then 'bucket' else 'all' end as kind,
        coalesce(status, crypto, bucket::text, '') as key, currency_fiat as currency,
        ${total('payments')} as created, ${total('payments', 'is_completed')} as completed,
        ${total('payments', 'is_open')} as open, ${total('payments', 'is_gone')} as gone,
        coalesce(sum(payments) filter (where exception = 'paid_late'), 0) as paid_late,
        ${total('usd', 'is_completed')} as usd, ${total('fiat', 'is_completed')} as fiat,
        ${total('fiat', 'is_gone')} as gone_fiat
      from counted
      group by grouping sets
        ((), (status), (crypto), (bucket), (currency_fiat), (crypto, currency_fiat), (bucket, currency_fiat))
    )
    select kind, key, currency, created::int8, completed::int8, open::int8, gone::int8, paid_late::int8 as "paidLate",
      trim_scale(usd)::text as "volumeUsd", trim_scale(fiat)::text as "volumeFiat",
      trim_scale(gone_fiat)::text as "goneFiat", ${ratio('usd', sql`completed`, 2)} as "averageUsd",
      ${ratio('fiat', sql`completed`, 2)} as "averageFiat",
      ${ratio('completed', sql`created`, 4)} as "completionRate",
      ${ratio('completed', sql`created - open`, 4)} as "conversionRate"
    from summed`;
}

/** Medians in whole seconds; null without data. */
export interface Timing {
  readonly medianSecondsToFirstPayment: number | null;
  readonly medianSecondsToComplete: number | null;
}

export function timingStatement(scope: Scope, range: Range): RawBuilder<Timing> {
  return sql<Timing>`
    with counted as (
      select id, created_at, case when status = 'completed' then completed_at end as completed_at
      from transaction where ${created(scope, range)}
    ), first_payment as (
      select counted.id, counted.created_at, min(first_seen_at) as seen_at
      from counted join payment on payment.transaction_id = counted.id
      group by counted.id, counted.created_at
    )
    select (
      select round(percentile_cont(0.5) within group (order by ${secondsUntil('seen_at')}))::int8
      from first_payment
    ) as "medianSecondsToFirstPayment", (
      select round(percentile_cont(0.5) within group (order by ${secondsUntil('completed_at')}))::int8
      from counted where completed_at is not null
    ) as "medianSecondsToComplete"`;
}

// Helpers

function created({ merchantId, mode }: Scope, { from, to }: Range): RawBuilder<unknown> {
  return sql`merchant_id = ${merchantId} and mode = ${mode} and created_at >= to_timestamp(${from}::int8 / 1000.0)
    and created_at < to_timestamp(${to}::int8 / 1000.0)`;
}

/** The sum over cells, or over those with the property. */
function total(column: 'payments' | 'usd' | 'fiat', property?: 'is_completed' | 'is_open' | 'is_gone') {
  const filter = property === undefined ? sql`` : sql`filter (where ${sql.ref(property)})`;
  return sql`coalesce(sum(${sql.ref(column)}) ${filter}, 0)`;
}

/** Rounded half up; null for a ratio to zero. */
function ratio(part: 'usd' | 'fiat' | 'completed', whole: RawBuilder<unknown>, places: number) {
  return sql`trim_scale(round(${sql.ref(part)}::numeric / nullif(${whole}, 0), ${sql.lit(places)}))::text`;
}

/** Node clocks differ from ours by seconds; a payment is never earlier than its request. */
function secondsUntil(end: string): RawBuilder<number> {
  return sql`greatest(0, extract(epoch from ${sql.ref(end)} - created_at)::float8)`;
}
