import type { Kysely, Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';

/** A change to what an account's safety hangs on, and who makes it. It and its entry in the audit are committed together or not at all. */
export interface Change {
  readonly trx: Transaction<Database>;
  /** A person or program for whoever reads the audit, like `command line, root`. */
  readonly who: string;
  readonly now: UnixMs;
}

/** Somebody who asks for something that is not done by a transaction of theirs, and when. */
export type Asker = Omit<Change, 'trx'>;

export type AuditedAction =
  | 'api_key.created'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'api_key.changed'
  | 'api_key.allowed_addresses_changed'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.changed'
  | 'webhook_endpoint.enabled'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.secret_regenerated'
  | 'webhook_endpoint.secret_rotated'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.test_sent'
  | 'webhook_endpoint.redelivery_requested'
  | 'webhook_endpoint.replay_started'
  | 'webhook_endpoint.replay_cancelled'
  | 'wallet.attached'
  | 'wallet.replaced'
  | 'wallet.addresses_skipped'
  | 'payment_link.created'
  | 'payment_link.closed'
  | 'schedule.created'
  | 'schedule.paused'
  | 'schedule.resumed'
  | 'schedule.cancelled'
  | 'schedule.confirmation_resent'
  | 'schedule.simulated'
  | 'merchant.signed_up'
  | 'merchant.approved'
  | 'merchant.settings_changed'
  | 'merchant.provisioned'
  | 'merchant.plan_assigned'
  | 'merchant.plan_checkout_started'
  | 'user.created'
  | 'user.invited'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.role_changed'
  | 'user.password_changed'
  | 'user.password_reset_requested'
  | 'user.password_reset'
  | 'user.totp_begun'
  | 'user.totp_confirmed'
  | 'user.totp_disabled'
  | 'user.recovery_codes_made'
  | 'user.recovery_code_used'
  | 'session.started'
  | 'session.refused'
  | 'session.reauthenticated'
  | 'session.ended'
  | 'payment.started'
  | 'payment.simulated'
  | 'payment.marked_paid'
  | 'payment.dismissed'
  | 'payment.confirmed'
  | 'payment.rejected'
  | 'attention.settled';

export interface AuditEntry {
  /** Null for what concerns those who run the service. */
  readonly merchantId: string | null;
  readonly what: AuditedAction;
  /** Id of what it was done to. */
  readonly subjectId: string;
  /** Must hold no secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Longest name of somebody that is kept. */
const MAX_WHO_CHARACTERS = 200;

/**
 * Writes down what is asked for, in a commit of its own: for deeds that are commits of others. It comes before the deed, after everything
 * that could refuse it, so that nothing is done that nobody has asked for; a crash in between leaves an entry without deed.
 */
export function auditRequest(db: Kysely<Database>, asker: Asker, entry: AuditEntry): Promise<void> {
  return whileDatabaseAnswers(() => db.transaction().execute((trx) => writeAudit({ ...asker, trx }, entry)));
}

/** Writes down who did what, and when. */
export async function writeAudit({ trx, who, now }: Change, entry: AuditEntry): Promise<void> {
  const { merchantId, what, subjectId, details = {} } = entry;
  await trx
    .insertInto('audit_entry')
    .values({
      merchant_id: merchantId,
      who: who.slice(0, MAX_WHO_CHARACTERS),
      what,
      subject_id: subjectId,
      details: JSON.stringify(details),
      occurred_at: new Date(now),
    })
    .execute();
}
