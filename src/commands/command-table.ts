import { CRYPTO_SYMBOLS } from '../../machines/index.ts';
import { UTXO_COINS } from '../config/index.ts';
import { PLAN_TIERS } from '../plan-tiers.ts';
import { ADDRESS_TYPES, NETWORK_KINDS } from '../wallets/index.ts';
import { type Command, defineCommand } from './command.ts';
import { KEY_COMMANDS } from './key/commands.ts';
import { LINK_COMMANDS } from './link/commands.ts';
import { MAIL_COMMANDS } from './mail/commands.ts';
import { asOneOf, asText, asWholeNumber, flag, operand, optional, required } from './options.ts';
import { asBound, asEndOfDay, asPriceCents, asYesOrNo } from './plan/readers.ts';
import { SECRETS_COMMANDS } from './secrets/commands.ts';
import { USER_COMMANDS } from './user/commands.ts';
import { WEBHOOK_COMMANDS } from './webhook/commands.ts';
import { WEBHOOK_LOG_COMMANDS } from './webhook-log/commands.ts';

/** No chain is longer. */
const MAX_HEIGHT = 1_000_000_000;
/** Enough to jump over everything a busy shop handed out between a nightly backup and its loss. */
const DEFAULT_ADVANCE = 100;

/** Nobody sends more. */
const MAX_REQUESTS = 1_000_000_000;

const json = flag('Prints JSON for programs instead of text for people.');
const out = optional('SECRETS', 'New secrets are written to this file (mode 0600), once.', asText, null);
const tier = required('TIER', `${PLAN_TIERS.join(', ')}.`, asOneOf(PLAN_TIERS));
const network = (description: string) => ['NETWORK', `${description}, like litecoin-mainnet.`, asText] as const;

export const DEFAULT_COMMAND: Command = defineCommand({
  name: 'serve',
  summary: 'Runs the service. Without a command, this is what happens.',
  options: { provision: optional('FILE', 'Applied first, as "quittance provision" does.', asText, null), out },
  run: async (values) => (await import('./serve/command.ts')).serve(values),
});

/** Every command there is. `--help` is made of this table. A command is loaded when it is run, and not before. */
export const COMMANDS: readonly Command[] = [
  DEFAULT_COMMAND,
  defineCommand({
    name: 'provision',
    summary: 'Creates or updates the merchants of FILE.',
    options: { file: operand('FILE', 'The provisioning file; docs/operations.md describes it.'), out },
    run: async (values) => (await import('./provision/command.ts')).provision(values),
  }),
  defineCommand({
    name: 'chain status',
    summary: 'How far each network has been looked at, and what is wrong with it.',
    options: { json },
    run: async (values) => (await import('./chain/status.ts')).chainStatus(values),
  }),
  defineCommand({
    name: 'chain rescan',
    summary: 'Reads blocks again and tells payments what is in them. Doing it twice changes nothing.',
    options: {
      network: required(...network('A network that the settings connect')),
      from: required('HEIGHT', 'The first block to read.', asWholeNumber(0, MAX_HEIGHT)),
      to: optional('HEIGHT', 'The last one; by default the newest there is.', asWholeNumber(0, MAX_HEIGHT), null),
      json,
    },
    run: async (values) => (await import('./chain/rescan.ts')).chainRescan(values),
  }),
  defineCommand({
    name: 'chain strays',
    summary: 'Coins that no running payment takes: somebody must look at them.',
    options: { network: optional(...network('Only this network'), null), json },
    run: async (values) => (await import('./chain/strays.ts')).chainStrays(values),
  }),
  defineCommand({
    name: 'chain decode-block',
    summary: 'Shows what is in a raw block, as the watcher reads it. Needs no node and no database.',
    options: {
      crypto: required('SYMBOL', `The coin: ${UTXO_COINS.join(', ')}.`, asOneOf(UTXO_COINS)),
      hex: required('FILE', 'The block as "getblock HASH 0" prints it; - reads it from standard input.', asText),
      network: optional(
        'KIND',
        `What its addresses look like: ${NETWORK_KINDS.join(', ')}; default mainnet.`,
        asOneOf(NETWORK_KINDS),
        'mainnet',
      ),
      json,
    },
    run: async (values) => (await import('./chain/decode-block.ts')).decodeBlockFile(values),
  }),
  defineCommand({
    name: 'wallet preview',
    summary: 'The first addresses of a wallet, to be compared with those it shows. Needs no database; nothing is kept.',
    options: {
      crypto: required('SYMBOL', 'The coin or token, like LTC.', asOneOf(CRYPTO_SYMBOLS)),
      key: required('KEY', 'The extended public key; - reads it from standard input.', asText),
      type: optional(
        'TYPE',
        `${ADDRESS_TYPES.join(', ')}; by default what the key stands for.`,
        asOneOf(ADDRESS_TYPES),
        null,
      ),
      count: optional('N', 'How many addresses; default 5.', asWholeNumber(1, 100), 5),
      network: optional('KIND', `${NETWORK_KINDS.join(', ')}; default mainnet.`, asOneOf(NETWORK_KINDS), 'mainnet'),
      json,
    },
    run: async (values) => (await import('./wallet/preview.ts')).previewWallet(values),
  }),
  defineCommand({
    name: 'wallet status',
    summary: 'How many addresses each wallet has handed out since the last that was paid (gap limit).',
    options: { merchant: optional('NAME', 'Only the wallets of this merchant.', asText, null), json },
    run: async (values) => (await import('./wallet/status.ts')).walletStatus(values),
  }),
  defineCommand({
    name: 'wallet advance',
    summary: 'After restoring a backup: skips addresses that the lost copy may have handed out.',
    options: {
      merchant: required('NAME', 'The merchant, as in the provisioning file.', asText),
      crypto: required('SYMBOL', 'The coin or token, like LTC.', asOneOf(CRYPTO_SYMBOLS)),
      by: optional('N', 'How many addresses; default 100.', asWholeNumber(1, 1_000_000), DEFAULT_ADVANCE),
      json,
    },
    run: async (values) => (await import('./wallet/advance.ts')).advance(values),
  }),
  defineCommand({
    name: 'plan list',
    summary: 'What every tier costs and allows.',
    options: { json },
    run: async (values) => (await import('./plan/list.ts')).planList(values),
  }),
  defineCommand({
    name: 'plan set',
    summary: 'Changes what a tier costs and allows, for everybody who has it. What is not named stays.',
    options: {
      tier,
      monthly: optional('USD', 'Price of a month, or "custom".', asPriceCents, null),
      yearly: optional('USD', 'Price of 12 months, or "custom".', asPriceCents, null),
      payments: optional('N', 'Completed live payments a month, or "unlimited".', asBound, null),
      webhooks: optional('N', 'Webhook endpoints, or "unlimited".', asBound, null),
      'ip-whitelist': optional('YES', 'yes or no: whether keys can be tied to addresses.', asYesOrNo, null),
      detailed: optional('YES', 'yes or no: whether itemized payments can be created.', asYesOrNo, null),
      'per-minute': optional('N', 'Requests a minute and key.', asWholeNumber(1, MAX_REQUESTS), null),
      'per-hour': optional('N', 'Requests an hour and key.', asWholeNumber(1, MAX_REQUESTS), null),
      json,
    },
    run: async (values) => (await import('./plan/set.ts')).planSet(values),
  }),
  defineCommand({
    name: 'merchant plan',
    summary: 'Gives a merchant a plan, at once and whatever it had.',
    options: {
      merchant: required('NAME', 'The merchant, as in the provisioning file.', asText),
      tier,
      until: optional('DATE', 'Its last day (UTC), like 2027-01-31; without it, it does not end.', asEndOfDay, null),
    },
    run: async (values) => (await import('./merchant/plan.ts')).merchantPlan(values),
  }),
  ...KEY_COMMANDS,
  ...LINK_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...WEBHOOK_LOG_COMMANDS,
  ...MAIL_COMMANDS,
  ...USER_COMMANDS,
  ...SECRETS_COMMANDS,
];
