import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ASSETS, formatCoins, SECOND_MS } from '../../../machines/index.ts';
import { type DescribedBlock, describeBlock, UnreadableDataError, utxoChain } from '../../chains/index.ts';
import type { UtxoCoin } from '../../platform/config/index.ts';
import { messageOf, TerminalError } from '../../platform/errors.ts';
import { addressNetwork, addressOfScript, networkName } from '../../wallets/index.ts';
import { printResult, timeText } from '../print.ts';
import type { ChainValues } from './commands.ts';

/**
 * `quittance chain decode-block`: prints a block as the watcher decodes it, for comparison with a
 * node or a block explorer.
 */
export async function decodeBlockFile(options: ChainValues['decodeBlock']): Promise<void> {
  const hex = await readHex(options.hex);
  const network = networkName(ASSETS[options.crypto].chain, options.network);
  const block = toShown(decode(hex, network, options), options);
  printResult(options.json, { network, ...block }, () => blockText(network, block, options.crypto));
}

// Helpers

async function readHex(file: string): Promise<string> {
  const content = file === '-' ? await text(process.stdin) : await readFileOf(file);
  const hex = content.replace(/\s+/g, '');
  if (/^(?:[0-9a-f]{2})+$/i.test(hex)) return hex;
  const source = file === '-' ? 'standard input' : file;
  throw new TerminalError(
    'UNREADABLE_BLOCK',
    `${source} does not contain hex: pass a block as printed by "getblock HASH 0"`,
  );
}

async function readFileOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new TerminalError('UNREADABLE_BLOCK', `${path} cannot be read: ${messageOf(error)}`);
  }
}

function decode(hex: string, network: string, { crypto }: ChainValues['decodeBlock']): DescribedBlock {
  try {
    return describeBlock(hex, utxoChain(network));
  } catch (error) {
    // Malformed bytes can also cause an index out of range.
    if (!(error instanceof UnreadableDataError) && !(error instanceof RangeError)) throw error;
    throw new TerminalError('UNREADABLE_BLOCK', `This is not a block of ${crypto}: ${messageOf(error)}`);
  }
}

/**
 * Outputs of Litecoin's extension block (MWEB, LIP 3): the coins held in it, and peg-ins. Witness
 * versions 8 and 9 are encoded like addresses, but cannot be paid to.
 */
const MWEB_MARKER = /^5[89]20[0-9a-f]{64}$/;

interface ShownBlock {
  readonly header: Readonly<Record<string, string | number | boolean | null>>;
  readonly size_bytes: number;
  readonly transactions: readonly ShownTransaction[];
}

interface ShownTransaction {
  readonly txid: string;
  readonly spends: readonly string[];
  readonly outputs: readonly ShownOutput[];
}

interface ShownOutput {
  readonly vout: number;
  readonly base_units: bigint;
  readonly script: string;
  /** Null for a script without an address form. */
  readonly address: string | null;
}

function toShown(
  { header, sizeBytes, transactions }: DescribedBlock,
  { crypto, network }: ChainValues['decodeBlock'],
): ShownBlock {
  const addressing = addressNetwork(ASSETS[crypto].chain, network);
  const isMwebMarker = (script: string) => crypto === 'LTC' && MWEB_MARKER.test(script);
  const addressOf = (script: string) =>
    addressing.family !== 'utxo' || isMwebMarker(script) ? null : addressOfScript(addressing, script);
  return {
    header: {
      hash: header.hash,
      version: header.version,
      previous_block_hash: header.previousBlockHash,
      merkle_root: header.merkleRoot,
      time: timeText(header.timeSeconds * SECOND_MS),
      bits: header.bits,
      nonce: header.nonce,
      aux_pow: header.isAuxPow,
    },
    size_bytes: sizeBytes,
    transactions: transactions.map(({ txid, spends, outputs }) => ({
      txid,
      spends,
      outputs: outputs.map(({ vout, valueBaseUnits, scriptHex }) => {
        return { vout, base_units: valueBaseUnits, script: scriptHex, address: addressOf(scriptHex) };
      }),
    })),
  };
}

function blockText(network: string, { header, size_bytes, transactions }: ShownBlock, crypto: UtxoCoin): string {
  const details = { network, ...header, size: `${size_bytes} bytes`, transactions: transactions.length };
  const headerLines = Object.entries(details).map(([name, value]) => `${name.padEnd(20)}${shownDetail(name, value)}`);
  const bodies = transactions.flatMap(({ txid, outputs }) => [
    txid,
    ...outputs.map(({ vout, base_units, script, address }) => {
      const amount = `${formatCoins(base_units, ASSETS[crypto].decimals)} ${crypto}`;
      return `  ${String(vout).padStart(4)}  ${amount.padEnd(24)}  ${address ?? `script ${script}`}`;
    }),
  ]);
  return [...headerLines, '', ...bodies].join('\n');
}

function shownDetail(name: string, value: string | number | boolean | null): string {
  if (name === 'hash' && value === null) return 'not computed for this coin';
  return name === 'merkle_root' ? `${value} (matches the transactions)` : String(value);
}
