import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { totpContext } from './totp.ts';

export interface ResealedTotp {
  /** Secrets that were sealed with the previous key and are now sealed with the current one. */
  readonly resealed: number;
  /** Secrets that were already sealed with the current key. */
  readonly current: number;
  /** Users whose secret neither key can open. */
  readonly unreadable: readonly string[];
}

/**
 * Reseals the secrets of all authenticator apps with the current key, until a full pass finds none
 * left: a process that still has the previous key may write to a row already done. May be repeated,
 * and run while the service is running.
 */
export async function resealTotpSecrets(db: Kysely<Database>, box: SecretBox): Promise<ResealedTotp> {
  const first = await resealAll(db, box);
  let { resealed, unreadable } = first;
  for (let found = resealed; found > 0; ) {
    const again = await resealAll(db, box);
    ({ resealed: found, unreadable } = again);
    resealed += found;
  }
  return { resealed, current: first.current, unreadable };
}

// Helpers

async function resealAll(db: Kysely<Database>, box: SecretBox): Promise<ResealedTotp> {
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

function openOrNull(box: SecretBox, sealed: string, context: string): string | null {
  try {
    return box.open(sealed, context);
  } catch (error) {
    if (error instanceof TerminalError) return null;
    throw error;
  }
}
