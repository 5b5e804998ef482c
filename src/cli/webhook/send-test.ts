import { systemClock } from '../../platform/clock.ts';
import { loadConfig, publicUrlOf } from '../../platform/config/index.ts';
import { createEngine, createKindRegistry } from '../../platform/engine/index.ts';
import { createLogger } from '../../platform/log.ts';
import { createDeliveryKind, readEventType, sendTestEvent } from '../../webhooks/index.ts';
import { commandAuthor } from '../author.ts';
import { withMerchant } from '../key/context.ts';
import { printResult } from '../print.ts';
import type { WebhookValues } from './commands.ts';

/**
 * `quittance webhook test`: starts the delivery of a sample event. This process sends nothing: a
 * worker of a running service takes the attempt from the outbox within 10 seconds.
 */
export async function webhookTest(options: WebhookValues['test']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, json } = options;
  const event = readEventType(options.event);
  const config = loadConfig(process.env);
  // Standard output is reserved for the result.
  const log = createLogger({ level: 'warn', destination: process.stderr });
  const sent = await withMerchant(merchantName, async (db, { id: merchantId }) => {
    const engine = createEngine({ db, kinds: createKindRegistry([createDeliveryKind()]), clock: systemClock, log });
    const publicUrl = publicUrlOf(config, config.port);
    const input = { merchantId, endpointId, event, author: commandAuthor() };
    return sendTestEvent({ db, engine, clock: systemClock, publicUrl }, input);
  });
  const { deliveryId, eventId } = sent;
  printResult(
    json,
    { delivery_id: deliveryId, event_id: eventId, event },
    () => `A sample of ${event} is queued for ${endpointId} as delivery ${deliveryId}; the running service sends it`,
  );
}
