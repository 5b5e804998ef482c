import { MINUTE_MS } from '../../../machines/index.ts';
import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { codeMissing, withBothFactors } from '../second-factor/with-both-factors.ts';
import { timestamp } from '../timestamp.ts';
import { findUserById } from '../users/user-rows.ts';
import { withPassword } from './confirm-password.ts';

/** How long a password entered for a single request is valid, where every request needs one. */
const SINGLE_USE_MS = MINUTE_MS;

/**
 * Records that the user of a session has just entered their password, and a code when an
 * authenticator is on. Throws a `TerminalError`: `INVALID_REQUEST` when the code is missing,
 * `WRONG_PASSWORD`, `WRONG_CODE`, `TOO_MANY_ATTEMPTS`.
 */
export async function reauthenticate(
  deps: AccountsDeps,
  signedIn: SignedInUser,
  { password, code }: { readonly password: string; readonly code: string | null },
): Promise<void> {
  const record = (change: AuditedChange) => recordPasswordEntry(change, signedIn);
  const user = await findUserById(deps.db, signedIn.userId);
  if (user === null || user.totpConfirmedAt === null) {
    // If an authenticator was turned on since, this session has already ended.
    await withPassword(deps, { userId: signedIn.userId, password }, record);
    return;
  }
  if (code === null) throw codeMissing();
  await withBothFactors(deps, signedIn, { password, code }, record);
}

/**
 * Passes when the user of the session entered their password within `reauthMinutes`, at sign-in or
 * later; with 0, when it was entered for this request. Throws a `TerminalError` `REAUTH_REQUIRED`.
 */
export async function requireRecentPassword(
  { db, clock, reauthMinutes }: Pick<AccountsDeps, 'db' | 'clock' | 'reauthMinutes'>,
  sessionId: string,
): Promise<void> {
  const now = clock.now();
  const found =
    reauthMinutes === 0
      ? await db
          .updateTable('session')
          .set({ password_given_at: null })
          .where('id', '=', sessionId)
          .where('password_given_at', '>', timestamp(now - SINGLE_USE_MS))
          .returning('id')
          .executeTakeFirst()
      : await db
          .selectFrom('session')
          .select('id')
          .where('id', '=', sessionId)
          .where(({ fn, eb }) =>
            eb(fn.coalesce('password_given_at', 'created_at'), '>', timestamp(now - reauthMinutes * MINUTE_MS)),
          )
          .executeTakeFirst();
  if (found === undefined) throw reauthRequired();
}

// Helpers

async function recordPasswordEntry(change: AuditedChange, { sessionId, merchantId }: SignedInUser): Promise<void> {
  await change.trx
    .updateTable('session')
    .set({ password_given_at: new Date(change.now) })
    .where('id', '=', sessionId)
    .execute();
  await writeAudit(change, { merchantId, what: 'session.reauthenticated', subjectId: sessionId });
}

function reauthRequired(): TerminalError {
  return new TerminalError(
    'REAUTH_REQUIRED',
    'Enter your password again before this change: send it to POST /console/api/reauthenticate, then repeat the request',
  );
}
