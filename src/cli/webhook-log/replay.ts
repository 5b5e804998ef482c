import type { Kysely } from 'kysely';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { cancelReplay, getReplay, type Replay, replayOnWire, requestReplay } from '../../webhooks/index.ts';
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
