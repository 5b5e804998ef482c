import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';

/** How many deliveries of an endpoint are unfinished, across all processes. */
export interface BacklogCheck {
  /** Whether there are more than the limit. Results are cached for some seconds. */
  isLarge(endpointId: string): Promise<boolean>;
}

const REMEMBERED_MS = 5_000;

export function createBacklogCheck(db: Kysely<Database>, limit: number): BacklogCheck {
  const known = new Map<string, { readonly response: Promise<boolean>; readonly until: number }>();
  return {
    isLarge(endpointId) {
      const now = performance.now();
      const before = known.get(endpointId);
      if (before !== undefined && before.until > now) return before.response;
      for (const [id, { until }] of known) if (until <= now) known.delete(id);
      const response = hasMoreThan(db, endpointId, limit);
      known.set(endpointId, { response, until: now + REMEMBERED_MS });
      response.catch(() => known.delete(endpointId));
      return response;
    },
  };
}

// Helpers

/** Reads at most one more index row than the limit. */
async function hasMoreThan(db: Kysely<Database>, endpointId: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int4 as waiting from (
      select 1 from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join unnest(array['sending', 'waiting']) as leaf (state)
      cross join lateral (
        select 1 from webhook_delivery
        where endpoint_id = ${endpointId} and event = type.event and state = leaf.state limit ${limit + 1}
      ) as delivery
      limit ${limit + 1}
    ) as waiting`.execute(db);
  return (rows[0]?.waiting ?? 0) > limit;
}
