import type { JournalEntry } from './stored-types.ts';

/**
 * Decodes the journal of an archived actor: a byte that names the format, and JSON as the database
 * writes it from the rows it deletes (`archive_actors`), so that it need not trust the service.
 * Throws for any other format.
 */
export function unpackJournal(bytes: Uint8Array): JournalEntry[] {
  if (bytes[0] !== JSON_TEXT) throw new Error(`an archived journal has the unknown format ${bytes[0]}`);
  const rows = JSON.parse(Buffer.from(bytes.subarray(1)).toString()) as readonly (readonly unknown[])[];
  return rows.map(
    (row) => Object.fromEntries(FIELDS.map((field, index) => [field, row[index]])) as unknown as JournalEntry,
  );
}

// Helpers

const JSON_TEXT = 2;

/** In order: fields may be appended, never reordered. */
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
