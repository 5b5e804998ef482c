import type { IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { MAX_ATTEMPTS } from '../../machines/index.ts';
import type { Connection } from '../../src/platform/db/index.ts';
import { createKindRegistry, replay } from '../../src/platform/engine/index.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import { POLLING } from '../support/polling.ts';
import { CHILD_APPLICATION } from './harness.ts';

/** One request as its receiver saw it, and the response status; null when it disconnected. */
export interface SeenRequest {
  readonly endpointId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly signature: string;
  readonly body: string;
  readonly responded: number | null;
}

/** The observable parts of a webhook. */
export function seenOf({ headers }: IncomingMessage, body: string): Omit<SeenRequest, 'responded'> {
  return {
    endpointId: String(headers['x-webhook-id']),
    eventId: String(headers['webhook-id']),
    attempt: Number(headers['x-service-attempt']),
    signature: String(headers['x-service-signature']),
    body,
  };
}

/** When the next timer of any delivery is due; null when there is none. */
export async function nextTimerAt({ db }: Pick<Connection, 'db'>): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`select min(due_at) as at from timer`.execute(db);
  return rows[0]?.at ?? null;
}

/**
 * Expires the claims of processes that died; claims are timed by the database clock. The server
 * still executes what a process sent before it died, a claim for example, so its sessions must have
 * ended first.
 */
export async function endClaims({ db }: Pick<Connection, 'db'>): Promise<void> {
  const sessions = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int4 as count from pg_stat_activity
      where datname = current_database() and application_name = ${CHILD_APPLICATION}`.execute(db);
    return rows[0]?.count;
  };
  await expect.poll(sessions, POLLING).toBe(0);
  await sql`update webhook_delivery set claimed_until = clock_timestamp() where claimed_until is not null`.execute(db);
}

/**
 * What must hold for every delivery when all are over, whatever crashed, was repeated or restarted:
 * the same id and bytes every time, attempt numbers without gaps that never fall, and one end that
 * fits what was seen.
 */
export async function checkDeliveries(
  connection: Pick<Connection, 'db'>,
  { count, seen }: { count: number; seen: readonly SeenRequest[] },
): Promise<void> {
  const { db } = connection;
  const deliveries = await db.selectFrom('webhook_delivery').selectAll().execute();
  expect(deliveries).toHaveLength(count);
  const events = await db.selectFrom('webhook_event').selectAll().execute();
  const kinds = createKindRegistry([createDeliveryKind()]);
  for (const delivery of deliveries) {
    const { id, state, attempt, endpoint_id, webhook_event_id } = delivery;
    const requests = seen.filter((each) => each.endpointId === endpoint_id && each.eventId === webhook_event_id);
    const [body, ...otherBodies] = new Set(requests.map((request) => request.body));
    expect(otherBodies).toEqual([]);
    expect(body).toBe(events.find((event) => event.id === webhook_event_id)?.body);
    expect(new Set(requests.map(({ signature }) => signature)).size).toBe(1);

    const numbers = requests.map((request) => request.attempt);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    expect([...new Set(numbers)]).toEqual(Array.from({ length: attempt }, (_, index) => index + 1));

    expect(['delivered', 'failed']).toContain(state);
    expect(delivery.ended_at).not.toBeNull();
    const lastResponses = requests.filter((request) => request.attempt === attempt).map(({ responded }) => responded);
    if (state === 'delivered') expect(lastResponses).toContain(200);
    else {
      expect(attempt).toBe(MAX_ATTEMPTS);
      expect(lastResponses.some((responded) => responded !== 200)).toBe(true);
    }
    expect((await replay(db, kinds, id))?.equal).toBe(true);
  }
  expect(await db.selectFrom('timer').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);
}
