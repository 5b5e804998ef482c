import { systemClock } from '../../platform/clock.ts';
import { createEngine, createKindRegistry } from '../../platform/engine/index.ts';
import { createLogger } from '../../platform/log.ts';
import { createDeliveryKind, type Redelivery, redeliver } from '../../webhooks/index.ts';
import { commandAuthor } from '../author.ts';
import { withMerchant } from '../key/context.ts';
import { printResult } from '../print.ts';
import type { WebhookLogValues } from './commands.ts';

/**
 * `quittance webhook redeliver`: has an event sent again. This process sends nothing: a worker of a
 * running service takes the attempt from the outbox within 10 seconds.
 */
export async function webhookRedeliver({ merchant, delivery, json }: WebhookLogValues['redeliver']): Promise<void> {
  // Standard output is reserved for the result.
  const log = createLogger({ level: 'warn', destination: process.stderr });
  const { outcome, deliveryId } = await withMerchant(merchant, (db, { id: merchantId }) => {
    const engine = createEngine({ db, kinds: createKindRegistry([createDeliveryKind()]), clock: systemClock, log });
    return redeliver({ db, engine }, { merchantId, deliveryId: delivery, author: commandAuthor() });
  });
  printResult(json, { outcome, delivery_id: deliveryId }, () => MESSAGES[outcome](deliveryId));
}

// Helpers

const MESSAGES: Readonly<Record<Redelivery['outcome'], (deliveryId: string) => string>> = {
  started: (id) => `The event is queued again as delivery ${id}; the running service sends it`,
  requested: (id) => `The next attempt of ${id} is due now; the running service sends it`,
  under_way: (id) => `An attempt of ${id} is already in progress; nothing was changed`,
};
