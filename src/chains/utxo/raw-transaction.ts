import {
  bytesOfHex,
  createRawReader,
  doubleSha256,
  hashText,
  type RawFormat,
  type RawReader,
  UnreadableDataError,
} from './raw-reader.ts';

/** The parts of a transaction that the watcher needs. */
export interface RawTransaction {
  /**
   * Hash of the transaction without witnesses (BIP 144). A transaction entirely inside Litecoin's
   * MWEB has no inputs or outputs here, and the node uses another id for it.
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
const VERSION_BYTES = 4;
const OUTPOINT_BYTES = 36;
const SEQUENCE_BYTES = 4;
const VALUE_BYTES = 8;
const LOCKTIME_BYTES = 4;
const COINBASE_TXID = '0'.repeat(64);

/** Parses one transaction as returned by `getrawtransaction`. Throws `UnreadableDataError`. */
export function readTransaction(hex: string, format: RawFormat): RawTransaction {
  const data = bytesOfHex(hex);
  const reader = createRawReader(data);
  const offsets = readNextTransaction(reader, data, format, 'alone');
  if (reader.remaining() !== 0) throw new UnreadableDataError(`${reader.remaining()} bytes follow the transaction`);
  const { txid, spends, outputs } = toTransaction(reader, offsets);
  return { txid, spends, outputs };
}

/** Byte offsets of a transaction's parts, and its hash. */
export interface TransactionOffsets {
  readonly hash: Uint8Array;
  readonly inputsAt: number;
  readonly outputsAt: number;
}

/**
 * Reads the transaction at the reader's position. An MWEB transaction body has no length prefix,
 * but occurs only in standalone (mempool) transactions, where it ends at the lock time; in blocks
 * it is empty.
 */
export function readNextTransaction(
  reader: RawReader,
  data: Buffer,
  format: RawFormat,
  context: 'alone' | 'in block',
): TransactionOffsets {
  const start = reader.position();
  const version = reader.int32();
  const flags = format.segwit && reader.peek() === 0 ? readFlags(reader, format) : 0;

  const inputsAt = reader.position();
  const inputs = skipInputs(reader);
  const outputsAt = reader.position();
  skipOutputs(reader);
  const coreEnd = reader.position();

  if ((flags & WITNESS_FLAG) !== 0) skipWitnesses(reader, inputs);
  if ((flags & MWEB_FLAG) !== 0) skipMwebBody(reader, context);
  const locktimeStart = reader.position();
  reader.skip(LOCKTIME_BYTES);
  if (format.specialTransactions && hasPayload(version)) reader.skip(reader.count());

  const hashed =
    flags === 0
      ? data.subarray(start, reader.position())
      : Buffer.concat([
          data.subarray(start, start + VERSION_BYTES),
          data.subarray(inputsAt, coreEnd),
          data.subarray(locktimeStart, locktimeStart + LOCKTIME_BYTES),
        ]);
  return { hash: doubleSha256(hashed), inputsAt, outputsAt };
}

/**
 * A lazily parsed transaction: of the thousands in a block, hardly one is relevant. Keeps a
 * reference to the reader and its bytes.
 */
export function toTransaction(reader: RawReader, { hash, inputsAt, outputsAt }: TransactionOffsets): RawTransaction {
  let txid: string | undefined;
  let spends: readonly string[] | undefined;
  let outputs: readonly RawOutput[] | undefined;
  const at = (position: number) => {
    reader.seek(position);
    return reader;
  };
  return {
    get txid() {
      txid ??= hashText(hash);
      return txid;
    },
    get spends() {
      spends ??= readInputs(at(inputsAt)).filter((outpoint) => !outpoint.startsWith(COINBASE_TXID));
      return spends;
    },
    get outputs() {
      outputs ??= readOutputs(at(outputsAt), () => true);
      return outputs;
    },
  };
}

/** Tests the script in the bytes [`start`, `end`). */
export type ScriptTest = (data: Uint8Array, start: number, end: number) => boolean;

/** The outputs at the reader's position whose scripts pass; creates no strings for the others. */
export function readOutputs(reader: RawReader, passes: (start: number, end: number) => boolean): RawOutput[] {
  const count = reader.count();
  const outputs: RawOutput[] = [];
  for (let vout = 0; vout < count; vout += 1) {
    const valueAt = reader.position();
    reader.skip(VALUE_BYTES);
    const length = reader.count();
    const start = reader.position();
    reader.skip(length);
    if (!passes(start, start + length)) continue;
    reader.seek(valueAt);
    const valueBaseUnits = reader.uint64();
    reader.seek(start);
    outputs.push({ vout, valueBaseUnits, scriptHex: reader.hex(length) });
  }
  return outputs;
}

// Helpers

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
    reader.skip(SEQUENCE_BYTES);
  }
  return spends;
}

/** Returns the number of inputs. */
function skipInputs(reader: RawReader): number {
  const count = reader.count();
  for (let index = 0; index < count; index += 1) {
    reader.skip(OUTPOINT_BYTES);
    reader.skip(reader.count());
    reader.skip(SEQUENCE_BYTES);
  }
  return count;
}

function skipOutputs(reader: RawReader): void {
  const count = reader.count();
  for (let index = 0; index < count; index += 1) {
    reader.skip(VALUE_BYTES);
    reader.skip(reader.count());
  }
}

function skipWitnesses(reader: RawReader, inputs: number): void {
  for (let index = 0; index < inputs; index += 1) {
    const items = reader.count();
    for (let item = 0; item < items; item += 1) reader.skip(reader.count());
  }
}

function skipMwebBody(reader: RawReader, context: 'alone' | 'in block'): void {
  const present = reader.uint8();
  if (present === 0) return;
  if (context === 'in block') throw new UnreadableDataError('an MWEB transaction body inside a block');
  reader.skip(reader.remaining() - LOCKTIME_BYTES);
}

function hasPayload(version: number): boolean {
  return (version & 0xffff) >= 3 && version >>> 16 !== 0;
}
