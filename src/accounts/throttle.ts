import { type Kysely, sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { networkOf } from '../merchants/index.ts';
import type { AccountsDeps } from './deps.ts';
import { hashEmail } from './email.ts';

/**
 * Slows down guessing. An attempt is counted before it is made, by one statement on a row that all processes share: a hundred
 * attempts at once get as far as the same attempts one after the other. Beyond the free ones, each attempt makes the next wait
 * twice as long as the one before. Addresses without a login are counted like all others, so refusals tell nothing.
 */
export interface Limit {
  /** Attempts without a wait. */
  readonly free: number;
  readonly longestWaitMs: number;
  /** After this long without an attempt, all is forgotten. */
  readonly windowMs: number;
}

/** Passwords of one login. The wait is short enough that others cannot lock its owner out for long. */
export const ACCOUNT_LIMIT: Limit = { free: 5, longestWaitMs: 5 * MINUTE_MS, windowMs: DAY_MS };
/** Second factors of one login: whoever gets there knows the password. */
export const CODE_LIMIT: Limit = { free: 5, longestWaitMs: 15 * MINUTE_MS, windowMs: DAY_MS };
/** Failures from one place, which may be an office with many people. */
export const ADDRESS_LIMIT: Limit = { free: 30, longestWaitMs: 15 * MINUTE_MS, windowMs: HOUR_MS };
/** Mails that one address is sent because somebody asked for them. */
export const MAIL_LIMIT: Limit = { free: 3, longestWaitMs: HOUR_MS, windowMs: DAY_MS };
/** Mails that are caused from one place, or by one merchant. */
export const MAILER_LIMIT: Limit = { free: 20, longestWaitMs: HOUR_MS, windowMs: DAY_MS };

/** Too many attempts: nothing was looked at. */
export class TooManyAttempts extends TerminalError {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
    super('TOO_MANY_ATTEMPTS', `Too many attempts: wait ${seconds} s and try again`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** What is counted. Kinds of attempts do not share a count. */
export const throttleKey = {
  passwordsOf: (email: string) => `password:${hashEmail(email)}`,
  /** From a network that the login is known at. */
  passwordsFrom: (email: string, networkHash: string) => `password:${hashEmail(email)}:${networkHash}`,
  /** Of a user who is signed in: guesses of strangers must not keep them from giving it again. */
  passwordsAgain: (userId: string) => `password-again:${userId}`,
  codesOf: (userId: string) => `code:${userId}`,
  signInsFrom: (address: string) => `sign-in-from:${networkOf(address)}`,
  mailsTo: (email: string) => `mail-to:${hashEmail(email)}`,
  mailsFrom: (address: string) => `mail-from:${networkOf(address)}`,
  mailsBy: (userId: string) => `mail-by:${userId}`,
} as const;

/** Counts an attempt. Throws `TooManyAttempts` while the key has to wait. */
export async function takeAttempt(
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

/** Takes back what was counted for an attempt that turned out to be right. */
export async function giveBackAttempt(db: Kysely<Database>, key: string): Promise<void> {
  await db
    .updateTable('login_throttle')
    .set({ attempts: sql`greatest(attempts - 1, 0)`, blocked_until: sql`last_at` })
    .where('key', '=', key)
    .execute();
}

/** Forgets all attempts. */
export async function forgetAttempts(db: Kysely<Database>, key: string): Promise<void> {
  await db.deleteFrom('login_throttle').where('key', '=', key).execute();
}

/** Forgets all attempts at the password of a login, from everywhere. */
export async function forgetPasswordAttempts(db: Kysely<Database>, email: string): Promise<void> {
  const key = throttleKey.passwordsOf(email);
  await db
    .deleteFrom('login_throttle')
    .where(({ or, eb }) => or([eb('key', '=', key), eb('key', 'like', `${key}:%`)]))
    .execute();
}

// Helpers

/** 2^20 s is longer than any wait. */
const MAX_DOUBLINGS = 20;
/** No window is longer. */
const KEEP_MS = DAY_MS;
/** Old rows that one attempt removes: more than it adds. */
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
