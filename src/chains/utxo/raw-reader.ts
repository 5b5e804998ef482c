import { hash } from 'node:crypto';

/** How a coin's serialisation differs from that of original Bitcoin (2009). */
export interface RawFormat {
  /** BIP 144 marker, flag and witnesses. */
  readonly segwit: boolean;
  /** Litecoin MWEB (LIP 2-4): transaction flag 0x08, extension block after the transactions. */
  readonly mweb: boolean;
  /** Merged mining: an AuxPoW proof follows the header when version bit 0x100 is set. */
  readonly auxPow: boolean;
  /** Dash DIP 2: the upper 16 version bits are a type; typed transactions end with a payload. */
  readonly specialTransactions: boolean;
}

const plain: RawFormat = { segwit: false, mweb: false, auxPow: false, specialTransactions: false };

export const BITCOIN_FORMAT: RawFormat = { ...plain, segwit: true };
export const LITECOIN_FORMAT: RawFormat = { ...plain, segwit: true, mweb: true };
export const DOGECOIN_FORMAT: RawFormat = { ...plain, auxPow: true };
export const DASH_FORMAT: RawFormat = { ...plain, specialTransactions: true };

/** Cursor over Bitcoin-serialised bytes: little-endian integers and CompactSize lengths. */
export interface RawReader {
  /** Index of the next byte. */
  position(): number;
  remaining(): number;
  /** Moves to another byte. */
  seek(position: number): void;
  /** The next byte without consuming it. */
  peek(): number;
  uint8(): number;
  uint32(): number;
  int32(): number;
  /** An unsigned 64-bit amount; a bigint, because amounts above 2^53 exist (Dogecoin). */
  uint64(): bigint;
  /** CompactSize ("varint"): a count or length. */
  count(): number;
  skip(length: number): void;
  bytes(length: number): Uint8Array;
  hex(length: number): string;
  /** A 32-byte hash in hex, with the byte order reversed for display. */
  hash(): string;
}

/** The bytes do not match the expected format; the message states the position. */
export class UnreadableDataError extends Error {
  override readonly name = 'UnreadableDataError';
}

/** Decodes hex strictly: `Buffer.from` alone silently stops at the first bad digit. */
export function bytesOfHex(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new UnreadableDataError('the data is not valid hex');
  return bytes;
}

export function createRawReader(data: Buffer): RawReader {
  let at = 0;

  function take(length: number): number {
    const from = at;
    if (!Number.isSafeInteger(length) || length < 0 || from + length > data.length) {
      throw new UnreadableDataError(`data ends at byte ${data.length}; expected ${length} bytes at ${from}`);
    }
    at += length;
    return from;
  }

  function count(): number {
    const first = data.readUInt8(take(1));
    if (first < 0xfd) return first;
    if (first === 0xfd) return data.readUInt16LE(take(2));
    if (first === 0xfe) return data.readUInt32LE(take(4));
    return Number(data.readBigUInt64LE(take(8)));
  }

  return {
    position: () => at,
    remaining: () => data.length - at,
    seek: (position) => {
      at = position;
    },
    peek: () => {
      const next = data[at];
      if (next === undefined) throw new UnreadableDataError(`data ends at byte ${data.length}`);
      return next;
    },
    uint8: () => data.readUInt8(take(1)),
    uint32: () => data.readUInt32LE(take(4)),
    int32: () => data.readInt32LE(take(4)),
    uint64: () => data.readBigUInt64LE(take(8)),
    count,
    skip: (length) => void take(length),
    bytes: (length) => {
      const from = take(length);
      return data.subarray(from, from + length);
    },
    hex: (length) => {
      const from = take(length);
      return data.toString('hex', from, from + length);
    },
    hash: () => {
      const from = take(32);
      return hashText(data.subarray(from, from + 32));
    },
  };
}

/** The bytes [`start`, `end`) in hex. */
export function hexOf(data: Uint8Array, start: number, end: number): string {
  return Buffer.from(data.buffer, data.byteOffset + start, end - start).toString('hex');
}

/** SHA-256d (double SHA-256), used for transaction ids and merkle trees. */
export function doubleSha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** A hash as shown by explorers and RPC: reversed bytes in hex. */
export function hashText(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString('hex');
}
