import { UTXO_COINS } from '../../platform/config/index.ts';
import { NETWORK_KINDS } from '../../wallets/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, json, optional, required, type ValuesOfAll } from '../options.ts';

/** Above the height of any chain. */
const MAX_HEIGHT = 1_000_000_000;

const network = (description: string) => ['NETWORK', `${description}, such as litecoin-mainnet.`, asText] as const;

const OPTIONS = {
  status: { json },
  rescan: {
    network: required(...network('A configured network')),
    from: required('HEIGHT', 'The first block to read.', asWholeNumber(0, MAX_HEIGHT)),
    to: optional('HEIGHT', 'The last block to read; defaults to the newest.', asWholeNumber(0, MAX_HEIGHT), null),
    json,
  },
  unassigned: { network: optional(...network('Only this network'), null), json },
  decodeBlock: {
    crypto: required('SYMBOL', `The coin: ${UTXO_COINS.join(', ')}.`, asOneOf(UTXO_COINS)),
    hex: required('FILE', 'The block as printed by "getblock HASH 0"; - reads from standard input.', asText),
    network: optional(
      'KIND',
      `The address format: ${NETWORK_KINDS.join(', ')}; default mainnet.`,
      asOneOf(NETWORK_KINDS),
      'mainnet',
    ),
    json,
  },
};

export type ChainValues = ValuesOfAll<typeof OPTIONS>;

export const CHAIN_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'chain status',
    summary: 'Shows the sync progress and errors of each network.',
    options: OPTIONS.status,
    run: async (values) => (await import('./status.ts')).chainStatus(values),
  }),
  defineCommand({
    name: 'chain rescan',
    summary: 'Reads blocks again and reports their outputs to payments. Idempotent.',
    options: OPTIONS.rescan,
    run: async (values) => (await import('./rescan.ts')).chainRescan(values),
  }),
  defineCommand({
    name: 'chain strays',
    summary: 'Lists unassigned deposits, which need a decision.',
    options: OPTIONS.unassigned,
    run: async (values) => (await import('./list-unassigned.ts')).listUnassigned(values),
  }),
  defineCommand({
    name: 'chain decode-block',
    summary: 'Decodes a raw block as the watcher does. Needs no node and no database.',
    options: OPTIONS.decodeBlock,
    run: async (values) => (await import('./decode-block.ts')).decodeBlockFile(values),
  }),
];
