import { type Kysely, sql, type Transaction, type UpdateResult } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, onlyReadable } from '../platform/db/index.ts';

/** An email that a worker has claimed. */
export interface QueuedEmail {
  readonly id: string;
  readonly recipient: string;
  /** Display name of the sender; null for the installation's own name. */
  readonly fromName: string | null;
  /** Receives `mail.bounced`; null for none. */
  readonly actorId: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Including this attempt. Also the fencing token of the lease: a worker with an older number has
   * lost the email to another one.
   */
  readonly tries: number;
  /** Earlier attempts whose outcome is unknown: each may have sent it. */
  readonly uncertainTries: number;
  /** Whether the last one was among them. */
  readonly isUncertain: boolean;
  readonly createdAt: UnixMs;
}

/** Outcome of an attempt by a worker. */
export type EmailVerdict =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly nextTryAt: UnixMs; readonly reason: string }
  | { readonly state: 'failed'; readonly because: 'bounced' | 'refused' | 'gave_up'; readonly reason: string };

/**
 * Claims up to `limit` due emails under a lease, the longest due first; those of no actor, such as
 * security alerts and invitations, before those of schedules, of which one merchant can queue
 * thousands. No row stays locked while the worker talks to the mail server; the lease of a worker
 * that dies expires. An email whose lease has expired may have been sent: SMTP has no way to check.
 */
export async function claimDueEmails(
  db: Kysely<Database>,
  { now, leaseMs, limit }: { now: UnixMs; leaseMs: number; limit: number },
): Promise<QueuedEmail[]> {
  const { rows } = await sql<QueuedEmail>`
    with first as materialized (
      select id, is_leased from mail where state = 'queued' and actor_id is null and next_try_at <= ${new Date(now)}
      order by next_try_at limit ${limit} for update skip locked
    ), rest as materialized (
      select id, is_leased from mail where state = 'queued' and actor_id is not null and next_try_at <= ${new Date(now)}
      order by next_try_at limit ${limit} - (select count(*) from first) for update skip locked
    ), due as (select * from first union all select * from rest)
    update mail set tries = mail.tries + 1, next_try_at = ${new Date(now + leaseMs)}, is_leased = true,
      uncertain_tries = mail.uncertain_tries + due.is_leased::int
    from due where mail.id = due.id
    returning mail.id, recipient, from_name as "fromName", actor_id as "actorId", subject, text, html, headers, tries,
      uncertain_tries as "uncertainTries", due.is_leased as "isUncertain", created_at as "createdAt"`.execute(db);
  const park = async (emails: readonly QueuedEmail[]) => {
    const ids = emails.map(({ id }) => id);
    await sql`update mail set next_try_at = 'infinity' where id = any(${ids}::text[])`.execute(db);
  };
  return onlyReadable(db, rows, ({ id, actorId }) => ({ actorId, what: `mail ${id}` }), park);
}

/**
 * Without a mail server: stores all queued emails for viewing; they will not be sent. Emails that
 * another process is sending are left to it. Returns the number stored.
 */
export async function storeUnsentEmails(db: Kysely<Database>, now: UnixMs): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({ state: 'stored', next_try_at: null, ...UNLEASED })
    .where('state', '=', 'queued')
    .where(sql<boolean>`(not is_leased or next_try_at <= ${new Date(now)})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Stores queued emails with these keys for viewing: they will not be sent. One that is being sent
 * is not tried again; if the server accepts or rejects it, that is recorded.
 */
export async function holdEmails(trx: Transaction<Database>, dedupeKeys: readonly string[]): Promise<void> {
  if (dedupeKeys.length === 0) return;
  await trx
    .updateTable('mail')
    .set({ state: 'stored', next_try_at: null, ...UNLEASED })
    .where('state', '=', 'queued')
    .where(sql<boolean>`dedupe_key = any(${dedupeKeys}::text[])`)
    .execute();
}

/**
 * Records the outcome for an email. `sent` is recorded whichever worker reports it; anything else
 * only from the worker with the newest lease. One that was held in the meantime is not queued
 * again. A sent or failed email loses its content, because its links can act. Returns whether it
 * was recorded.
 */
export async function settleEmail(
  db: Kysely<Database>,
  { id, tries }: Pick<QueuedEmail, 'id' | 'tries'>,
  verdict: EmailVerdict,
  now: UnixMs,
): Promise<boolean> {
  const settled = db.updateTable('mail').where('id', '=', id).where('state', 'in', ['queued', 'stored']);
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
  const latest = settled.where('tries', '=', tries);
  if (verdict.state === 'failed') {
    return hasChanged(await latest.set({ ...failed(verdict.because), last_error }).executeTakeFirst());
  }
  const again = { next_try_at: new Date(verdict.nextTryAt), is_leased: false, last_error } as const;
  return hasChanged(await latest.set(again).where('state', '=', 'queued').executeTakeFirst());
}

/** Columns of an email that will not be tried again. */
export function failed(because: 'bounced' | 'refused' | 'gave_up') {
  return { state: 'failed', failed_because: because, next_try_at: null, is_leased: false, ...BLANK } as const;
}

// Helpers

/**
 * The subject is cleared too: it says what a merchant sells to whom. The recipient, the times and
 * the ids stay.
 */
const BLANK = { subject: '', text: '', html: '', headers: '{}' } as const;

/**
 * A lease that expired without an outcome counts as another attempt that may have sent the email.
 */
const UNLEASED = { is_leased: false, uncertain_tries: sql<number>`uncertain_tries + is_leased::int` } as const;

function hasChanged({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows > 0n;
}
