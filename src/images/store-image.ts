import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../platform/db/index.ts';
import type { Image } from './read-image.ts';

/**
 * Stores an image and returns its id, the SHA-256 of its bytes in hex. The same bytes are stored
 * once. Storing them again locks the row and renews its age, so that cleaning up cannot delete it
 * before the transaction that refers to it commits.
 */
export async function saveImage(
  trx: Transaction<Database>,
  { contentType, bytes }: Image,
  now: UnixMs,
): Promise<string> {
  const id = createHash('sha256').update(bytes).digest('hex');
  await trx
    .insertInto('image')
    .values({ id, content_type: contentType, bytes, created_at: new Date(now) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ created_at: new Date(now) }))
    .execute();
  return id;
}

/** Renews the age of a logo that is being replaced: mails and open pages still refer to it. */
export async function renewImage(trx: Transaction<Database>, id: string | null, now: UnixMs): Promise<void> {
  if (id === null) return;
  await trx
    .updateTable('image')
    .set({ created_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/** The image with that id; null when there is none. */
export async function findImage({ db }: { readonly db: Kysely<Database> }, id: string): Promise<Image | null> {
  if (!ID.test(id)) return null;
  const row = await whileDatabaseAnswers(() =>
    db.selectFrom('image').select(['content_type', 'bytes']).where('id', '=', id).executeTakeFirst(),
  );
  // The embedded database returns plain bytes.
  return row === undefined ? null : { contentType: row.content_type, bytes: Buffer.from(row.bytes) };
}

/** Path of an image from the root of the service, without a leading slash. */
export function imagePath(id: string): string {
  return `images/${id}`;
}

/** The public address of an image; null for none. */
export function imageAddress(publicUrl: string, id: string | null): string | null {
  return id === null ? null : `${publicUrl}/${imagePath(id)}`;
}

// Helpers

const ID = /^[0-9a-f]{64}$/;
