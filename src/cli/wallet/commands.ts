import { CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import { ADDRESS_TYPES, NETWORK_KINDS } from '../../wallets/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, json, merchant, optional, required, type ValuesOfAll } from '../options.ts';

/**
 * Enough to skip all addresses that a busy shop issues between a nightly backup and the loss of the
 * database.
 */
const DEFAULT_ADVANCE = 100;

const OPTIONS = {
  preview: {
    crypto: required('SYMBOL', 'The coin or token, such as LTC.', asOneOf(CRYPTO_SYMBOLS)),
    key: required('KEY', 'The extended public key; - reads from standard input.', asText),
    type: optional(
      'TYPE',
      `${ADDRESS_TYPES.join(', ')}; by default the type the key implies.`,
      asOneOf(ADDRESS_TYPES),
      null,
    ),
    count: optional('N', 'How many addresses; default 5.', asWholeNumber(1, 100), 5),
    network: optional('KIND', `${NETWORK_KINDS.join(', ')}; default mainnet.`, asOneOf(NETWORK_KINDS), 'mainnet'),
    json,
  },
  status: { merchant: optional('NAME', 'Only the wallets of this merchant.', asText, null), json },
  advance: {
    merchant,
    crypto: required('SYMBOL', 'The coin or token, such as LTC.', asOneOf(CRYPTO_SYMBOLS)),
    by: optional('N', 'How many addresses; default 100.', asWholeNumber(1, 1_000_000), DEFAULT_ADVANCE),
    json,
  },
};

export type WalletValues = ValuesOfAll<typeof OPTIONS>;

export const WALLET_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'wallet preview',
    summary: 'Prints the first addresses of a wallet, to compare with the wallet. Needs no database, stores nothing.',
    options: OPTIONS.preview,
    run: async (values) => (await import('./run.ts')).previewWallet(values),
  }),
  defineCommand({
    name: 'wallet status',
    summary: 'Shows how many addresses in a row each wallet has issued or skipped unpaid (gap limit).',
    options: OPTIONS.status,
    run: async (values) => (await import('./run.ts')).walletStatus(values),
  }),
  defineCommand({
    name: 'wallet advance',
    summary: 'After restoring a backup: skips addresses that may have been issued since.',
    options: OPTIONS.advance,
    run: async (values) => (await import('./run.ts')).advance(values),
  }),
];
