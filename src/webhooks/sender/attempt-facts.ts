import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/index.ts';
import type { SendMessage } from '../send-message.ts';

/** What one attempt needs to know, read in one statement just before it. */
export interface AttemptFacts {
  readonly webhookEventId: string;
  readonly event: string;
  readonly body: string;
  /** Null when the endpoint was disabled or deleted since. */
  readonly endpoint: { readonly url: string; readonly sealedSecret: string } | null;
}

/** The facts of each attempt, in order; null for one that its delivery is not waiting for any more. */
export async function findAttempts(
  db: Kysely<Database>,
  messages: readonly Pick<SendMessage, 'deliveryId' | 'attempt'>[],
): Promise<(AttemptFacts | null)[]> {
  // One lookup by key after the other, whatever the planner thinks of tables that were filled a moment ago.
  const { rows } = await sql<Row>`
    select wanted.place, found.* from unnest(
      ${messages.map((_, place) => place)}::int4[], ${messages.map(({ deliveryId }) => deliveryId)}::text[],
      ${messages.map(({ attempt }) => attempt)}::int4[]
    ) as wanted (place, delivery_id, attempt)
    cross join lateral (
      select event.id, event.event, event.body, endpoint.url, endpoint.sealed_secret, endpoint.enabled
      from webhook_delivery as delivery join webhook_event as event on event.id = delivery.webhook_event_id
        left join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.id = wanted.delivery_id and delivery.attempt = wanted.attempt and delivery.state = 'sending'
      limit 1
    ) as found`.execute(db);
  const facts: (AttemptFacts | null)[] = messages.map(() => null);
  for (const row of rows) facts[row.place] = factsOf(row);
  return facts;
}

// Helpers

interface Row {
  readonly place: number;
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly url: string | null;
  readonly sealed_secret: string | null;
  readonly enabled: boolean | null;
}

function factsOf({ id, event, body, url, sealed_secret: sealedSecret, enabled }: Row): AttemptFacts {
  const isThere = enabled === true && url !== null && sealedSecret !== null;
  return { webhookEventId: id, event, body, endpoint: isThere ? { url, sealedSecret } : null };
}
