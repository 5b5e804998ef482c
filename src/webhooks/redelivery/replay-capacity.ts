import { sql, type Transaction } from 'kysely';
import { type Database, disableScans } from '../../platform/db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';

/**
 * Limits on the deliveries in progress at an endpoint during a replay, regardless of what started
 * them.
 */
export interface ReplayPace {
  /**
   * Attempts requested and not finished. With four slots per endpoint and at most 15 s each, fifty
   * are finished before the first of them would count as lost and be repeated
   * (`RESPONSE_OVERDUE_MS`).
   */
  readonly maxSending: number;
  /** Unfinished deliveries: an endpoint that fails again must not pile up thousands of timers. */
  readonly maxUnfinished: number;
}

export const REPLAY_PACE: ReplayPace = { maxSending: 50, maxUnfinished: 1_000 };

/**
 * How many deliveries to an endpoint may be started now. Each state and event type is a narrow
 * index range, so the limits bound the cost. A planner that considers an event type common would
 * choose a sequential scan for each of them instead, so sequential scans are disabled for the rest
 * of the transaction.
 */
export async function readReplayCapacity(
  trx: Transaction<Database>,
  endpointId: string,
  { maxSending, maxUnfinished }: ReplayPace,
): Promise<number> {
  await disableScans(trx);
  const { rows } = await sql<{ sending: number; unfinished: number }>`
    select count(*) filter (where open.state = 'sending')::int4 as sending, count(*)::int4 as unfinished
    from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
    cross join unnest(array['sending', 'waiting']) as open (state)
    cross join lateral (
      select 1 from webhook_delivery as delivery
      where delivery.endpoint_id = ${endpointId} and delivery.event = type.event and delivery.state = open.state
      limit ${maxUnfinished}
    ) as one`.execute(trx);
  const { sending, unfinished } = rows[0] ?? { sending: 0, unfinished: 0 };
  return Math.max(0, Math.min(maxSending - sending, maxUnfinished - unfinished));
}
