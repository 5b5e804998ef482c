import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';

/** Deletes previous secrets whose rotation overlap has ended. Returns the number deleted. */
export async function forgetPreviousSecrets(db: Kysely<Database>, now: UnixMs): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoint')
    .set({ previous_sealed_secret: null, previous_secret_until: null })
    .where(sql<boolean>`previous_secret_until <= ${new Date(now)}`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
