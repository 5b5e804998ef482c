import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';

/** How much a replay may have under way at its endpoint, whatever started it. */
export interface ReplayPace {
  /**
   * Attempts asked for and not answered. With four places an endpoint and 15 s at most for each, fifty are answered before
   * the first of them would be taken for lost and repeated (`ANSWER_OVERDUE_MS`).
   */
  readonly maxSending: number;
  /** Deliveries that have not ended: an endpoint that fails again does not get thousands of timers. */
  readonly maxUnfinished: number;
}

export const REPLAY_PACE: ReplayPace = { maxSending: 50, maxUnfinished: 1_000 };

/**
 * How many deliveries to an endpoint may be started now. Its cost is bounded by the pace: each state of each type has a narrow range
 * of an index, which a planner that takes a type for common would pass over for the whole table, once for each. So the transaction
 * plans without that from here on.
 */
export async function readReplayRoom(
  trx: Transaction<Database>,
  endpointId: string,
  { maxSending, maxUnfinished }: ReplayPace,
): Promise<number> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(trx);
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
