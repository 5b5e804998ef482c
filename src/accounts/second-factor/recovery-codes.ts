import { createHash, randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';

const RECOVERY_CODES = 10;

/** Replaces all recovery codes with new ones and returns them; they cannot be shown again. */
export async function replaceRecoveryCodes(
  trx: Transaction<Database>,
  userId: string,
  now: UnixMs,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await deleteRecoveryCodes(trx, userId);
  await trx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code), created_at: new Date(now) })))
    .execute();
  return codes;
}

export async function deleteRecoveryCodes(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
}

/** Marks a code as used. False when it is not a code of the user, or was used before. */
export async function spendRecoveryCode(
  trx: Transaction<Database>,
  { userId, code, now }: { userId: string; code: string; now: UnixMs },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_code')
    .set({ used_at: new Date(now) })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** SQL for the number of unused codes of the user in the row of `merchant_user`. */
export function recoveryCodesLeft() {
  return sql<number>`(
    select count(*) from recovery_code where recovery_code.user_id = merchant_user.id and used_at is null
  )`;
}

// Helpers

/** Crockford's base32: no characters that are easily confused. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits, so that a fast hash is enough even if the table leaks. */
const CODE_CHARACTERS = 16;

/** Four groups of four, easy to copy. */
function newCode(): string {
  const characters = [...randomBytes(CODE_CHARACTERS)].map((byte) => ALPHABET.charAt(byte & 31)).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Ignores case, spaces and hyphens, and accepts letters that look like digits. */
function hashOf(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  return createHash('sha256').update(`${userId}:${plain}`).digest('hex');
}
