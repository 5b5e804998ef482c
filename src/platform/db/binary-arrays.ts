/**
 * Encodes the arrays of a statement's values in Postgres' binary form, where its text states their
 * type: `$1::text[]`, `$2::int8[]`, `$3::int4[]`. The text form puts a backslash before each quote
 * of each JSON document, which the server must remove again; here bytes are only copied. All other
 * values are unchanged.
 */
export type EncodeValues = (values: readonly unknown[]) => unknown[];

export function arrayEncoderOf(text: string): EncodeValues {
  const byIndex = new Map<number, EncodeArray>();
  for (const [, parameter, type] of text.matchAll(TYPED_ARRAY)) {
    const encode = ENCODERS[type as keyof typeof ENCODERS];
    byIndex.set(Number(parameter) - 1, encode);
  }
  return (values) =>
    values.map((value, index) => {
      const encode = Array.isArray(value) ? byIndex.get(index) : undefined;
      return encode === undefined ? value : (encode(value as readonly unknown[]) ?? value);
    });
}

// Helpers

/** Null when the array holds values of another type. */
type EncodeArray = (values: readonly unknown[]) => Buffer | null;

const TYPED_ARRAY = /\$(\d+)::(text|int8|int4)\[\]/g;
const [INT8_OID, INT4_OID, TEXT_OID] = [20, 23, 25];
const ENCODERS = { text: encodeTexts, int8: encodeInt8s, int4: encodeInt4s };
/** Dimensions, whether there are nulls, type, length, lower bound. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

function encodeTexts(values: readonly unknown[]): Buffer | null {
  const lengths = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : NULL_LENGTH));
  if (values.some((value) => typeof value !== 'string' && value !== null && value !== undefined)) return null;
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), 0);
  const array = begin(values, TEXT_OID, bytes);
  let at = HEADER_BYTES;
  for (const [index, length] of lengths.entries()) {
    at = array.writeInt32BE(length, at);
    if (length === NULL_LENGTH) continue;
    const value = values[index] as string;
    // As many bytes as characters: all are ASCII, and copying them is ten times as fast.
    array.write(value, at, length === value.length ? 'latin1' : 'utf8');
    at += length;
  }
  return array;
}

function encodeInt8s(values: readonly unknown[]): Buffer | null {
  return encodeNumbers(values, { oid: INT8_OID, size: 8 }, (array, value, at) => {
    const high = Math.floor(value / WORD);
    array.writeInt32BE(high, at);
    array.writeUInt32BE(value - high * WORD, at + 4);
  });
}

function encodeInt4s(values: readonly unknown[]): Buffer | null {
  if (values.some((value) => typeof value === 'number' && value !== (value | 0))) return null;
  return encodeNumbers(values, { oid: INT4_OID, size: 4 }, (array, value, at) => array.writeInt32BE(value, at));
}

const WORD = 2 ** 32;

function encodeNumbers(
  values: readonly unknown[],
  { oid, size }: { readonly oid: number; readonly size: number },
  write: (array: Buffer, value: number, at: number) => void,
): Buffer | null {
  if (values.some((value) => value !== null && value !== undefined && !Number.isSafeInteger(value))) return null;
  const nulls = values.reduce((count: number, value) => count + (typeof value === 'number' ? 0 : 1), 0);
  const array = begin(values, oid, values.length * (LENGTH_BYTES + size) - nulls * size);
  let at = HEADER_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(typeof value === 'number' ? size : NULL_LENGTH, at);
    if (typeof value !== 'number') continue;
    write(array, value, at);
    at += size;
  }
  return array;
}

/** An array of one dimension with its header; one without elements has no dimension. */
function begin(values: readonly unknown[], oid: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(values.some((value) => value === null || value === undefined) ? 1 : 0, 4);
  array.writeInt32BE(oid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  return array;
}
