import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { JournalEntry } from './stored.ts';

/**
 * Decodes the journal of an archived actor. The first byte names the format:
 *
 * - 1: JSON compressed with brotli, as earlier versions of the service wrote it
 * - 2: JSON as the database writes it (`archive_actors`); Postgres compresses such values itself
 *
 * The database encodes the rows it deletes, so only formats it can write itself are used now: it
 * need not trust the service. Throws for any other format.
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

/** Field order of both formats: fields may be appended, never reordered. */
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
