import { type RawBuilder, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Scope } from '../view/get-transaction.ts';
import type { StatsInterval } from './buckets.ts';

export type GroupKind = 'all' | 'status' | 'crypto' | 'fiat' | 'bucket';

/** A group of transactions. Decimals are exact, without trailing zeros. */
export interface Group {
  readonly kind: GroupKind;
  /** The status, coin or currency; for a bucket, its start as Unix ms. */
  readonly key: string;
  readonly created: number;
  readonly completed: number;
  readonly paidLate: number;
  readonly volumeUsd: string;
  /** In the currency of the transactions; meaningful only for the kind `fiat`. */
  readonly volumeFiat: string;
  /** Rounded half up to the cent. */
  readonly averageUsd: string | null;
  /** 0 to 1, to four decimals. */
  readonly conversionRate: string | null;
}

interface Range {
  readonly from: UnixMs;
  readonly to: UnixMs;
}

/** All counts and sums in one query, which reads the range once, by the index of the list. */
export function groupsStatement(
  scope: Scope,
  { interval, ...range }: Range & { readonly interval: StatsInterval },
): RawBuilder<Group> {
  return sql<Group>`
    select
      case when grouping(status) = 0 then 'status' when grouping(crypto) = 0 then 'crypto'
        when grouping(currency_fiat) = 0 then 'fiat' when grouping(bucket) = 0 then 'bucket' else 'all' end as kind,
      coalesce(status, crypto, currency_fiat, bucket::text, '') as key,
      count(*) as created, count(*) filter (where is_completed) as completed,
      count(*) filter (where exception = 'paid_late') as "paidLate",
      trim_scale(coalesce(sum(usd) filter (where is_completed), 0))::text as "volumeUsd",
      trim_scale(coalesce(sum(fiat) filter (where is_completed), 0))::text as "volumeFiat",
      trim_scale(round(avg(usd) filter (where is_completed), 2))::text as "averageUsd",
      trim_scale(round(count(*) filter (where is_completed)::numeric / nullif(count(*), 0), 4))::text as "conversionRate"
    from (
      select status, exception, crypto, currency_fiat, status = 'completed' as is_completed, amount_usd::numeric as usd,
        amount_fiat::numeric as fiat,
        (extract(epoch from date_trunc(${interval}::text, created_at at time zone 'UTC')) * 1000)::int8 as bucket
      from transaction where ${created(scope, range)}
    ) as counted
    group by grouping sets ((), (status), (crypto), (currency_fiat), (bucket))`;
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
      select round(percentile_cont(0.5) within group (order by ${secondsBetween('created_at', 'seen_at')}))::int8
      from first_payment
    ) as "medianSecondsToFirstPayment", (
      select round(percentile_cont(0.5) within group (order by ${secondsBetween('created_at', 'completed_at')}))::int8
      from counted where completed_at is not null
    ) as "medianSecondsToComplete"`;
}

// Helpers

function created({ merchantId, mode }: Scope, { from, to }: Range): RawBuilder<unknown> {
  return sql`merchant_id = ${merchantId} and mode = ${mode} and created_at >= to_timestamp(${from}::int8 / 1000.0)
    and created_at < to_timestamp(${to}::int8 / 1000.0)`;
}

/** Node clocks differ from ours by seconds; a payment is never earlier than its request. */
function secondsBetween(start: string, end: string): RawBuilder<number> {
  return sql`greatest(0, extract(epoch from ${sql.ref(end)} - ${sql.ref(start)})::float8)`;
}
