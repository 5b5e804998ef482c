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

/** 30 days, as `rotateKey` allows. */
const MAX_OVERLAP_HOURS = 720;

const KEY_KINDS = ['sk_live', 'sk_test', 'pk_live', 'pk_test'] as const;

const out = optional('FILE', 'Writes the key to this new file (mode 0600) instead of showing it.', asText, null);
const key = required('ID', 'The key id, from "key list" (key_...).', asText);

const OPTIONS = {
  list: { merchant, json },
  create: {
    merchant,
    kind: required('KIND', 'The prefix: sk_live, sk_test, pk_live or pk_test.', asOneOf(KEY_KINDS)),
    name: optional('TEXT', 'What the key is for.', asText, ''),
    'one-open-payment': flag('Limits each client IP address to one open payment.'),
    out,
    json,
  },
  rotate: {
    merchant,
    key,
    overlap: optional(
      'HOURS',
      'How many hours the old key keeps working; default 0.',
      asWholeNumber(0, MAX_OVERLAP_HOURS),
      0,
    ),
    out,
    json,
  },
  revoke: { merchant, key, json },
  allow: {
    merchant,
    key,
    from: required('CIDRS', 'Comma-separated, such as 203.0.113.7,2001:db8::/48; or "anywhere".', asText),
    json,
  },
  change: {
    merchant,
    key,
    name: optional('TEXT', 'What the key is for.', asText, null),
    'one-open-payment': optional('ON', 'on or off.', asOneOf(['on', 'off']), null),
    json,
  },
};

export type KeyValues = ValuesOfAll<typeof OPTIONS>;

export const KEY_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'key list',
    summary: 'Lists the API keys of a merchant, with last use and IP restrictions.',
    options: OPTIONS.list,
    run: async (values) => (await import('./list.ts')).keyList(values),
  }),
  defineCommand({
    name: 'key create',
    summary: 'Creates an API key. It is shown once.',
    options: OPTIONS.create,
    run: async (values) => (await import('./change.ts')).keyCreate(values),
  }),
  defineCommand({
    name: 'key rotate',
    summary: 'Replaces a key with a new one that has the same rules. It is shown once.',
    options: OPTIONS.rotate,
    run: async (values) => (await import('./change.ts')).keyRotate(values),
  }),
  defineCommand({
    name: 'key revoke',
    summary: 'Revokes an API key immediately, on every process.',
    options: OPTIONS.revoke,
    run: async (values) => (await import('./change.ts')).keyRevoke(values),
  }),
  defineCommand({
    name: 'key allow',
    summary: 'Restricts a secret key to IP addresses (plans professional and enterprise), or removes the restriction.',
    options: OPTIONS.allow,
    run: async (values) => (await import('./change.ts')).keyAllow(values),
  }),
  defineCommand({
    name: 'key change',
    summary: 'Renames a key, or sets whether a client IP address may have several open payments.',
    options: OPTIONS.change,
    run: async (values) => (await import('./change.ts')).keyChange(values),
  }),
];
