import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { derivedId } from '../ids.ts';
import type { RenderedMail } from './render-mail.ts';

/** A mail to one address. */
export interface NewMail extends RenderedMail {
  /** Whose affair it is; null for the operator's own. */
  readonly merchantId: string | null;
  readonly recipient: string;
  /** Shown as sender beside the installation's address; left out for the installation's own name. */
  readonly fromName?: string;
  /**
   * The actor that hears `mail.bounced` when there is no such mailbox. Every mail to a customer has one, and no mail to a login
   * may: that is how a demo tells what it may show to anybody.
   */
  readonly actorId?: string;
  /** Kept for whoever looks, and never sent. */
  readonly isHeld?: boolean;
  /** Beyond those every mail has, like `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What the mail is about and whom it tells, by ids: with the same key nothing is written a second time. Must not hold an
   * address, and one of its parts must be unguessable.
   */
  readonly dedupeKey: string;
  readonly createdAt: UnixMs;
  /** When it may be sent; at once when left out. */
  readonly sendAt?: UnixMs;
}

/**
 * Writes mails inside the commit that causes them: they are sent if it happens and only then. A worker takes them from the
 * table; see `createMailWorker`. The id follows from the key, so that even a database that was restored and lives through
 * the same again sends what receivers recognise.
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

/** The same, in place of mails with these keys that no worker has taken yet, or that are only kept. */
export async function replaceWaitingMails(trx: Transaction<Database>, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await sql`
    delete from mail where dedupe_key = any(${mails.map(({ dedupeKey }) => dedupeKey)}::text[])
      and state in ('queued', 'stored') and tries = 0`.execute(trx);
  await insertMails(trx, mails);
}
