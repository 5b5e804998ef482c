import { UTXO_COINS } from '../../platform/config/index.ts';
import { NETWORK_KINDS } from '../../wallets/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, flag, optional, required, type ValuesOfAll } from '../options.ts';

/** Above the height of any chain. */
const MAX_HEIGHT = 1_000_000_000;

const json = flag('Prints JSON for programs instead of text for people.');
const network = (description: string) => ['NETWORK', `${description}, like litecoin-mainnet.`, asText] as const;

const OPTIONS = {
  status: { json },
  rescan: {
    network: required(...network('A network that the settings connect')),
    from: required('HEIGHT', 'The first block to read.', asWholeNumber(0, MAX_HEIGHT)),
    to: optional('HEIGHT', 'The last one; by default the newest there is.', asWholeNumber(0, MAX_HEIGHT), null),
    json,
  },
  unassigned: { network: optional(...network('Only this network'), null), json },
  decodeBlock: {
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
};

export type ChainValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about chains and their blocks. */
export const CHAIN_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'chain status',
    summary: 'How far each network has been polled, and what is wrong with it.',
    options: OPTIONS.status,
    run: async (values) => (await import('./status.ts')).chainStatus(values),
  }),
  defineCommand({
    name: 'chain rescan',
    summary: 'Reads blocks again and reports their contents to payments. Doing it twice changes nothing.',
    options: OPTIONS.rescan,
    run: async (values) => (await import('./rescan.ts')).chainRescan(values),
  }),
  defineCommand({
    name: 'chain strays',
    summary: 'Coins that no open payment takes and that need a decision.',
    options: OPTIONS.unassigned,
    run: async (values) => (await import('./list-unassigned.ts')).listUnassigned(values),
  }),
  defineCommand({
    name: 'chain decode-block',
    summary: 'Shows what is in a raw block, as the watcher reads it. Needs no node and no database.',
    options: OPTIONS.decodeBlock,
    run: async (values) => (await import('./decode-block.ts')).decodeBlockFile(values),
  }),
];
