import { DAY_MS, type UnixMs } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { type AuditedChange, writeAudit } from '../audit/audit.ts';
import { requireKeysLeft } from './create-key.ts';
import { type IssuedKey, insertKey, type KeyOfMerchant, lockActiveKey, lockKey } from './key-rows.ts';

/** Longest time for which a key and its successor both work. */
export const MAX_OVERLAP_MS = 30 * DAY_MS;

/**
 * Replaces a key with a new one of the same kind, mode, name and rules. The old key stops working
 * immediately, or after `overlapMs`, so that servers can switch over one by one. Throws a
 * `TerminalError`: `KEY_NOT_FOUND`, `KEY_REVOKED`, `KEY_ROTATED` when it already has a successor,
 * `INVALID_OVERLAP`, and with an overlap `TOO_MANY_KEYS`.
 */
export async function rotateKey(
  change: AuditedChange,
  { overlapMs, ...input }: KeyOfMerchant & { readonly overlapMs: number },
): Promise<IssuedKey> {
  if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
    throw new TerminalError('INVALID_OVERLAP', 'The overlap must be 0 to 30 days');
  }
  const { trx, now } = change;
  if (overlapMs > 0) await requireKeysLeft(change, input.merchantId);
  const old = await lockActiveKey(change, input);
  if (old.retires_at !== null) {
    throw new TerminalError(
      'KEY_ROTATED',
      `The key ${old.id} was already rotated; rotate its successor, or revoke this key`,
    );
  }
  const successor = await insertKey(
    change,
    {
      merchantId: old.merchant_id,
      kind: old.kind,
      mode: old.mode,
      name: old.name,
      allowedCidrs: old.allowed_cidrs,
      oneOpenPaymentPerIp: old.one_open_payment_per_ip,
    },
    { replaces: old.id },
  );
  const end = new Date(now + overlapMs);
  await trx
    .updateTable('api_key')
    .set(overlapMs === 0 ? { revoked_at: end } : { retires_at: end })
    .where('id', '=', old.id)
    .execute();
  await writeAudit(change, {
    merchantId: old.merchant_id,
    what: 'api_key.rotated',
    subjectId: old.id,
    details: { successor: successor.id, works_until: end.toISOString() },
  });
  return successor;
}

export interface Revocation {
  readonly revokedAt: UnixMs;
  /** False when the key was revoked before. */
  readonly isChanged: boolean;
}

/**
 * Revokes a key: from the commit on, no process accepts it. Idempotent. Throws a `TerminalError`
 * `KEY_NOT_FOUND`.
 */
export async function revokeKey(change: AuditedChange, input: KeyOfMerchant): Promise<Revocation> {
  const { trx, now } = change;
  const key = await lockKey(trx, input);
  if (key.revoked_at !== null) return { revokedAt: key.revoked_at, isChanged: false };
  await trx
    .updateTable('api_key')
    .set({ revoked_at: new Date(now) })
    .where('id', '=', key.id)
    .execute();
  await writeAudit(change, { merchantId: key.merchant_id, what: 'api_key.revoked', subjectId: key.id });
  return { revokedAt: now, isChanged: true };
}
