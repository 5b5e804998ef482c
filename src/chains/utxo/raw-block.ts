import {
  bytesOfHex,
  createRawReader,
  doubleSha256,
  hashText,
  type RawFormat,
  type RawReader,
  UnreadableDataError,
} from './raw-reader.ts';
import {
  type RawOutput,
  type RawTransaction,
  readNextTransaction,
  readOutputs,
  type ScriptTest,
  type TransactionOffsets,
  toTransaction,
} from './raw-transaction.ts';

export interface RawHeader {
  readonly version: number;
  readonly previousBlockHash: string;
  readonly merkleRoot: string;
  /** Block time as set by the miner, in Unix seconds; may be up to two hours in the future. */
  readonly timeSeconds: number;
  /** Compact target. */
  readonly bits: number;
  readonly nonce: number;
  /** Merge-mined: the proof of work belongs to a block of the parent chain and follows. */
  readonly isAuxPow: boolean;
}

export interface RawBlock extends Pick<RawHeader, 'previousBlockHash' | 'timeSeconds'> {
  readonly transactions: readonly RawTransaction[];
  /** Transactions with outputs whose scripts pass, and these outputs. Cheaper than reading all. */
  paying(passes: ScriptTest): BlockPayment[];
}

export interface BlockPayment {
  readonly transaction: RawTransaction;
  readonly outputs: readonly RawOutput[];
}

const AUXPOW_VERSION_BIT = 0x100;
export const HEADER_BYTES = 80;
const HASH_BYTES = 32;

/** Reads the 80 bytes of a header. */
export function readHeader(reader: RawReader, format: Pick<RawFormat, 'auxPow'>): RawHeader {
  const version = reader.int32();
  return {
    version,
    previousBlockHash: reader.hash(),
    merkleRoot: reader.hash(),
    timeSeconds: reader.uint32(),
    bits: reader.uint32(),
    nonce: reader.uint32(),
    isAuxPow: format.auxPow && (version & AUXPOW_VERSION_BIT) !== 0,
  };
}

/**
 * Parses a block as returned by `getblock <hash> false`. The block hash is not computed (Dash uses
 * X11); the caller knows it. Throws `UnreadableDataError`, also when the transactions do not match
 * the header's merkle root: the format is then not understood, and guessing would lose payments.
 */
export function readBlock(hex: string, format: RawFormat): RawBlock {
  const data = bytesOfHex(hex);
  const reader = createRawReader(data);
  const { previousBlockHash, merkleRoot, timeSeconds, isAuxPow } = readHeader(reader, format);
  if (isAuxPow) skipAuxPow(reader, data, format);

  const count = reader.count();
  const offsets: TransactionOffsets[] = [];
  for (let index = 0; index < count; index += 1) offsets.push(readNextTransaction(reader, data, format, 'in block'));
  // Litecoin appends the MWEB extension block, which cannot pay a watched address.
  if (reader.remaining() !== 0 && !format.mweb) {
    throw new UnreadableDataError(`${reader.remaining()} bytes follow the block`);
  }
  const computed = merkleRootOf(offsets.map(({ hash }) => hash));
  if (computed !== merkleRoot) {
    throw new UnreadableDataError(`the transactions have merkle root ${computed}, the header has ${merkleRoot}`);
  }
  let transactions: readonly RawTransaction[] | undefined;
  return {
    previousBlockHash,
    timeSeconds,
    get transactions() {
      transactions ??= offsets.map((transactionOffsets) => toTransaction(reader, transactionOffsets));
      return transactions;
    },
    paying(passes) {
      const found: BlockPayment[] = [];
      for (const transactionOffsets of offsets) {
        reader.seek(transactionOffsets.outputsAt);
        const outputs = readOutputs(reader, (start, end) => passes(data, start, end));
        if (outputs.length > 0) found.push({ transaction: toTransaction(reader, transactionOffsets), outputs });
      }
      return found;
    },
  };
}

// Helpers

/** Skips the parent's coinbase, block hash, two merkle branches and the parent header. */
function skipAuxPow(reader: RawReader, data: Buffer, format: RawFormat): void {
  // The parent chain may use segwit even if this one does not. A coinbase always has an input, so a
  // 0 byte here can only be the segwit marker (BIP 144).
  readNextTransaction(reader, data, { ...format, segwit: true }, 'in block');
  reader.skip(32);
  for (const _branch of ['coinbase', 'chain']) {
    reader.skip(reader.count() * 32);
    reader.skip(4);
  }
  reader.skip(HEADER_BYTES);
}

function merkleRootOf(hashes: readonly Uint8Array[]): string {
  let level = hashes;
  while (level.length > 1) level = pairUp(level);
  const root = level[0];
  if (root === undefined) throw new UnreadableDataError('a block without transactions');
  return hashText(root);
}

/** The next level of the tree; the last of an odd number of hashes is paired with itself. */
function pairUp(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = [];
  const pair = new Uint8Array(2 * HASH_BYTES);
  for (const [index, left] of level.entries()) {
    if (index % 2 !== 0) continue;
    pair.set(left);
    pair.set(level[index + 1] ?? left, HASH_BYTES);
    next.push(doubleSha256(pair));
  }
  return next;
}
