import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { newId } from '../../src/platform/ids.ts';
import { SENDER_LIMITS } from '../../src/webhooks/index.ts';
import { sampleEventBody } from '../../src/webhooks/sample-event.ts';
import { webhookHeaders } from '../../src/webhooks/sign.ts';
import type { MeterOptions, RoundFigures } from '../support/costs.ts';
import { countDelivered } from '../support/count-delivered.ts';
import { fire } from '../support/load.ts';
import type { Shop, WebhookInstallation } from './installation.ts';

/** Events per commit of a busy service. */
const EVENTS_PER_COMMIT = 500;
const POLL_MS = 20;

export interface DeliveryRate extends RoundFigures {
  /** Maximum number of connections the worker had open to the receiver. */
  readonly connections: number;
}

/**
 * Commits `events` events, spread over the shops, and waits until each was delivered and its
 * delivery is recorded as such. Timed from before the first commit to after the last delivery.
 */
export async function deliver(
  { database, receiver, worker, meter }: WebhookInstallation,
  { shops, events, countRows }: { shops: readonly Shop[]; events: number } & MeterOptions,
): Promise<DeliveryRate> {
  await receiver.report();
  const before = await countDelivered(database.db);
  let connections = 0;
  const raiseAndWait = async () => {
    for (let raised = 0; raised < events; raised += EVENTS_PER_COMMIT) {
      const some = Array.from({ length: Math.min(EVENTS_PER_COMMIT, events - raised) }, (_, index) => {
        return shops[(raised + index) % shops.length] as Shop;
      });
      await worker.raise(some);
    }
    // The receiver is polled first, because that costs the database nothing.
    for (let taken = 0; taken < events; ) {
      await sleep(POLL_MS);
      const report = await receiver.report();
      taken += report.taken;
      connections = Math.max(connections, report.peakConnections);
    }
    while ((await countDelivered(database.db)) < before + events) await sleep(POLL_MS);
    return events;
  };
  return { ...(await meter(raiseAndWait, { countRows })), connections };
}

/** The baseline: the same requests and signatures, from a loop that reads and stores nothing. */
export async function postBare(
  { receiver }: Pick<WebhookInstallation, 'receiver'>,
  { shops, connections, seconds }: { shops: readonly Shop[]; connections: number; seconds: number },
): Promise<number> {
  let count = 0;
  const { perSecond } = await fire(
    {
      url: receiver.url,
      status: 200,
      headers: {},
      next() {
        const { url, endpointId, secret } = shops[count++ % shops.length] as Shop;
        const at = Date.now();
        const id = newId('evt');
        const body = sampleEventBody({
          id,
          event: 'payment.completed',
          mode: 'live',
          at,
          publicUrl: 'https://pay.example',
        });
        const signed = {
          webhookEventId: id,
          event: 'payment.completed',
          mode: 'live',
          body,
          endpointId,
          attempt: 1,
          at,
          secret,
        } as const;
        return { path: new URL(url).pathname, method: 'POST', body, headers: webhookHeaders(signed) };
      },
    },
    { connections, seconds },
  );
  return perSecond;
}

/**
 * Resolves when `count` deliveries to the shop have started, and the worker only waits for its
 * responses.
 */
export async function waitForDeliveries({ database: { db } }: WebhookInstallation, shop: Shop, count: number) {
  for (let started = 0; started < count; await sleep(POLL_MS)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from webhook_delivery where endpoint_id = ${shop.endpointId}`.execute(db);
    started = Number(rows[0]?.count);
  }
  // Messages in flight to an unresponsive endpoint stay in the outbox of the in-process bus.
  for (let left = Number.POSITIVE_INFINITY; left > SENDER_LIMITS.maxInFlightPerEndpoint; await sleep(POLL_MS)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from outbox_message`.execute(db);
    left = Number(rows[0]?.count);
  }
}
