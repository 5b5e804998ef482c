import { afterEach, expect, test, vi } from 'vitest';
import { RETRY_DELAYS_MS } from '../../../machines/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createOpened } from '../../support/opened.ts';
import { type Receiver, type ReceiverResponse, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import {
  addEndpoint,
  createMerchant,
  newEvent,
  raiseEvents,
  startWebhookService,
  type WebhookService,
} from '../harness.ts';

const MANY = 40;
const BROKEN: ReceiverResponse = { kind: 'status', status: 503 };

describeDatabases('an endpoint with few enough waiting deliveries to keep their schedule', (database) => {
  const opened = createOpened();

  afterEach(async () => {
    await opened.closeAll();
    await database().db.deleteFrom('timer').execute();
  });

  /** A service without jitter, and an endpoint with many deliveries that have failed once. */
  async function failing(): Promise<{ service: WebhookService; receiver: Receiver; endpointId: string }> {
    // On a busy machine a response may take longer than the service waits for one.
    const limits = { timeoutMs: 120_000 };
    const service = await startWebhookService({ connection: database(), random: () => 0.5, limits });
    opened.push(service);
    const receiver = await startReceiver();
    opened.push(receiver);
    receiver.usually(BROKEN);
    const merchantId = await createMerchant(database());
    const { id: endpointId } = await addEndpoint(database(), { merchantId, url: receiver.url });
    const at = service.clock.now();
    const events = Array.from({ length: MANY }, () => newEvent({ merchantId, event: 'payment.completed', at }));
    await raiseEvents(service.runtime, database(), events);
    await allWaiting(endpointId, 1);
    return { service, receiver, endpointId };
  }

  function allWaiting(endpointId: string, attempt: number): Promise<void> {
    return vi.waitFor(async () => {
      const rows = await database()
        .db.selectFrom('webhook_delivery')
        .select(['state', 'attempt', 'last_failure'])
        .where('endpoint_id', '=', endpointId)
        .execute();
      const expected = { state: 'waiting', attempt, last_failure: 'status' };
      expect(rows).toEqual(Array.from({ length: MANY }, () => expected));
    }, POLLING);
  }

  test('rule 57: has every attempt made at its delay, although all of them fail', async () => {
    const { service, receiver, endpointId } = await failing();
    for (const [index, delay] of RETRY_DELAYS_MS.slice(0, -1).entries()) {
      service.clock.advance(delay);
      await allWaiting(endpointId, index + 2);
    }
    service.clock.advance(RETRY_DELAYS_MS.at(-1) ?? 0);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(MANY * (RETRY_DELAYS_MS.length + 1)), POLLING);
    const probes = await database()
      .db.selectFrom('webhook_attempt')
      .select('attempt')
      .where('is_probe', '=', true)
      .execute();
    expect(probes).toEqual([]);
  });

  test('has its retries made when they are due, although others still wait for a response', async () => {
    const { service, receiver } = await failing();
    receiver.usually({ kind: 'hang' });
    service.clock.advance(RETRY_DELAYS_MS[0] ?? 0);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(2 * MANY), POLLING);
    receiver.usually(BROKEN);
    receiver.release();
  });
});
