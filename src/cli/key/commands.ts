import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, flag, optional, required, type ValuesOfAll } from '../options.ts';

/** 30 days, as `rotateKey` allows. */
const MAX_OVERLAP_HOURS = 720;

const KEY_KINDS = ['sk_live', 'sk_test', 'pk_live', 'pk_test'] as const;

const json = flag('Prints JSON for programs instead of text for people.');
const out = optional('FILE', 'The new key is written to this new file (mode 0600) instead of shown.', asText, null);
const merchant = required('NAME', 'The merchant, as in the provisioning file.', asText);
const key = required('ID', 'The id of the key, as "key list" shows it (key_...).', asText);

const OPTIONS = {
  list: { merchant, json },
  create: {
    merchant,
    kind: required('KIND', 'How it begins: sk_live, sk_test, pk_live or pk_test.', asOneOf(KEY_KINDS)),
    name: optional('TEXT', 'What the key is for.', asText, ''),
    'one-open-payment': flag('Each client address may have one open payment at a time.'),
    out,
    json,
  },
  rotate: {
    merchant,
    key,
    overlap: optional(
      'HOURS',
      'How long the old key works beside the new one; default 0.',
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
    from: required('CIDRS', 'Comma-separated, like 203.0.113.7,2001:db8::/48; or "anywhere".', asText),
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

/** The commands about API keys. */
export const KEY_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'key list',
    summary: 'The API keys of a merchant, when each was used last, and what it is tied to.',
    options: OPTIONS.list,
    run: async (values) => (await import('./list.ts')).keyList(values),
  }),
  defineCommand({
    name: 'key create',
    summary: 'Makes one more API key. It is shown once.',
    options: OPTIONS.create,
    run: async (values) => (await import('./change.ts')).keyCreate(values),
  }),
  defineCommand({
    name: 'key rotate',
    summary: 'Makes a new key in the place of another, with the same rules. It is shown once.',
    options: OPTIONS.rotate,
    run: async (values) => (await import('./change.ts')).keyRotate(values),
  }),
  defineCommand({
    name: 'key revoke',
    summary: 'Ends an API key at once, everywhere.',
    options: OPTIONS.revoke,
    run: async (values) => (await import('./change.ts')).keyRevoke(values),
  }),
  defineCommand({
    name: 'key allow',
    summary: 'Ties a secret key to addresses (plans professional and enterprise), or unties it.',
    options: OPTIONS.allow,
    run: async (values) => (await import('./change.ts')).keyAllow(values),
  }),
  defineCommand({
    name: 'key change',
    summary: 'Renames a key, or sets whether a client address may have several open payments.',
    options: OPTIONS.change,
    run: async (values) => (await import('./change.ts')).keyChange(values),
  }),
];
