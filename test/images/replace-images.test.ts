import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Image, imageIdOf, readImage, replaceImages } from '../../src/images/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { IMAGES } from './samples.ts';

const [one, other] = [readImage(IMAGES.PNG), readImage(IMAGES.JPEG)];
/** Enough for transactions that lock in another order to deadlock. */
const EXCHANGES = 30;

describeDatabases('replaced images', (database) => {
  const replace = (old: Image | null, image: Image | null, now: number) =>
    database()
      .db.transaction()
      .execute((trx) => replaceImages(trx, [{ oldId: old === null ? null : imageIdOf(old), image }], now));

  test('are as new as the ones in their place, and are stored once', async () => {
    await replace(null, one, 1_000);
    await replace(one, other, 2_000);
    await replace(other, other, 3_000);
    const { rows } = await sql<{ id: string; at: Date }>`select id, created_at as at from image`.execute(database().db);
    expect(new Map(rows.map(({ id, at }) => [id, new Date(at).getTime()]))).toEqual(
      new Map([
        [imageIdOf(one), 2_000],
        [imageIdOf(other), 3_000],
      ]),
    );
  });

  test('may be exchanged by transactions at the same time', async () => {
    const exchanges = Array.from({ length: EXCHANGES }, (_, index) =>
      index % 2 === 0 ? replace(one, other, 1_000 + index) : replace(other, one, 1_000 + index),
    );
    await Promise.all(exchanges);
    const { rows } = await sql<{ id: string }>`select id from image order by id`.execute(database().db);
    expect(rows.map(({ id }) => id)).toEqual([imageIdOf(one), imageIdOf(other)].sort());
  });
});
