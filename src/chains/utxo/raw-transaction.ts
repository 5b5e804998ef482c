import { sha256 } from '@noble/hashes/sha2.js';
import type { RawFormat } from './raw-format.ts';
import type { RawReader } from './raw-reader.ts';
import { bytesOfHex, createRawReader, hashText, UnreadableDataError } from './raw-reader.ts';

/** What the watcher needs of a transaction: its id, what it spends and what it pays. */
export interface RawTransaction {
  /**
   * Hash of the transaction without witnesses (BIP 144). A transaction that lives wholly inside Litecoin's MWEB
   * has neither inputs nor outputs here, and the node knows it by another id.
   */
  readonly txid: string;
  /** Outpoints `txid:vout`; empty for a coinbase. */
  readonly spends: readonly string[];
  readonly outputs: readonly RawOutput[];
}

export interface RawOutput {
  readonly vout: number;
  readonly scriptHex: string;
  readonly valueBaseUnits: bigint;
}

const WITNESS_FLAG = 0x01;
const MWEB_FLAG = 0x08;
const LOCKTIME_BYTES = 4;
const COINBASE_TXID = '0'.repeat(64);

/** Reads one transaction as `getrawtransaction` gives it. Throws `UnreadableDataError`. */
export function readTransaction(hex: string, format: RawFormat): RawTransaction {
  const data = bytesOfHex(hex);
  const reader = createRawReader(data);
  const transaction = readNextTransaction(reader, data, format, 'alone');
  if (reader.remaining() !== 0) throw new UnreadableDataError(`${reader.remaining()} bytes follow the transaction`);
  return transaction;
}

/**
 * Reads the transaction at the reader's position. The body of an MWEB transaction has no length prefix, but it
 * only ever travels alone (mempool), where everything up to the lock time belongs to it; in blocks it is empty.
 */
export function readNextTransaction(
  reader: RawReader,
  data: Buffer,
  format: RawFormat,
  place: 'alone' | 'in block',
): RawTransaction {
  const start = reader.position();
  const version = reader.int32();
  const flags = format.segwit && reader.peek() === 0 ? readFlags(reader, format) : 0;

  const coreStart = reader.position();
  const spends = readInputs(reader);
  const outputs = readOutputs(reader);
  const coreEnd = reader.position();

  if ((flags & WITNESS_FLAG) !== 0) skipWitnesses(reader, spends.length);
  if ((flags & MWEB_FLAG) !== 0) skipMwebBody(reader, place);
  const locktimeStart = reader.position();
  reader.skip(LOCKTIME_BYTES);
  if (format.specialTransactions && hasPayload(version)) reader.skip(reader.count());

  const digest = sha256.create();
  if (flags === 0) {
    digest.update(data.subarray(start, reader.position()));
  } else {
    digest.update(data.subarray(start, start + 4));
    digest.update(data.subarray(coreStart, coreEnd));
    digest.update(data.subarray(locktimeStart, locktimeStart + LOCKTIME_BYTES));
  }
  return {
    txid: hashText(sha256(digest.digest())),
    spends: spends.filter((outpoint) => !outpoint.startsWith(COINBASE_TXID)),
    outputs,
  };
}

function readFlags(reader: RawReader, format: RawFormat): number {
  reader.skip(1);
  const flags = reader.uint8();
  const known = WITNESS_FLAG | (format.mweb ? MWEB_FLAG : 0);
  if (flags === 0 || (flags & ~known) !== 0) {
    throw new UnreadableDataError(`transaction flag 0x${flags.toString(16)} is unknown for this coin`);
  }
  return flags;
}

function readInputs(reader: RawReader): string[] {
  const count = reader.count();
  const spends: string[] = [];
  for (let index = 0; index < count; index += 1) {
    spends.push(`${reader.hash()}:${reader.uint32()}`);
    reader.skip(reader.count());
    reader.skip(4);
  }
  return spends;
}

function readOutputs(reader: RawReader): RawOutput[] {
  const count = reader.count();
  const outputs: RawOutput[] = [];
  for (let vout = 0; vout < count; vout += 1) {
    const valueBaseUnits = reader.uint64();
    outputs.push({ vout, valueBaseUnits, scriptHex: reader.hex(reader.count()) });
  }
  return outputs;
}

function skipWitnesses(reader: RawReader, inputs: number): void {
  for (let index = 0; index < inputs; index += 1) {
    const items = reader.count();
    for (let item = 0; item < items; item += 1) reader.skip(reader.count());
  }
}

function skipMwebBody(reader: RawReader, place: 'alone' | 'in block'): void {
  const present = reader.uint8();
  if (present === 0) return;
  if (place === 'in block') throw new UnreadableDataError('an MWEB transaction body inside a block');
  reader.skip(reader.remaining() - LOCKTIME_BYTES);
}

function hasPayload(version: number): boolean {
  return (version & 0xffff) >= 3 && version >>> 16 !== 0;
}
