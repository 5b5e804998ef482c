import type { Kysely } from 'kysely';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { createEngine, createKindRegistry } from '../../platform/engine/index.ts';
import { createLogger } from '../../platform/log.ts';
import {
  cancelReplay,
  createDeliveryKind,
  getReplay,
  type Redelivery,
  type Replay,
  redeliver,
  replayOnWire,
  requestReplay,
} from '../../webhooks/index.ts';
import { commandAuthor } from '../author.ts';
import { withMerchant } from '../key/context.ts';
import { usage } from '../options.ts';
import { printResult, timeText } from '../print.ts';
import type { WebhookLogValues } from './commands.ts';

/**
 * `quittance webhook replay`: starts, shows or cancels a replay. A worker of the service runs it.
 */
export async function webhookReplay(options: WebhookLogValues['replay']): Promise<void> {
  const act = actionOf(options);
  const replay = await withMerchant(options.merchant, (db, { id }) => act(db, id));
  printResult(options.json, replayOnWire(replay), () => replayText(replay));
}

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

type Action = (db: Kysely<Database>, merchantId: string) => Promise<Replay>;

/** Validates the options before the database is opened. */
function actionOf(options: WebhookLogValues['replay']): Action {
  const { endpoint: endpointId, since, until, 'only-failed': onlyFailed, replay: replayId, cancel } = options;
  const hasRangeEnd = until !== null || onlyFailed;
  if (!hasRangeEnd && replayId !== null && endpointId === null && since === null) {
    if (!cancel) return (db, merchantId) => getReplay({ db }, { merchantId, replayId });
    return (db, merchantId) =>
      cancelReplay({ db, clock: systemClock }, { merchantId, replayId, author: commandAuthor() });
  }
  if (replayId === null && endpointId !== null && since !== null && !cancel) {
    const range = { since, until: until ?? undefined, onlyFailed };
    return (db, merchantId) =>
      requestReplay({ db, clock: systemClock }, { merchantId, endpointId, ...range, author: commandAuthor() });
  }
  throw usage('webhook replay: pass --endpoint and --since to start one, or --replay to show one');
}

function replayText(replay: Replay): string {
  const range = `${replay.onlyFailed ? 'failed events' : 'events'} from ${timeText(replay.since)} to ${timeText(replay.until)}`;
  const progress = `${replay.eventsSeen} checked, ${replay.eventsSent} sent again`;
  return `Replay ${replay.id} of ${replay.endpointId} is ${replay.state}: ${range}, ${progress}`;
}

const MESSAGES: Readonly<Record<Redelivery['outcome'], (deliveryId: string) => string>> = {
  started: (id) => `The event is queued again as delivery ${id}; the running service sends it`,
  requested: (id) => `The next attempt of ${id} is due now; the running service sends it`,
  under_way: (id) => `An attempt of ${id} is already in progress; nothing was changed`,
};
