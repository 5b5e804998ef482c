import type { UnixMs } from '../../../machines/index.ts';
import { DELIVERY_STATES, WEBHOOK_EVENT_TYPES } from '../../webhooks/index.ts';
import { type Command, defineCommand } from '../command.ts';
import {
  asOneOf,
  asText,
  asWholeNumber,
  flag,
  json,
  merchant,
  optional,
  required,
  type ValuesOfAll,
} from '../options.ts';

const MAX_ROWS = 1_000;

const OPTIONS = {
  deliveries: {
    merchant,
    endpoint: optional('ID', 'Deliveries to this endpoint (whk_...), newest first, and their counts.', asText, null),
    transaction: optional(
      'ID',
      'Only events of this transaction (txn_...); without --endpoint, at all endpoints.',
      asText,
      null,
    ),
    delivery: optional('ID', 'This delivery (dlv_...), with its body and attempts.', asText, null),
    state: optional('STATE', `Only ${DELIVERY_STATES.join(', ')}.`, asOneOf(DELIVERY_STATES), null),
    event: optional('TYPE', 'Only events of this type, such as payment.completed.', asOneOf(WEBHOOK_EVENT_TYPES), null),
    since: optional('MOMENT', 'Only deliveries started at or after this time.', asTimestamp, null),
    limit: optional('N', 'The maximum number of rows; default 20.', asWholeNumber(1, MAX_ROWS), 20),
    json,
  },
  redeliver: {
    merchant,
    delivery: required('ID', 'The delivery id, from "webhook deliveries" (dlv_...).', asText),
    json,
  },
  replay: {
    merchant,
    endpoint: optional('ID', 'Starts one for this endpoint (whk_...); requires --since.', asText, null),
    since: optional('MOMENT', 'The start, such as 2026-11-21T09:30:00Z; at most 60 days ago.', asTimestamp, null),
    until: optional('MOMENT', 'The end; defaults to now.', asTimestamp, null),
    'only-failed': flag('Skips events that were not sent because the endpoint was disabled.'),
    replay: optional('ID', 'Shows the progress of this replay (rpl_...).', asText, null),
    cancel: flag('With --replay: cancels it. Started deliveries continue.'),
    json,
  },
};

export type WebhookLogValues = ValuesOfAll<typeof OPTIONS>;

export const WEBHOOK_LOG_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'webhook deliveries',
    summary: 'Lists deliveries to an endpoint or for a transaction, or shows one delivery with its attempts.',
    options: OPTIONS.deliveries,
    run: async (values) => (await import('./deliveries.ts')).webhookDeliveries(values),
  }),
  defineCommand({
    name: 'webhook redeliver',
    summary: 'Resends an event: same id, same bytes, next attempt number. The running service sends it.',
    options: OPTIONS.redeliver,
    run: async (values) => (await import('./send-again.ts')).webhookRedeliver(values),
  }),
  defineCommand({
    name: 'webhook replay',
    summary: 'Resends all events that an endpoint has not accepted. The running service does it in the background.',
    options: OPTIONS.replay,
    run: async (values) => (await import('./send-again.ts')).webhookReplay(values),
  }),
];

// Helpers

/** ISO 8601 as profiled by RFC 3339, or a day, which means its start in UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a time. The problem passed to `reject` completes a sentence that begins with the option.
 */
function asTimestamp(text: string, reject: (problem: string) => never): UnixMs {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  const day = text.slice(0, 'YYYY-MM-DD'.length);
  // Date.parse accepts 31 February as a day in March.
  const exists = !Number.isNaN(at) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists ? at : reject('must be a time such as 2026-11-21T09:30:00Z, or a day such as 2026-11-21');
}
