import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';
import { getEndpoint } from '../endpoints/find-endpoints.ts';
import { isSubscribed } from '../modes.ts';
import { deliveriesSoFar } from './deliveries-so-far.ts';
import type { Replay } from './replay.ts';
import { type ReplayRange, readsUntil, requireReplayable } from './request-replay.ts';

/** What a replay requested now would do. Starts nothing. */
export interface ReplayPreview {
  readonly since: UnixMs;
  readonly until: UnixMs;
  /** Events of the merchant it would read. */
  readonly events: number;
  /** Those it would send. */
  readonly due: number;
  /** Whether there are more events than were counted. */
  readonly isCut: boolean;
}

/** Limit of events counted, oldest first. */
export const MAX_PREVIEWED_EVENTS = 5_000;
/** Limit when counting all events of a replay. */
const MAX_TOTAL_EVENTS = 10_000;

/**
 * Counts what a replay of the range would read and send. Throws a `TerminalError`:
 * `INVALID_REQUEST` like `requireReplayable`, `WEBHOOK_ENDPOINT_NOT_FOUND`, also for another
 * merchant's.
 */
export async function previewReplay(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  { merchantId, endpointId, ...range }: EndpointOfMerchant & ReplayRange,
): Promise<ReplayPreview> {
  requireReplayable(range, clock.now());
  await getEndpoint(db, { merchantId, endpointId });
  const now = clock.now();
  const { since, until = now, onlyFailed = false } = range;
  const { rows } = await sql<{ events: number; due: number }>`
      select count(*)::int4 as events, count(*) filter (
        where ${isSubscribed('endpoint', 'event')}
          and not so_far."isTaken" and so_far."runningId" is null and (not ${onlyFailed} or so_far.deliveries > 0)
      )::int4 as due
      from webhook_endpoint as endpoint
      cross join lateral (
        select id, event, mode, is_test from webhook_event
        where merchant_id = endpoint.merchant_id and created_at >= ${new Date(since)}
          and created_at <= ${new Date(readsUntil({ until, createdAt: now }))}
        order by created_at, id limit ${MAX_PREVIEWED_EVENTS + 1}
      ) as event
      cross join lateral (${deliveriesSoFar(sql`event.id`, sql`endpoint.id`)}) as so_far
      where endpoint.id = ${endpointId}`.execute(db);
  const { events, due } = rows[0] ?? { events: 0, due: 0 };
  return { since, until, events: Math.min(events, MAX_PREVIEWED_EVENTS), due, isCut: events > MAX_PREVIEWED_EVENTS };
}

/** How many events a replay reads in total; null when there are more than `MAX_TOTAL_EVENTS`. */
export async function countReplayedEvents(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, replay }: { readonly merchantId: string; readonly replay: Replay },
): Promise<number | null> {
  const { rows } = await sql<{ total: number }>`
      select count(*)::int4 as total from (
        select 1 from webhook_event
        where merchant_id = ${merchantId} and created_at >= ${new Date(replay.since)}
          and created_at <= ${new Date(readsUntil(replay))}
        limit ${MAX_TOTAL_EVENTS + 1}
      ) as event`.execute(db);
  const total = rows[0]?.total ?? 0;
  return total > MAX_TOTAL_EVENTS ? null : total;
}
