import { sha256 } from '@noble/hashes/sha2.js';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { UtxoChainParams } from './chain-params.ts';
import { HEADER_BYTES, type RawHeader, readBlock, readHeader } from './raw-block.ts';
import { bytesOfHex, createRawReader, hashText } from './raw-reader.ts';
import type { RawTransaction } from './raw-transaction.ts';

/** A block for display: its header and its transactions as the watcher reads them. */
export interface DescribedBlock {
  readonly header: BlockHeader;
  readonly sizeBytes: number;
  readonly transactions: readonly RawTransaction[];
}

/** A header whose Merkle root was verified against the transactions. */
export interface BlockHeader extends Omit<RawHeader, 'bits'> {
  /** Null on coins whose block hash is not SHA-256d (Dash: X11). */
  readonly hash: string | null;
  /** Compact target in hex, as in `getblockheader`. */
  readonly bits: string;
}

/** Coins whose block hash is not the double SHA-256 of the header. */
const OTHER_HASHES: ReadonlySet<CryptoSymbol> = new Set(['DASH']);

/**
 * Decodes a raw block in hex with the same reader as the watcher. Throws `UnreadableDataError` like
 * `readBlock`, also when the transactions do not match the merkle root.
 */
export function describeBlock(hex: string, params: Pick<UtxoChainParams, 'asset' | 'format'>): DescribedBlock {
  const { transactions } = readBlock(hex, params.format);
  const data = bytesOfHex(hex);
  const header = readHeader(createRawReader(data), params.format);
  const hash = OTHER_HASHES.has(params.asset) ? null : hashText(sha256(sha256(data.subarray(0, HEADER_BYTES))));
  return {
    header: { ...header, hash, bits: header.bits.toString(16).padStart(8, '0') },
    sizeBytes: data.length,
    transactions,
  };
}
