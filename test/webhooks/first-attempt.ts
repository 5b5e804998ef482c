import { expect, vi } from 'vitest';
import type { Connection } from '../../src/platform/db/index.ts';
import { POLLING } from '../support/polling.ts';
import { addEndpoint, attemptsOf, createMerchant, deliveryOf, raiseEvent, type WebhookService } from './harness.ts';

/** Sends an event to a new merchant's endpoint at the URL; waits for the first attempt's result. */
export async function firstAttempt(
  service: Pick<WebhookService, 'runtime' | 'clock'>,
  connection: Pick<Connection, 'db'>,
  url: string,
) {
  const merchantId = await createMerchant(connection);
  const { id: endpointId, secret } = await addEndpoint(connection, { merchantId, url });
  const event = await raiseEvent(service, connection, { merchantId });
  const delivery = await vi.waitFor(async () => {
    const found = await deliveryOf(connection, event.id);
    expect(found.state).not.toBe('sending');
    return found;
  }, POLLING);
  const [attempt] = await attemptsOf(connection, delivery.id);
  if (attempt === undefined) throw new Error('no attempt was logged');
  return { merchantId, endpointId, secret, event, delivery, attempt };
}
