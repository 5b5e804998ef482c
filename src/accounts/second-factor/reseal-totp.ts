import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { openOrNull, type Resealed, resealUntilDone, type SecretBox } from '../../platform/secrets/index.ts';
import { totpContext } from './totp.ts';

/**
 * Reseals the secrets of all authenticator apps with the current key. `unreadable` are users. May
 * be repeated, and run while the service is running.
 */
export async function resealTotpSecrets(db: Kysely<Database>, box: SecretBox): Promise<Resealed> {
  return resealUntilDone(() => resealAll(db, box));
}

// Helpers

async function resealAll(db: Kysely<Database>, box: SecretBox): Promise<Resealed> {
  const sum = { resealed: 0, current: 0, unreadable: [] as string[] };
  const rows = await db
    .selectFrom('merchant_user')
    .select('id')
    .where('sealed_totp_secret', 'is not', null)
    .orderBy('id')
    .execute();
  for (const { id } of rows) {
    const result = await resealOne(db, box, id);
    if (result === 'unreadable') sum.unreadable.push(id);
    else if (result !== 'gone') sum[result] += 1;
  }
  return sum;
}

/** Locks the row, so that a secret replaced by its owner is not overwritten. */
async function resealOne(
  db: Kysely<Database>,
  box: SecretBox,
  userId: string,
): Promise<'resealed' | 'current' | 'unreadable' | 'gone'> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('merchant_user')
      .select('sealed_totp_secret')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    const sealed = row?.sealed_totp_secret ?? null;
    if (sealed === null) return 'gone';
    const secret = openOrNull(box, sealed, totpContext(userId));
    if (secret === null) return 'unreadable';
    if (box.isCurrent(sealed)) return 'current';
    const fresh = box.seal(secret, totpContext(userId));
    await trx.updateTable('merchant_user').set({ sealed_totp_secret: fresh }).where('id', '=', userId).execute();
    return 'resealed';
  });
}
