import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { JournalEntry } from './stored.ts';

/**
 * The whole journal of an archived actor, of the bytes it is stored as. Their first byte names the form:
 *
 * - 1: JSON under brotli, as the service itself packed it once
 * - 2: JSON, as the database packs it (`archive_actors`); it compresses such a value itself
 *
 * The database packs what it deletes: a form that it could not write would have to be taken on trust. Throws when the bytes are of
 * another form.
 */
export async function unpackJournal(bytes: Uint8Array): Promise<JournalEntry[]> {
  const rows = JSON.parse(await textOf(bytes)) as readonly (readonly unknown[])[];
  return rows.map(
    (row) => Object.fromEntries(FIELDS.map((field, place) => [field, row[place]])) as unknown as JournalEntry,
  );
}

// Helpers

const decompress: (bytes: Uint8Array) => Promise<Buffer> = promisify(brotliDecompress);

const BROTLI_JSON = 1;
const JSON_TEXT = 2;

/** Their order is that of both forms: a field may be added at the end and none be moved. */
const FIELDS = [
  'sequence',
  'eventId',
  'event',
  'outcome',
  'state',
  'version',
  'at',
  'error',
] as const satisfies readonly (keyof JournalEntry)[];

async function textOf(bytes: Uint8Array): Promise<string> {
  const [form, packed] = [bytes[0], bytes.subarray(1)];
  if (form === BROTLI_JSON) return (await decompress(packed)).toString();
  if (form === JSON_TEXT) return Buffer.from(packed).toString();
  throw new Error(`an archived journal has the unknown form ${form}`);
}
