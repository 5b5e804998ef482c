import type { UnixMs } from '../../../machines/index.ts';
import { type Change, writeAudit } from '../audit/audit.ts';
import { type KeyOfMerchant, lockKey } from './key-rows.ts';

/**
 * Revokes a key: from the commit on, no process accepts it. Idempotent. Returns when it was
 * revoked, Unix ms. Throws a `TerminalError` `KEY_NOT_FOUND`.
 */
export async function revokeKey(change: Change, wanted: KeyOfMerchant): Promise<UnixMs> {
  const { trx, now } = change;
  const key = await lockKey(trx, wanted);
  if (key.revoked_at !== null) return key.revoked_at;
  await trx
    .updateTable('api_key')
    .set({ revoked_at: new Date(now) })
    .where('id', '=', key.id)
    .execute();
  await writeAudit(change, { merchantId: key.merchant_id, what: 'api_key.revoked', subjectId: key.id });
  return now;
}
