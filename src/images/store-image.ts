import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { Image } from './read-image.ts';

/**
 * Stores an image and returns its id. The same bytes are stored once. Storing them again locks the
 * row and renews its age, so that cleaning up cannot delete it before the transaction that refers
 * to it commits.
 */
export async function saveImage(trx: Transaction<Database>, image: Image, now: UnixMs): Promise<string> {
  const id = imageIdOf(image);
  await trx
    .insertInto('image')
    .values({ id, content_type: image.contentType, bytes: image.bytes, created_at: new Date(now) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ created_at: new Date(now) }))
    .execute();
  return id;
}

/**
 * Stores images in place of others, and renews the age of the replaced ones: emails and open pages
 * still refer to them. Null for no image. Call it before the row that refers to them is locked, and
 * once for all images that a transaction replaces: images are locked in the order of their ids, so
 * that two transactions that exchange images cannot deadlock.
 */
export async function replaceImages(
  trx: Transaction<Database>,
  replacements: readonly { readonly oldId: string | null; readonly image: Image | null }[],
  now: UnixMs,
): Promise<void> {
  const writes = new Map<string, () => Promise<unknown>>();
  for (const { oldId } of replacements) if (oldId !== null) writes.set(oldId, () => renewImage(trx, oldId, now));
  for (const { image } of replacements)
    if (image !== null) writes.set(imageIdOf(image), () => saveImage(trx, image, now));
  for (const id of [...writes.keys()].sort()) await writes.get(id)?.();
}

/** The id of an image: the SHA-256 of its bytes, in hex. */
export function imageIdOf({ bytes }: Image): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The image with that id; null when there is none. */
export async function findImage({ db }: { readonly db: Kysely<Database> }, id: string): Promise<Image | null> {
  if (!ID.test(id)) return null;
  const row = await db.selectFrom('image').select(['content_type', 'bytes']).where('id', '=', id).executeTakeFirst();
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

async function renewImage(trx: Transaction<Database>, id: string, now: UnixMs): Promise<void> {
  await trx
    .updateTable('image')
    .set({ created_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}
