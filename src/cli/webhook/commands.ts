import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, json, merchant, optional, required, type ValuesOfAll } from '../options.ts';

const out = optional('FILE', 'Writes the secret to this new file (mode 0600) instead of showing it.', asText, null);
const endpoint = required('ID', 'The endpoint id, from "webhook list" (whk_...).', asText);
const events = optional(
  'TYPES',
  'Comma-separated, such as payment.completed; or "default": all but payment.created.',
  asText,
  null,
);
const modes = optional(
  'MODES',
  'live, test or live,test: the payments whose events it receives; default both.',
  asText,
  null,
);
const description = optional('TEXT', 'A name for the endpoint.', asText, null);
const disablesItself = optional(
  'ON',
  'on or off: disables the endpoint after days of failures; default off.',
  asOneOf(['on', 'off']),
  null,
);
const disablesOnGone = optional(
  'ON',
  'on or off: disables the endpoint when it responds with 410 Gone; default off.',
  asOneOf(['on', 'off']),
  null,
);
/** Same value as `MAX_PER_SECOND`, which is not imported before a command runs. */
const HIGHEST_RATE = 1_000;
const maxPerSecond = optional(
  'N',
  `Maximum attempts per second, 1 to ${HIGHEST_RATE}; 0 for no limit (default).`,
  asWholeNumber(0, HIGHEST_RATE),
  null,
);
/** Same value as `MAX_SECRET_OVERLAP_HOURS`, likewise. */
const MAX_OVERLAP_HOURS = 24;
const overlap = optional(
  'HOURS',
  `How many hours both secrets sign, 1 to ${MAX_OVERLAP_HOURS}; default ${MAX_OVERLAP_HOURS}.`,
  asWholeNumber(1, MAX_OVERLAP_HOURS),
  MAX_OVERLAP_HOURS,
);

const OPTIONS = {
  list: { merchant, json },
  create: {
    merchant,
    url: required('URL', 'Where events are sent, such as https://shop.example/webhooks.', asText),
    events,
    modes,
    description,
    'disables-itself': disablesItself,
    'disables-on-gone': disablesOnGone,
    'max-per-second': maxPerSecond,
    out,
    json,
  },
  change: {
    merchant,
    endpoint,
    url: optional('URL', 'The new URL.', asText, null),
    events,
    modes,
    description,
    'disables-itself': disablesItself,
    'disables-on-gone': disablesOnGone,
    'max-per-second': maxPerSecond,
    json,
  },
  regenerateSecret: { merchant, endpoint, out, json },
  rotateSecret: { merchant, endpoint, overlap, out, json },
  switch: { merchant, endpoint, json },
  delete: { merchant, endpoint, json },
  test: {
    merchant,
    endpoint,
    event: optional('TYPE', 'The event type; default payment.completed.', asText, 'payment.completed'),
    json,
  },
};

export type WebhookValues = ValuesOfAll<typeof OPTIONS>;

export const WEBHOOK_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'webhook list',
    summary: 'Lists the webhook endpoints of a merchant, their events and their health.',
    options: OPTIONS.list,
    run: async (values) => (await import('./run.ts')).webhookList(values),
  }),
  defineCommand({
    name: 'webhook create',
    summary: 'Creates a webhook endpoint. Its secret is shown once.',
    options: OPTIONS.create,
    run: async (values) => (await import('./run.ts')).webhookCreate(values),
  }),
  defineCommand({
    name: 'webhook change',
    summary: 'Changes an endpoint. Omitted values are unchanged.',
    options: OPTIONS.change,
    run: async (values) => (await import('./run.ts')).webhookChange(values),
  }),
  defineCommand({
    name: 'webhook regenerate-secret',
    summary: 'Generates a new secret, shown once. The old one stops working immediately.',
    options: OPTIONS.regenerateSecret,
    run: async (values) => (await import('./rotate-secret.ts')).webhookRegenerateSecret(values),
  }),
  defineCommand({
    name: 'webhook rotate-secret',
    summary: 'Generates a new secret, shown once. The old one also signs for some hours.',
    options: OPTIONS.rotateSecret,
    run: async (values) => (await import('./rotate-secret.ts')).webhookRotateSecret(values),
  }),
  defineCommand({
    name: 'webhook enable',
    summary: 'Enables an endpoint: it receives new events again.',
    options: OPTIONS.switch,
    run: async (values) => (await import('./run.ts')).webhookSwitch(values, true),
  }),
  defineCommand({
    name: 'webhook disable',
    summary: 'Disables an endpoint: it receives nothing until it is enabled.',
    options: OPTIONS.switch,
    run: async (values) => (await import('./run.ts')).webhookSwitch(values, false),
  }),
  defineCommand({
    name: 'webhook delete',
    summary: 'Deletes an endpoint permanently. Its pending deliveries are not sent.',
    options: OPTIONS.delete,
    run: async (values) => (await import('./run.ts')).webhookDelete(values),
  }),
  defineCommand({
    name: 'webhook test',
    summary: 'Queues a sample event for one endpoint, regardless of its subscription. The running service sends it.',
    options: OPTIONS.test,
    run: async (values) => (await import('./run.ts')).webhookTest(values),
  }),
];
