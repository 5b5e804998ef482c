import { type Kysely, sql, type UpdateResult } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, onlyReadable } from '../db/index.ts';

/** A mail that a worker has taken. */
export interface QueuedMail {
  readonly id: string;
  readonly recipient: string;
  /** Shown as sender beside the installation's address; null for the installation's own name. */
  readonly fromName: string | null;
  /** Hears `mail.bounced`; null when nobody has to. */
  readonly actorId: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With this try. Also the number of the lease: who has an older one has lost the mail to somebody else. */
  readonly tries: number;
  /** How many tries before this one ended nobody knows how: each may have sent it. */
  readonly uncertainTries: number;
  /** Whether the last of them did. */
  readonly isUncertain: boolean;
  readonly createdAt: UnixMs;
}

/** What a worker has found out about a mail it took. */
export type MailVerdict =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly nextTryAt: UnixMs; readonly reason: string }
  | { readonly state: 'failed'; readonly because: 'bounced' | 'refused' | 'gave_up'; readonly reason: string };

/**
 * Takes up to `limit` due mails under a lease, the longest due first. No row stays locked while the mail server is talked
 * to; a worker that dies with a mail gives it back by doing nothing. A mail that was leased already had such a worker: it may
 * have been sent, which SMTP gives no way to ask.
 */
export async function takeDueMails(
  db: Kysely<Database>,
  { now, leaseMs, limit }: { now: UnixMs; leaseMs: number; limit: number },
): Promise<QueuedMail[]> {
  const { rows } = await sql<QueuedMail>`
    with due as materialized (
      select id, is_leased from mail where state = 'queued' and next_try_at <= ${new Date(now)}
      order by next_try_at limit ${limit} for update skip locked
    )
    update mail set tries = mail.tries + 1, next_try_at = ${new Date(now + leaseMs)}, is_leased = true,
      uncertain_tries = mail.uncertain_tries + due.is_leased::int
    from due where mail.id = due.id
    returning mail.id, recipient, from_name as "fromName", actor_id as "actorId", subject, text, html, headers, tries,
      uncertain_tries as "uncertainTries", due.is_leased as "isUncertain", created_at as "createdAt"`.execute(db);
  const park = async (mails: readonly QueuedMail[]) => {
    const ids = mails.map(({ id }) => id);
    await sql`update mail set next_try_at = 'infinity' where id = any(${ids}::text[])`.execute(db);
  };
  return onlyReadable(db, rows, ({ id, actorId }) => ({ actorId, what: `mail ${id}` }), park);
}

/**
 * Without a mail server: everything that waits is kept for whoever looks, and will not be sent. What another process is just
 * sending is left to it. Returns how many.
 */
export async function keepUnsent(db: Kysely<Database>, now: UnixMs): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({ state: 'stored', next_try_at: null, ...UNLEASED })
    .where('state', '=', 'queued')
    .where(sql<boolean>`not is_leased or next_try_at <= ${new Date(now)}`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Writes down what became of a mail. That it was sent is true whoever says so; anything else counts only from the worker whose
 * lease is the newest. What is over keeps no content: links in it can act. Returns whether it counted.
 */
export async function settleMail(
  db: Kysely<Database>,
  { id, tries }: Pick<QueuedMail, 'id' | 'tries'>,
  verdict: MailVerdict,
  now: UnixMs,
): Promise<boolean> {
  const settled = db.updateTable('mail').where('id', '=', id).where('state', '=', 'queued');
  if (verdict.state === 'sent') {
    const sent = {
      state: 'sent',
      sent_at: new Date(now),
      next_try_at: null,
      is_leased: false,
      last_error: null,
    } as const;
    return hasChanged(await settled.set({ ...sent, ...BLANK }).executeTakeFirst());
  }
  const { reason: last_error } = verdict;
  const change =
    verdict.state === 'queued'
      ? ({ next_try_at: new Date(verdict.nextTryAt), is_leased: false, last_error } as const)
      : ({ ...failed(verdict.because), last_error } as const);
  return hasChanged(await settled.set(change).where('tries', '=', tries).executeTakeFirst());
}

/** The columns of a mail that will not be tried again. */
export function failed(because: 'bounced' | 'refused' | 'gave_up') {
  return { state: 'failed', failed_because: because, next_try_at: null, is_leased: false, ...BLANK } as const;
}

// Helpers

/** The subject goes too: it says what a merchant sells to whom. Whom the mail went to, when and about what (by ids) stays. */
const BLANK = { subject: '', text: '', html: '', headers: '{}' } as const;

/** A lease that ended without a word counts as one more try that may have sent the mail. */
const UNLEASED = { is_leased: false, uncertain_tries: sql<number>`uncertain_tries + is_leased::int` } as const;

function hasChanged({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows > 0n;
}
