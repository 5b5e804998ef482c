import { revokeKey } from '../../merchants/index.ts';
import { printResult, timeText } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { changing, withMerchant } from './context.ts';

/** `quittance key revoke`: revokes a key immediately, on every process. */
export async function keyRevoke({ merchant: merchantName, key: keyId, json }: KeyValues['revoke']): Promise<void> {
  const revokedAt = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => revokeKey(change, { merchantId, keyId })),
  );
  printResult(json, { key_id: keyId, revoked_at: timeText(revokedAt) }, () => `${keyId} does not work any more`);
}
