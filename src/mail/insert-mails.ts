import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { derivedId } from '../platform/ids.ts';
import type { RenderedMail } from './render-mail.ts';

/** An email to one address. */
export interface NewMail extends RenderedMail {
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
  /** Earliest time to send it; at once if omitted. */
  readonly sendAt?: UnixMs;
}

/**
 * Writes emails inside the commit that causes them, so they are sent if and only if it succeeds. A
 * worker takes them from the table; see `createMailWorker`. The id is derived from the key, so that
 * a database restored from a backup that repeats the same work sends emails with the same
 * Message-ID.
 */
export async function insertMails(trx: Transaction<Database>, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const column = <K extends keyof NewMail>(name: K) => mails.map((mail) => mail[name]);
  await sql`
    insert into mail (id, merchant_id, recipient, from_name, actor_id, subject, text, html, headers, dedupe_key, state,
      next_try_at, created_at)
    select id, merchant_id, recipient, from_name, actor_id, subject, text, html, headers::jsonb, dedupe_key,
      case when is_held then 'stored' else 'queued' end,
      case when not is_held then to_timestamp(send_at / 1000.0) end, to_timestamp(created_at / 1000.0)
    from unnest(
      ${mails.map(({ dedupeKey }) => derivedId('eml', dedupeKey))}::text[], ${column('merchantId')}::text[],
      ${column('recipient')}::text[], ${mails.map(({ fromName }) => fromName ?? null)}::text[],
      ${mails.map(({ actorId }) => actorId ?? null)}::text[], ${mails.map(({ isHeld }) => isHeld ?? false)}::bool[],
      ${column('subject')}::text[], ${column('text')}::text[], ${column('html')}::text[], ${mails.map(({ headers }) => JSON.stringify(headers ?? {}))}::text[],
      ${column('dedupeKey')}::text[], ${column('createdAt')}::int8[],
      ${mails.map(({ sendAt, createdAt }) => sendAt ?? createdAt)}::int8[]
    ) as fresh (id, merchant_id, recipient, from_name, actor_id, is_held, subject, text, html, headers, dedupe_key, created_at,
      send_at)
    on conflict do nothing`.execute(trx);
}

/**
 * The same, replacing emails with these keys that are only stored or that no worker has taken yet.
 */
export async function replaceWaitingMails(trx: Transaction<Database>, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await sql`
    delete from mail where dedupe_key = any(${mails.map(({ dedupeKey }) => dedupeKey)}::text[])
      and state in ('queued', 'stored') and tries = 0`.execute(trx);
  await insertMails(trx, mails);
}
