import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, insertUnnested } from '../platform/db/index.ts';
import { derivedId } from '../platform/ids.ts';
import type { RenderedEmail } from './render-email.ts';

/** An email to one address. */
export interface NewEmail extends RenderedEmail {
  /** The merchant it belongs to; null for the operator's own. */
  readonly merchantId: string | null;
  readonly recipient: string;
  /** Display name of the sender; the installation's own name if omitted. */
  readonly fromName?: string;
  /**
   * The actor that receives `mail.bounced` when the mailbox does not exist. Every email to a
   * customer has one, and no email to a user may have one: a demo relies on this to decide what it
   * may show publicly.
   */
  readonly actorId?: string;
  /** Stored for viewing, and never sent. */
  readonly isHeld?: boolean;
  /** In addition to those of every email, such as `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Identifies the subject and recipient of the email by ids: a second email with the same key is
   * not written. Must not contain an address, and one of its parts must be unguessable.
   */
  readonly dedupeKey: string;
  readonly createdAt: UnixMs;
  /** Earliest time to send it; immediately if omitted. */
  readonly sendAt?: UnixMs | undefined;
}

/**
 * Writes emails inside the commit that causes them, so they are sent if and only if it succeeds. A
 * worker takes them from the table; see `createMailWorker`. The id is derived from the key, so that
 * a database restored from a backup that repeats the same work sends emails with the same
 * Message-ID.
 */
export async function queueEmails(trx: Transaction<Database>, emails: readonly NewEmail[]): Promise<void> {
  if (emails.length === 0) return;
  const rows = emails.map(({ merchantId, isHeld = false, createdAt, sendAt = createdAt, ...email }) => ({
    ...email,
    id: derivedId('eml', email.dedupeKey),
    merchant_id: merchantId,
    from_name: email.fromName ?? null,
    actor_id: email.actorId ?? null,
    headers: JSON.stringify(email.headers ?? {}),
    dedupe_key: email.dedupeKey,
    state: isHeld ? 'stored' : 'queued',
    next_try_at: isHeld ? null : sendAt,
    created_at: createdAt,
  }));
  await sql`${insertUnnested('mail', MAIL_COLUMNS, rows)} on conflict do nothing`.execute(trx);
}

/** The same, replacing emails with these keys that are waiting; see `IS_WAITING`. */
export async function replaceWaitingEmails(trx: Transaction<Database>, emails: readonly NewEmail[]): Promise<void> {
  if (emails.length === 0) return;
  await sql`
    delete from mail where dedupe_key = any(${emails.map(({ dedupeKey }) => dedupeKey)}::text[])
      and ${IS_WAITING}`.execute(trx);
  await queueEmails(trx, emails);
}

/**
 * SQL condition for a row of `mail`: it is only stored, or queued, no worker is sending it, and no
 * attempt may have sent it. Attempts that the mail server deferred do not count: greylisting defers
 * every first one.
 */
export const IS_WAITING = sql<boolean>`
  mail.state in ('queued', 'stored') and not mail.is_leased and mail.uncertain_tries = 0`;

// Helpers

const MAIL_COLUMNS = {
  text: ['id', 'merchant_id', 'recipient', 'from_name', 'actor_id', 'subject', 'text', 'html', 'dedupe_key', 'state'],
  jsonb: ['headers'],
  timestamptz: ['next_try_at', 'created_at'],
} as const;
