import { sha256 } from '@noble/hashes/sha2.js';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { UtxoChainParams } from './chain-params.ts';
import { readBlock } from './raw-block.ts';
import { bytesOfHex, createRawReader, hashText } from './raw-reader.ts';
import type { RawTransaction } from './raw-transaction.ts';

/** A block for display: its header and its transactions as the watcher reads them. */
export interface DecodedBlock {
  readonly header: BlockHeader;
  readonly sizeBytes: number;
  readonly transactions: readonly RawTransaction[];
}

export interface BlockHeader {
  /** Null on coins whose block hash is not SHA-256d (Dash: X11). */
  readonly hash: string | null;
  readonly version: number;
  readonly previousBlockHash: string;
  /** Verified against the transactions. */
  readonly merkleRoot: string;
  /** Block time as set by the miner, in Unix seconds. */
  readonly timeSeconds: number;
  /** Compact target in hex, as in `getblockheader`. */
  readonly bits: string;
  readonly nonce: number;
  /** Merge-mined: the proof of work belongs to a block of the parent chain. */
  readonly isAuxPow: boolean;
}

const HEADER_BYTES = 80;
/** Set when an AuxPoW proof follows the header; also used in `raw-block.ts`. */
const AUXPOW_VERSION_BIT = 0x100;
/** Coins whose block hash is not the double SHA-256 of the header. */
const OTHER_HASHES: ReadonlySet<CryptoSymbol> = new Set(['DASH']);

/**
 * Decodes a raw block in hex with the same reader as the watcher. Throws `UnreadableDataError` like
 * `readBlock`, also when the transactions do not match the merkle root.
 */
export function decodeBlock(hex: string, params: Pick<UtxoChainParams, 'asset' | 'format'>): DecodedBlock {
  const { transactions } = readBlock(hex, params.format);
  const data = bytesOfHex(hex);
  const reader = createRawReader(data);
  const version = reader.int32();
  const previousBlockHash = reader.hash();
  const merkleRoot = reader.hash();
  const timeSeconds = reader.uint32();
  const bits = reader.uint32().toString(16).padStart(8, '0');
  const nonce = reader.uint32();
  const hash = OTHER_HASHES.has(params.asset) ? null : hashText(sha256(sha256(data.subarray(0, HEADER_BYTES))));
  const isAuxPow = params.format.auxPow && (version & AUXPOW_VERSION_BIT) !== 0;
  return {
    header: { hash, version, previousBlockHash, merkleRoot, timeSeconds, bits, nonce, isAuxPow },
    sizeBytes: data.length,
    transactions,
  };
}
