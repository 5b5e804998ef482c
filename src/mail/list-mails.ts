import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { isId } from '../ids.ts';

/** `queued`: on its way. `stored`: kept and never sent. `failed`: given up, or come back. */
export const MAIL_STATES = ['queued', 'stored', 'sent', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** A mail as its operator sees it, without what it says. */
export interface ListedMail {
  readonly id: string;
  /** Null for the operator's own. */
  readonly merchantId: string | null;
  /** Not to a login: what it says lets nobody into an account. */
  readonly isToCustomer: boolean;
  readonly recipient: string;
  readonly fromName: string | null;
  /** Empty when the mail is over: see `settleMail`. */
  readonly subject: string;
  readonly state: MailState;
  readonly failedBecause: 'bounced' | 'refused' | 'gave_up' | null;
  readonly tries: number;
  readonly uncertainTries: number;
  readonly lastError: string | null;
  readonly nextTryAt: UnixMs | null;
  readonly createdAt: UnixMs;
  readonly sentAt: UnixMs | null;
}

export interface FullMail extends ListedMail {
  /** Empty, like the HTML, when the mail is over. */
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MailListRequest {
  readonly merchantId?: string;
  /** Only those to customers. */
  readonly isToCustomer?: true;
  readonly state?: MailState;
  readonly limit: number;
  /** Only mails older than this one. That is how the next page is asked for. */
  readonly before?: string;
}

export interface MailPage {
  readonly mails: readonly ListedMail[];
  /** Whether older ones follow. */
  readonly hasMore: boolean;
}

/** A page of mails, newest first. Throws a `TerminalError` `INVALID_REQUEST` when `before` is no mail. */
export async function listMails(db: Kysely<Database>, wanted: MailListRequest): Promise<MailPage> {
  const { merchantId, isToCustomer, state, limit, before } = wanted;
  return whileDatabaseAnswers(async () => {
    const from = before === undefined ? null : await placeOf(db, before);
    // One more than is shown tells whether there is another page.
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
    const mails = await query.execute();
    return { mails: mails.slice(0, limit), hasMore: mails.length > limit };
  });
}

/** One mail with what it says; null when there is none of this id. */
export async function getMail(db: Kysely<Database>, mailId: string): Promise<FullMail | null> {
  // What cannot be an id may hold what the database cannot read.
  if (!isId('eml', mailId)) return null;
  return whileDatabaseAnswers(async () => {
    const mail = await db
      .selectFrom('mail')
      .select([...LISTED, 'text', 'html', 'headers'])
      .where('id', '=', mailId)
      .executeTakeFirst();
    return mail ?? null;
  });
}

// Helpers

/** Customers' mails are those an actor wrote: what is written to a login has none. */
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

/** The moment as the text of the database: a number of milliseconds may be too coarse to go on from. */
async function placeOf(db: Kysely<Database>, mailId: string): Promise<{ readonly at: string; readonly id: string }> {
  const place = isId('eml', mailId)
    ? await db
        .selectFrom('mail')
        .select(['id', sql<string>`created_at::text`.as('at')])
        .where('id', '=', mailId)
        .executeTakeFirst()
    : undefined;
  if (place !== undefined) return place;
  throw new TerminalError('INVALID_REQUEST', 'before must be the id of a mail, as an earlier page has it', {
    field: 'before',
  });
}
