import { type Kysely, sql, type UpdateResult } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';

/** A mail that a worker has taken. */
export interface QueuedMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With this try. Also the number of the lease: who has an older one has lost the mail to somebody else. */
  readonly tries: number;
  readonly createdAt: UnixMs;
}

/** What a worker has found out about a mail it took. */
export type MailVerdict =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly nextTryAt: UnixMs; readonly reason: string }
  | { readonly state: 'failed'; readonly because: 'bounced' | 'refused' | 'gave_up'; readonly reason: string };

/**
 * Takes up to `limit` due mails under a lease, the longest due first. No row stays locked while the mail server is talked
 * to; a worker that dies with a mail gives it back by doing nothing.
 */
export async function takeDueMails(
  db: Kysely<Database>,
  { now, leaseMs, limit }: { now: UnixMs; leaseMs: number; limit: number },
): Promise<QueuedMail[]> {
  const { rows } = await sql<QueuedMail>`
    update mail set tries = tries + 1, next_try_at = ${new Date(now + leaseMs)}
    where id in (
      select id from mail where state = 'queued' and next_try_at <= ${new Date(now)}
      order by next_try_at limit ${limit} for update skip locked
    )
    returning id, recipient, subject, text, html, headers, tries, created_at as "createdAt"`.execute(db);
  return rows;
}

/** Without a mail server: everything that waits is kept for whoever looks, and will not be sent. Returns how many. */
export async function keepUnsent(db: Kysely<Database>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({ state: 'stored', next_try_at: null })
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Writes down what became of a mail. That it was sent is true whoever says so; anything else counts only from the worker whose
 * lease is the newest. Returns whether it counted.
 */
export async function settleMail(
  db: Kysely<Database>,
  { id, tries }: Pick<QueuedMail, 'id' | 'tries'>,
  verdict: MailVerdict,
  now: UnixMs,
): Promise<boolean> {
  const settled = db.updateTable('mail').where('id', '=', id).where('state', '=', 'queued');
  if (verdict.state === 'sent') {
    const sent = { state: 'sent', sent_at: new Date(now), next_try_at: null, last_error: null } as const;
    return hasChanged(await settled.set(sent).executeTakeFirst());
  }
  const isQueued = verdict.state === 'queued';
  const failed = settled
    .set({
      state: verdict.state,
      next_try_at: isQueued ? new Date(verdict.nextTryAt) : null,
      failed_because: isQueued ? null : verdict.because,
      last_error: verdict.reason,
    })
    .where('tries', '=', tries);
  return hasChanged(await failed.executeTakeFirst());
}

// Helpers

function hasChanged({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows > 0n;
}
