import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';

/** `queued`: not sent yet. `stored`: kept and never sent. `failed`: given up or bounced. */
export const EMAIL_STATES = ['queued', 'stored', 'sent', 'failed'] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** An email as the operator sees it, without its content. */
export interface ListedEmail {
  readonly id: string;
  /** Null for the operator's own. */
  readonly merchantId: string | null;
  /** Not sent to a user: its content gives no access to an account. */
  readonly isToCustomer: boolean;
  readonly recipient: string;
  readonly fromName: string | null;
  /** Empty after the email was sent or failed: see `settleEmail`. */
  readonly subject: string;
  readonly state: EmailState;
  readonly failedBecause: 'bounced' | 'refused' | 'gave_up' | null;
  readonly tries: number;
  readonly uncertainTries: number;
  readonly lastError: string | null;
  readonly nextTryAt: UnixMs | null;
  readonly createdAt: UnixMs;
  readonly sentAt: UnixMs | null;
}

export interface FullEmail extends ListedEmail {
  /** Empty, like the HTML, after the email was sent or failed. */
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface EmailListRequest {
  readonly merchantId?: string;
  /** Only emails to customers. */
  readonly isToCustomer?: true;
  readonly state?: EmailState;
  readonly limit: number;
  /** Cursor: only emails older than this one are returned. */
  readonly before?: string;
}

export interface EmailPage {
  readonly emails: readonly ListedEmail[];
  /** Whether older ones follow. */
  readonly hasMore: boolean;
}

/**
 * A page of emails, newest first. Throws a `TerminalError` `INVALID_REQUEST` when `before` is not
 * an email.
 */
export async function listEmails(db: Kysely<Database>, request: EmailListRequest): Promise<EmailPage> {
  const { merchantId, isToCustomer, state, limit, before } = request;
  const from = before === undefined ? null : await readCursor(db, before);
  // One extra row shows whether there is another page.
  let query = db
    .selectFrom('mail')
    .select(LISTED)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (merchantId !== undefined) query = query.where('merchant_id', '=', merchantId);
  if (isToCustomer === true) query = query.where(IS_TO_CUSTOMER);
  if (state !== undefined) query = query.where('state', '=', state);
  if (from !== null) query = query.where(sql<boolean>`(created_at, id) < (${from.at}::timestamptz, ${from.id})`);
  const emails = await query.execute();
  return { emails: emails.slice(0, limit), hasMore: emails.length > limit };
}

/** One email with its content; null when there is none with this id. */
export async function getEmail(db: Kysely<Database>, emailId: string): Promise<FullEmail | null> {
  // Text that is not an id may contain characters that Postgres rejects.
  if (!isId('eml', emailId)) return null;
  const email = await db
    .selectFrom('mail')
    .select([...LISTED, 'text', 'html', 'headers'])
    .where('id', '=', emailId)
    .executeTakeFirst();
  return email ?? null;
}

/**
 * Development inbox: emails stored and never sent, newest first. Throws what `listEmails` throws.
 */
export function listStoredEmails(db: Kysely<Database>, request: Omit<EmailListRequest, 'state'>): Promise<EmailPage> {
  return listEmails(db, { ...request, state: 'stored' });
}

/** A stored email with its content; null if there is none with this id in state `stored`. */
export async function getStoredEmail(db: Kysely<Database>, emailId: string): Promise<FullEmail | null> {
  const email = await getEmail(db, emailId);
  return email?.state === 'stored' ? email : null;
}

// Helpers

/** Emails to customers are written by an actor; emails to users have none. */
const IS_TO_CUSTOMER = sql<boolean>`actor_id is not null`;

const LISTED = [
  'id',
  'merchant_id as merchantId',
  IS_TO_CUSTOMER.as('isToCustomer'),
  'recipient',
  'from_name as fromName',
  'subject',
  'state',
  'failed_because as failedBecause',
  'tries',
  'uncertain_tries as uncertainTries',
  'last_error as lastError',
  'next_try_at as nextTryAt',
  'created_at as createdAt',
  'sent_at as sentAt',
] as const;

/** The timestamp as text, because milliseconds may be too coarse for a cursor. */
async function readCursor(
  db: Kysely<Database>,
  emailId: string,
): Promise<{ readonly at: string; readonly id: string }> {
  const found = isId('eml', emailId)
    ? await db
        .selectFrom('mail')
        .select(['id', sql<string>`created_at::text`.as('at')])
        .where('id', '=', emailId)
        .executeTakeFirst()
    : undefined;
  if (found !== undefined) return found;
  throw new TerminalError('INVALID_REQUEST', 'before must be the id of an email from an earlier page', {
    field: 'before',
  });
}
