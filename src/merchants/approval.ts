import type { Kysely } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { type AuditedChange, writeAudit } from './audit/audit.ts';

/**
 * With `SIGN_UP` on, anyone can sign up, and emails to customers carry the name of this service and
 * go to any address. So a merchant that signed up emails no customer until an operator has approved
 * it. Merchants created by operators are approved.
 */

/** Marks a merchant as waiting for an operator's approval. */
export async function markApprovalPending({ trx, now }: AuditedChange, merchantId: string): Promise<void> {
  await trx
    .updateTable('merchant')
    .set({ approval_pending_since: new Date(now) })
    .where('id', '=', merchantId)
    .execute();
}

/** Approves a merchant and writes an audit entry; false when it was already approved. */
export async function approveMerchant(change: AuditedChange, merchantId: string): Promise<boolean> {
  const approved = await change.trx
    .updateTable('merchant')
    .set({ approval_pending_since: null })
    .where('id', '=', merchantId)
    .where('approval_pending_since', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (approved === undefined) return false;
  await writeAudit(change, { merchantId, what: 'merchant.approved', subjectId: merchantId });
  return true;
}

/** Whether emails may be sent to the merchant's customers. */
export async function isApproved(db: Kysely<Database>, merchantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('merchant')
    .select('approval_pending_since')
    .where('id', '=', merchantId)
    .executeTakeFirst();
  return row !== undefined && row.approval_pending_since === null;
}

/** Throws a `TerminalError` `MERCHANT_NOT_APPROVED` while the merchant awaits approval. */
export async function requireApproved(db: Kysely<Database>, merchantId: string): Promise<void> {
  if (await isApproved(db, merchantId)) return;
  throw new TerminalError(
    'MERCHANT_NOT_APPROVED',
    'Your account is awaiting approval: until the operator of this service approves it, it cannot email customers or invite users. Test mode works now',
  );
}
