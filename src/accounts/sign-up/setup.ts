import { type Kysely, sql, type Transaction } from 'kysely';
import { writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { hashToken } from '../../platform/hash-token.ts';
import type { AccountsDeps } from '../deps.ts';
import { readEmail } from '../email.ts';
import { checkPassword, hashPassword } from '../password/password.ts';
import { hashNetwork } from '../sessions/known-network.ts';
import { type StartedSession, startSession } from '../sessions/sessions.ts';
import { countAttempt, LINK_LIMIT, throttleKey } from '../throttle.ts';
import { isToken, newToken } from '../token.ts';
import { createUser } from '../users/create-user.ts';

/**
 * The first user of an installation, an operator. The service prints a link at each start; it is
 * valid until it is used, another user exists, or the next start replaces it.
 */

/** Returns the token of a new link; null if there is a user, and then no link is valid. */
export async function offerSetup({ db, clock }: Pick<AccountsDeps, 'db' | 'clock'>): Promise<string | null> {
  const token = newToken();
  const isOpen = await db.transaction().execute(async (trx) => {
    await oneAtATime(trx);
    await trx.deleteFrom('setup_link').execute();
    if (await hasUsers(trx)) return false;
    await trx
      .insertInto('setup_link')
      .values({ token_hash: hashToken(token), created_at: new Date(clock.now()) })
      .execute();
    return true;
  });
  return isOpen ? token : null;
}

/** Whether a link is valid: the installation has no user yet. */
export async function isSetupOpen(db: Kysely<Database>): Promise<boolean> {
  const link = await db.selectFrom('setup_link').select('token_hash').limit(1).executeTakeFirst();
  return link !== undefined && !(await hasUsers(db));
}

/** Throws a `TerminalError` `INVALID_LINK` unless the token is that of the valid link. */
export async function requireSetupLink(db: Kysely<Database>, token: string): Promise<void> {
  const link = isToken(token)
    ? await db
        .selectFrom('setup_link')
        .select('token_hash')
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst()
    : undefined;
  if (link === undefined || (await hasUsers(db))) throw invalidSetupLink();
}

export interface SetupRequest {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  /** Client address of the request. */
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Creates the first operator with the token of the link, once, and signs them in. A rejected
 * password does not use up the link. Throws a `TerminalError`: `INVALID_LINK`,
 * `TOO_MANY_ATTEMPTS`, `INVALID_EMAIL`, and what `checkPassword` throws.
 */
export async function setUp(deps: AccountsDeps, request: SetupRequest): Promise<StartedSession> {
  const { db, clock } = deps;
  // Hashing a password is expensive: it needs a link that works and an acceptable password, and is
  // counted.
  await requireSetupLink(db, request.token);
  const email = readEmail(request.email);
  checkPassword(request.password, email);
  await countAttempt(deps, throttleKey.passwordsWith(request.token), LINK_LIMIT);
  const passwordHash = await hashPassword(request.password);
  return db.transaction().execute(async (trx) => {
    await oneAtATime(trx);
    const change = { trx, who: 'setup', now: clock.now() };
    const used = await trx
      .deleteFrom('setup_link')
      .where('token_hash', '=', hashToken(request.token))
      .executeTakeFirst();
    if (used.numDeletedRows !== 1n || (await hasUsers(trx))) throw invalidSetupLink();
    const { id: userId } = await createUser(change, { email, role: 'operator', merchantId: null, passwordHash });
    const networkHash = hashNetwork(email, request.address);
    const session = await startSession(trx, { userId, userAgent: request.userAgent, networkHash, now: change.now });
    await writeAudit(change, { merchantId: null, what: 'session.started', subjectId: session.sessionId });
    return session;
  });
}

// Helpers

/** Concurrent starts leave one link, and concurrent uses create one user. "setu" in ASCII. */
async function oneAtATime(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(1936028789)`.execute(trx);
}

async function hasUsers(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('merchant_user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

function invalidSetupLink(): TerminalError {
  return new TerminalError(
    'INVALID_LINK',
    'token is no longer valid: a user exists, or the service has printed a new URL at a later start',
    { field: 'token' },
  );
}
