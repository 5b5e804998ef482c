import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { isSubscribed } from '../modes.ts';
import { type DeliveriesSoFar, deliveriesSoFar } from './deliveries-so-far.ts';
import { CLOCK_MARGIN_MS } from './request-replay.ts';

export interface ReplayedEvent extends DeliveriesSoFar {
  /**
   * The replay is for it, the endpoint subscribes to it, it was not delivered, and no delivery of
   * it is running.
   */
  readonly isDue: boolean;
}

/**
 * The next events after the cursor, oldest first. An event committed after the cursor passed its
 * timestamp is missed here and needs no replay: its transaction began after the request, so it
 * finds the endpoint enabled. Test events are not due.
 */
export async function readReplayPage(
  trx: Transaction<Database>,
  { replayId, limit }: { readonly replayId: string; readonly limit: number },
): Promise<ReplayedEvent[]> {
  // Compared in SQL, because timestamps in the database are finer than milliseconds.
  const { rows } = await sql<PageRow>`
    select event.id as "webhookEventId", replay.endpoint_id as "endpointId",
      ${isSubscribed('endpoint', 'event')} and (not replay.only_failed or so_far.deliveries > 0) as "isSelected", so_far.*
    from webhook_replay as replay
    join webhook_endpoint as endpoint on endpoint.id = replay.endpoint_id
    cross join lateral (
      select id, event, mode, is_test, created_at from webhook_event
      where merchant_id = replay.merchant_id and created_at <= ${READS_UNTIL} and (created_at, id) > (
        coalesce(replay.cursor_created_at, replay.since), coalesce(replay.cursor_event_id, '')
      )
      order by created_at, id limit ${limit}
    ) as event
    cross join lateral (${deliveriesSoFar(sql`event.id`, sql`replay.endpoint_id`)}) as so_far
    where replay.id = ${replayId}
    order by event.created_at, event.id`.execute(trx);
  return rows.map(({ isSelected, runningId, ...soFar }) => {
    return { ...soFar, isDue: isSelected && !soFar.isTaken && runningId === null };
  });
}

// Helpers

/** `readsUntil` in SQL. */
const READS_UNTIL = sql`replay.until + case when replay.until = replay.created_at
  then ${CLOCK_MARGIN_MS} * interval '1 millisecond' else interval '0' end`;

interface PageRow extends DeliveriesSoFar {
  isSelected: boolean;
  runningId: string | null;
}
