import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, flag, optional, required, type ValuesOfAll } from '../options.ts';

const json = flag('Prints JSON for programs instead of text for people.');
const out = optional('FILE', 'The new secret is written to this new file (mode 0600) instead of shown.', asText, null);
const merchant = required('NAME', 'The merchant, as in the provisioning file.', asText);
const endpoint = required('ID', 'The id of the endpoint, as "webhook list" shows it (whk_...).', asText);
const events = optional(
  'TYPES',
  'Comma-separated, like payment.completed,payment.expired; or "default": all but payment.created.',
  asText,
  null,
);
const modes = optional(
  'MODES',
  'live, test or live,test: of which payments it receives events; at first both.',
  asText,
  null,
);
const description = optional('TEXT', 'What the endpoint is called.', asText, null);
const disablesItself = optional(
  'ON',
  'on or off: whether the service may disable it when it keeps failing for days; at first off.',
  asOneOf(['on', 'off']),
  null,
);
const disablesOnGone = optional(
  'ON',
  'on or off: whether the service disables it when it answers 410 Gone; at first off.',
  asOneOf(['on', 'off']),
  null,
);
/** Same value as `MAX_PER_SECOND`, which is not imported before a command runs. */
const HIGHEST_RATE = 1_000;
const maxPerSecond = optional(
  'N',
  `How many attempts a second it takes, 1 to ${HIGHEST_RATE}; 0 for no limit, as at first.`,
  asWholeNumber(0, HIGHEST_RATE),
  null,
);
/** Same value as `MAX_SECRET_OVERLAP_HOURS`, likewise. */
const MAX_OVERLAP_HOURS = 24;
const overlap = optional(
  'HOURS',
  `For how long both secrets sign, 1 to ${MAX_OVERLAP_HOURS}; default ${MAX_OVERLAP_HOURS}.`,
  asWholeNumber(1, MAX_OVERLAP_HOURS),
  MAX_OVERLAP_HOURS,
);

const OPTIONS = {
  list: { merchant, json },
  create: {
    merchant,
    url: required('URL', 'Where events are posted to, like https://shop.example/webhooks.', asText),
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
    url: optional('URL', 'Where events are posted to from now on.', asText, null),
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
    event: optional('TYPE', 'What the sample is of; default payment.completed.', asText, 'payment.completed'),
    json,
  },
};

export type WebhookValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about webhook endpoints. */
export const WEBHOOK_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'webhook list',
    summary: 'The webhook endpoints of a merchant, the events they receive, and their health.',
    options: OPTIONS.list,
    run: async (values) => (await import('./list.ts')).webhookList(values),
  }),
  defineCommand({
    name: 'webhook create',
    summary: 'Adds a webhook endpoint. Its secret is shown once.',
    options: OPTIONS.create,
    run: async (values) => (await import('./change.ts')).webhookCreate(values),
  }),
  defineCommand({
    name: 'webhook change',
    summary: 'Changes what is named; the rest stays.',
    options: OPTIONS.change,
    run: async (values) => (await import('./change.ts')).webhookChange(values),
  }),
  defineCommand({
    name: 'webhook regenerate-secret',
    summary: 'Makes a new secret, which is shown once. The old one is dead at once.',
    options: OPTIONS.regenerateSecret,
    run: async (values) => (await import('./rotate-secret.ts')).webhookRegenerateSecret(values),
  }),
  defineCommand({
    name: 'webhook rotate-secret',
    summary: 'Makes a new secret, which is shown once. The old one signs as well for some hours.',
    options: OPTIONS.rotateSecret,
    run: async (values) => (await import('./rotate-secret.ts')).webhookRotateSecret(values),
  }),
  defineCommand({
    name: 'webhook enable',
    summary: 'Lets an endpoint get events again, from now on.',
    options: OPTIONS.switch,
    run: async (values) => (await import('./change.ts')).webhookSwitch(values, true),
  }),
  defineCommand({
    name: 'webhook disable',
    summary: 'Lets an endpoint get nothing until it is enabled.',
    options: OPTIONS.switch,
    run: async (values) => (await import('./change.ts')).webhookSwitch(values, false),
  }),
  defineCommand({
    name: 'webhook delete',
    summary: 'Deletes an endpoint for good. What is on its way to it is not sent.',
    options: OPTIONS.delete,
    run: async (values) => (await import('./change.ts')).webhookDelete(values),
  }),
  defineCommand({
    name: 'webhook test',
    summary: 'Sends a sample of an event to one endpoint, whatever it subscribes to. The running service posts it.',
    options: OPTIONS.test,
    run: async (values) => (await import('./send-test.ts')).webhookTest(values),
  }),
];
