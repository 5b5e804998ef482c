import { type Kysely, sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type UnixMs } from '../../machines/index.ts';
import { networkOf } from '../merchants/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { hashToken } from '../platform/hash-token.ts';
import type { AccountsDeps } from './deps.ts';
import { hashEmail, hashMailbox } from './email.ts';

/**
 * Limit on guessing. An attempt is counted before it runs, in one statement on a row shared by all
 * processes, so concurrent attempts have no advantage over sequential ones. After the free
 * attempts, each wait is twice as long as the one before. Addresses without a login are counted
 * like all others, so rejections reveal nothing.
 */
export interface Limit {
  /** Attempts without a wait. */
  readonly free: number;
  readonly longestWaitMs: number;
  /** After this long without an attempt, the count is reset. */
  readonly windowMs: number;
}

/** Passwords of one login. The wait is short, so that others cannot lock its owner out for long. */
export const ACCOUNT_LIMIT: Limit = { free: 5, longestWaitMs: 5 * MINUTE_MS, windowMs: DAY_MS };
/** Right passwords of one login in one hour: each starts a session or writes an audit entry. */
export const RIGHT_PASSWORD_LIMIT: Limit = { free: 60, longestWaitMs: HOUR_MS, windowMs: HOUR_MS };
/** Second factors of one login; only reached with the right password. */
export const CODE_LIMIT: Limit = { free: 5, longestWaitMs: 15 * MINUTE_MS, windowMs: DAY_MS };
/** Failures from one network, which may be an office with many people. */
export const ADDRESS_LIMIT: Limit = { free: 30, longestWaitMs: 15 * MINUTE_MS, windowMs: HOUR_MS };
/** Passwords chosen with one link. Each is hashed, which is expensive. */
export const LINK_LIMIT: Limit = { free: 5, longestWaitMs: 5 * MINUTE_MS, windowMs: DAY_MS };
/** Requested emails to one mailbox. */
export const MAIL_LIMIT: Limit = { free: 3, longestWaitMs: HOUR_MS, windowMs: DAY_MS };
/** Emails caused from one network, or by one user. */
export const MAILER_LIMIT: Limit = { free: 20, longestWaitMs: HOUR_MS, windowMs: DAY_MS };
/** Sign-up emails of the whole service in one hour: strangers choose their recipients. */
export const SIGN_UP_LIMIT: Limit = { free: 200, longestWaitMs: HOUR_MS, windowMs: HOUR_MS };

/** Too many attempts; nothing was checked. */
export class TooManyAttempts extends TerminalError {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number, what: 'attempts' | 'requests' = 'attempts') {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
    super('TOO_MANY_ATTEMPTS', `Too many ${what}: wait ${seconds} s and try again`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Throttle keys. Kinds of attempts do not share a count. */
export const throttleKey = {
  passwordsOf: (email: string) => `password:${hashEmail(email)}`,
  /** From a network known for the login. */
  passwordsFrom: (email: string, networkHash: string) => `password:${hashEmail(email)}:${networkHash}`,
  /** For signed-in users, who must be able to enter it despite the guesses of strangers. */
  passwordsAgain: (userId: string) => `password-again:${userId}`,
  /** The beginning of its keys, one per hour. */
  rightPasswordsOf: (email: string) => `right-password:${hashEmail(email)}`,
  codesOf: (userId: string) => `code:${userId}`,
  signInsFrom: (address: string) => `sign-in-from:${networkOf(address)}`,
  passwordsWith: (token: string) => `password-link:${hashToken(token)}`,
  emailsTo: (email: string) => `mail-to:${hashMailbox(email)}`,
  /** By the login alone: requests for other `+tag` addresses of the mailbox must not block it. */
  passwordResetsOf: (email: string) => `password-reset:${hashEmail(email)}`,
  emailsFrom: (address: string) => `mail-from:${networkOf(address, 56)}`,
  emailsBy: (userId: string) => `mail-by:${userId}`,
  /** One key per hour, because a busy service never has a window without an attempt. */
  signUpEmailsAt: (now: UnixMs) => `sign-up-mails:${Math.floor(now / HOUR_MS)}`,
} as const;

/** Counts an attempt. Throws `TooManyAttempts` while the key is blocked. */
export async function countAttempt(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  key: string,
  limit: Limit,
): Promise<void> {
  const now = clock.now();
  await forgetOld(db, now);
  const counted = sql`case when kept.last_at <= ${new Date(now - limit.windowMs)} then 1 else kept.attempts + 1 end`;
  const { rows } = await sql`
    insert into login_throttle as kept (key, attempts, last_at, blocked_until)
    values (${key}, 1, ${new Date(now)}, ${new Date(now + waitOf(1, limit))})
    on conflict (key) do update set
      attempts = ${counted},
      last_at = ${new Date(now)},
      blocked_until = ${new Date(now)}::timestamptz
        + least(${limit.longestWaitMs}::float8, ${SECOND_MS} * power(2, least(${counted} - ${limit.free} - 1, ${MAX_DOUBLINGS})))
        * case when ${counted} > ${limit.free} then interval '1 millisecond' else interval '0' end
    where kept.blocked_until <= ${new Date(now)} or kept.last_at <= ${new Date(now - limit.windowMs)}
    returning key`.execute(db);
  if (rows.length > 0) return;
  const { blocked_until: until } = await db
    .selectFrom('login_throttle')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirstOrThrow(() => new TooManyAttempts(SECOND_MS));
  throw new TooManyAttempts(Math.max(0, until - now));
}

/** Undoes the count of an attempt that succeeded. */
export async function uncountAttempt(db: Kysely<Database>, key: string): Promise<void> {
  await db
    .updateTable('login_throttle')
    .set({ attempts: sql`greatest(attempts - 1, 0)`, blocked_until: sql`last_at` })
    .where('key', '=', key)
    .execute();
}

/**
 * Runs a password check and counts it if the password is right. It is counted before it runs, so
 * that concurrent checks have no advantage. A wrong one is uncounted but clears no wait, which
 * right ones may have caused since. Throws `TooManyAttempts` before the check.
 */
export async function countRightPassword(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  email: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const now = clock.now();
  const key = `${throttleKey.rightPasswordsOf(email)}:${Math.floor(now / HOUR_MS)}`;
  await countAttempt({ db, clock }, key, RIGHT_PASSWORD_LIMIT);
  if (await isRight()) return true;
  await db
    .updateTable('login_throttle')
    .set({ attempts: sql`greatest(attempts - 1, 0)` })
    .where('key', '=', key)
    .execute();
  return false;
}

/** Resets the count of a key. */
export async function forgetAttempts(db: Kysely<Database>, key: string): Promise<void> {
  await db.deleteFrom('login_throttle').where('key', '=', key).execute();
}

/** Resets the counts of all passwords for a login, wrong and right, from every network. */
export async function forgetPasswordAttempts(db: Kysely<Database>, email: string): Promise<void> {
  const keys = [throttleKey.passwordsOf(email), throttleKey.rightPasswordsOf(email)];
  await db
    .deleteFrom('login_throttle')
    .where(({ or, eb }) => or(keys.flatMap((key) => [eb('key', '=', key), eb('key', 'like', `${key}:%`)])))
    .execute();
}

// Helpers

/** 2^20 s is longer than any wait. */
const MAX_DOUBLINGS = 20;
/** The longest window. */
const KEEP_MS = DAY_MS;
/** Expired rows deleted per attempt: more than an attempt adds. */
const FORGET_ROWS = 4;

function waitOf(attempt: number, { free, longestWaitMs }: Limit): number {
  return attempt <= free ? 0 : Math.min(longestWaitMs, SECOND_MS * 2 ** (attempt - free - 1));
}

async function forgetOld(db: Kysely<Database>, now: UnixMs): Promise<void> {
  await sql`
    delete from login_throttle where key in (
      select key from login_throttle where last_at < ${new Date(now - KEEP_MS)}
      order by last_at limit ${FORGET_ROWS} for update skip locked
    )`.execute(db);
}
