import { sha256 } from '@noble/hashes/sha2.js';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { UtxoChainParams } from './chain-params.ts';
import { readBlock } from './raw-block.ts';
import { bytesOfHex, createRawReader, hashText } from './raw-reader.ts';
import type { RawTransaction } from './raw-transaction.ts';

/** A block as a person wants to see it: what the watcher reads of it, and the facts of its header. */
export interface DecodedBlock {
  readonly header: BlockHeader;
  readonly sizeBytes: number;
  readonly transactions: readonly RawTransaction[];
}

export interface BlockHeader {
  /** Null where the header is hashed with something else than SHA-256 (Dash: X11). */
  readonly hash: string | null;
  readonly version: number;
  readonly previousBlockHash: string;
  /** The transactions add up to it, or the block would have been refused. */
  readonly merkleRoot: string;
  /** The miner's claim, in seconds since 1970. */
  readonly timeSeconds: number;
  /** The compact form of the target (hex, as in `getblockheader`). */
  readonly bits: string;
  readonly nonce: number;
  /** Merged mining: the proof of work is that of another chain's block. */
  readonly isAuxPow: boolean;
}

const HEADER_BYTES = 80;
/** Says that a proof follows the header; `raw-block.ts` goes by it too. */
const AUXPOW_VERSION_BIT = 0x100;
/** Coins whose block ids are not the double SHA-256 of the header. */
const OTHER_HASHES: ReadonlySet<CryptoSymbol> = new Set(['DASH']);

/**
 * Takes a raw block apart with the very reader that watches the chain. Throws `UnreadableDataError` like `readBlock`, also
 * when the transactions do not add up to the merkle root.
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
