import type { UnixMs } from '../../../machines/index.ts';
import { DELIVERY_STATES, WEBHOOK_EVENT_TYPES } from '../../webhooks/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, flag, optional, required, type ValuesOfAll } from '../options.ts';

const MAX_ROWS = 1_000;

const json = flag('Prints JSON for programs instead of text for people.');
const merchant = required('NAME', 'The merchant, as in the provisioning file.', asText);

const OPTIONS = {
  deliveries: {
    merchant,
    endpoint: optional('ID', 'Deliveries to this endpoint (whk_...), newest first, and their counts.', asText, null),
    transaction: optional(
      'ID',
      'Only about this transaction (txn_...); alone, its events at all endpoints.',
      asText,
      null,
    ),
    delivery: optional('ID', 'This delivery (dlv_...), with its body and attempts.', asText, null),
    state: optional('STATE', `Only ${DELIVERY_STATES.join(', ')}.`, asOneOf(DELIVERY_STATES), null),
    event: optional('TYPE', 'Only events of this type, like payment.completed.', asOneOf(WEBHOOK_EVENT_TYPES), null),
    since: optional('MOMENT', 'Only those started at this moment or later.', asTimestamp, null),
    limit: optional('N', 'How many at most; default 20.', asWholeNumber(1, MAX_ROWS), 20),
    json,
  },
  redeliver: {
    merchant,
    delivery: required('ID', 'The delivery, as "webhook deliveries" shows it (dlv_...).', asText),
    json,
  },
  replay: {
    merchant,
    endpoint: optional(
      'ID',
      'Begins one for this endpoint (whk_...), with --since, and --until and --only-failed if you like.',
      asText,
      null,
    ),
    since: optional('MOMENT', 'Where to begin, like 2026-11-21T09:30:00Z; at most 60 days ago.', asTimestamp, null),
    until: optional('MOMENT', 'Where to end; now if it is left out.', asTimestamp, null),
    'only-failed': flag('Leaves out what was never tried because the endpoint was disabled.'),
    replay: optional('ID', 'Shows how far this one is (rpl_...).', asText, null),
    cancel: flag('With --replay: ends it. What was started goes on.'),
    json,
  },
};

export type WebhookLogValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about the webhook delivery log. */
export const WEBHOOK_LOG_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'webhook deliveries',
    summary: 'What was sent: to an endpoint, about a transaction, or one delivery with its attempts.',
    options: OPTIONS.deliveries,
    run: async (values) => (await import('./deliveries.ts')).webhookDeliveries(values),
  }),
  defineCommand({
    name: 'webhook redeliver',
    summary: 'Sends an event again: same id, same bytes, next attempt number. The running service posts it.',
    options: OPTIONS.redeliver,
    run: async (values) => (await import('./redeliver.ts')).webhookRedeliver(values),
  }),
  defineCommand({
    name: 'webhook replay',
    summary: 'Sends everything again that an endpoint has not taken. The running service does it, in the background.',
    options: OPTIONS.replay,
    run: async (values) => (await import('./replay.ts')).webhookReplay(values),
  }),
];

// Helpers

/** ISO 8601 as profiled by RFC 3339, or a day, which means its start in UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a time. The problem passed to `refuse` completes a sentence that begins with the option.
 */
function asTimestamp(text: string, refuse: (problem: string) => never): UnixMs {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  const day = text.slice(0, 'YYYY-MM-DD'.length);
  // Date.parse accepts 31 February as a day in March.
  const exists = !Number.isNaN(at) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists ? at : refuse('must be a moment like 2026-11-21T09:30:00Z, or a day like 2026-11-21');
}
