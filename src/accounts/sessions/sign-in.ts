import { type AuditedChange, changeAs, userAuthor, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps } from '../deps.ts';
import { verifyPassword } from '../password/password.ts';
import { acceptCodeOnce } from '../second-factor/accept-code-once.ts';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  CODE_LIMIT,
  countAttempt,
  countRightPassword,
  forgetAttempts,
  throttleKey,
  uncountAttempt,
} from '../throttle.ts';
import { findUserByEmail, lockUser, type StoredUser } from '../users/user-rows.ts';
import { auditRejectedSignIn } from './audit-rejected-sign-in.ts';
import { hashNetwork, passwordKeyFrom } from './known-network.ts';
import { endOldestSessions, endSessionOf, type StartedSession, startSession } from './sessions.ts';

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** TOTP or recovery code; null when none was entered. */
  readonly code: string | null;
  /** Client address of the request. */
  readonly address: string;
  readonly userAgent: string;
  /** Token of the browser's previous session, which is ended. */
  readonly formerToken: string | null;
}

/**
 * Starts a session. Throws a `TerminalError`: `WRONG_CREDENTIALS` alike for a wrong password, an
 * unknown login and a disabled one; `CODE_REQUIRED` and `WRONG_CODE` only after the right
 * password; `TOO_MANY_ATTEMPTS`.
 */
export async function signIn(deps: AccountsDeps, request: SignInRequest): Promise<StartedSession> {
  const user = await checkCredentials(deps, request);
  const isCodeNeeded = user.totpConfirmedAt !== null;
  if (isCodeNeeded && request.code === null) throw codeRequired();
  if (isCodeNeeded) await countAttempt(deps, throttleKey.codesOf(user.id), CODE_LIMIT);
  const started = await begin(deps, user, request).catch((error: unknown) => auditWrongCode(deps, user, error));
  if (isCodeNeeded) await forgetAttempts(deps.db, throttleKey.codesOf(user.id));
  return started;
}

// Helpers

/**
 * Limits the client address first, so that a throttled address cannot lock
 * out the owner of a login.
 */
async function checkCredentials(deps: AccountsDeps, { email, password, address }: SignInRequest): Promise<StoredUser> {
  const from = throttleKey.signInsFrom(address);
  await countAttempt(deps, from, ADDRESS_LIMIT);
  const account = await passwordKeyFrom(deps.db, email, address);
  await countAttempt(deps, account, ACCOUNT_LIMIT);
  const user = await findUserByEmail(deps.db, email);
  const isRight = await countRightPassword(deps, email, async () => {
    const isOfHash = await verifyPassword(user?.passwordHash ?? null, password);
    return isOfHash && user?.disabledAt === null;
  });
  if (user === null || !isRight) {
    await auditRejectedSignIn(deps, user, 'credentials');
    throw wrongCredentials();
  }
  await forgetAttempts(deps.db, account);
  await uncountAttempt(deps.db, from);
  return user;
}

async function begin(deps: AccountsDeps, checked: StoredUser, request: SignInRequest): Promise<StartedSession> {
  return changeAs(deps, userAuthor(checked.id), async (change) => {
    const { trx, now } = change;
    const user = await lockUser(trx, checked.id);
    // A password change during the check has ended all sessions; do not start one now.
    if (user.passwordHash !== checked.passwordHash || user.disabledAt !== null) throw wrongCredentials();
    if (user.totpConfirmedAt !== null) {
      if (request.code === null) throw codeRequired();
      if (!(await acceptCodeOnce(change, deps.secretBox, user, request.code))) throw wrongCode();
    }
    if (request.formerToken !== null) await endFormer(change, request.formerToken);
    const networkHash = hashNetwork(user.email, request.address);
    const started = await startSession(trx, { userId: user.id, userAgent: request.userAgent, networkHash, now });
    const { merchantId } = user;
    await writeAudit(change, { merchantId, what: 'session.started', subjectId: started.sessionId });
    for (const id of await endOldestSessions(trx, { userId: user.id, keepId: started.sessionId, now })) {
      await writeAudit(change, { merchantId, what: 'session.ended', subjectId: id, details: { reason: 'too_many' } });
    }
    return started;
  });
}

/** Outside the transaction that was rolled back. */
async function auditWrongCode(deps: AccountsDeps, user: StoredUser, error: unknown): Promise<never> {
  if (error instanceof TerminalError && error.code === 'WRONG_CODE') await auditRejectedSignIn(deps, user, 'code');
  throw error;
}

async function endFormer(change: AuditedChange, token: string): Promise<void> {
  const ended = await endSessionOf(change.trx, { token, now: change.now });
  if (ended === null) return;
  await writeAudit(change, { merchantId: ended.merchantId, what: 'session.ended', subjectId: ended.sessionId });
}

function wrongCredentials(): TerminalError {
  return new TerminalError('WRONG_CREDENTIALS', 'Email or password is wrong; correct them, or reset your password', {
    field: 'password',
  });
}

function codeRequired(): TerminalError {
  return new TerminalError(
    'CODE_REQUIRED',
    'code is missing: send the six digits of the authenticator app, or a recovery code',
    { field: 'code' },
  );
}

export function wrongCode(): TerminalError {
  return new TerminalError(
    'WRONG_CODE',
    'code is wrong or was already used: wait for the next code in the authenticator app, or use a recovery code',
    { field: 'code' },
  );
}
