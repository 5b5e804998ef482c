import type { Kysely, Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Caller } from '../keys/authenticate.ts';

/**
 * A security-relevant change to an account, and its author. The change and its audit entry commit
 * together or not at all.
 */
export interface AuditedChange {
  readonly trx: Transaction<Database>;
  /** The user or program, as shown in the audit log, such as `command line, root`. */
  readonly who: string;
  readonly now: UnixMs;
}

export interface ChangeDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
}

/**
 * Runs changes in one transaction, with `who` as their author; `work` writes their audit entries.
 * Rejects with `RetryableError` when the database is unavailable.
 */
export function changeAs<T>(
  { db, clock }: ChangeDeps,
  who: string,
  work: (change: AuditedChange) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx) => work({ trx, who, now: clock.now() }));
}

/** `changeAs` with an API key as the author. */
export function changeWithKey<T>(
  deps: ChangeDeps,
  { keyId }: Pick<Caller, 'keyId'>,
  work: (change: AuditedChange) => Promise<T>,
): Promise<T> {
  return changeAs(deps, `API key ${keyId}`, work);
}

/** The name of a user as an author: an id, because the audit log holds no email addresses. */
export function userAuthor(userId: string): string {
  return `user ${userId}`;
}

/** The author of a request that another transaction carries out, and its time. */
export type RequestAuthor = Omit<AuditedChange, 'trx'>;

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
  | 'webhook_endpoint.waiting_retried'
  | 'webhook_endpoint.replay_started'
  | 'webhook_endpoint.replay_cancelled'
  | 'webhook_endpoint.responses_deleted'
  | 'wallet.attached'
  | 'wallet.replaced'
  | 'wallet.refused'
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
  | 'merchant.image_removed'
  | 'merchant.provisioned'
  | 'merchant.plan_assigned'
  | 'merchant.plan_checkout_started'
  | 'user.created'
  | 'user.invited'
  | 'user.invitation_resent'
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
  | 'payment.transaction_searched'
  | 'attention.settled';

export interface AuditEntry {
  /** Null for entries that concern only the operators. */
  readonly merchantId: string | null;
  readonly what: AuditedAction;
  /** Id of the changed object. */
  readonly subjectId: string;
  /** Must not contain secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Longest stored name of an author. */
const MAX_WHO_CHARACTERS = 200;

/**
 * Writes an audit entry in its own commit, for actions that other commits carry out. Call it after
 * every check that could reject the action and before the action, so that nothing happens
 * unrecorded; a crash in between leaves an entry without an action.
 */
export function auditRequest(db: Kysely<Database>, author: RequestAuthor, entry: AuditEntry): Promise<void> {
  return db.transaction().execute((trx) => writeAudit({ ...author, trx }, entry));
}

/** Writes an audit entry: who did what, and when. */
export async function writeAudit({ trx, who, now }: AuditedChange, entry: AuditEntry): Promise<void> {
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
