import { changeAs, userAuthor, writeAudit } from '../../merchants/index.ts';
import { hashToken } from '../../platform/hash-token.ts';
import { invalidLink, issueAccountToken, requireAccountToken, type TokenPurpose } from '../account-tokens.ts';
import type { AccountsDeps } from '../deps.ts';
import { emailUser } from '../emails/notify-user.ts';
import { EMAIL_TEMPLATES } from '../emails/templates.ts';
import { STRANGER } from '../sessions/audit-rejected-sign-in.ts';
import {
  countAttempt,
  forgetPasswordAttempts,
  LINK_LIMIT,
  MAIL_LIMIT,
  MAILER_LIMIT,
  throttleKey,
} from '../throttle.ts';
import { timestamp } from '../timestamp.ts';
import { isToken } from '../token.ts';
import type { UserRole } from '../users/role.ts';
import { findUserByEmail, findUserById, lockUser } from '../users/user-rows.ts';
import { setPassword } from './change-password.ts';
import { checkPassword, hashPassword } from './password.ts';

/**
 * Sets a password with the link of an email, once, and ends every session. The second
 * factor is kept. Throws a `TerminalError` `INVALID_LINK`, `TOO_MANY_ATTEMPTS`, and what
 * `checkPassword` throws; the link then stays valid.
 */
export async function resetPassword(
  deps: AccountsDeps,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { db, clock } = deps;
  // Hashing a password is expensive: it needs a link and an acceptable password, and is counted.
  const userId = await requireAccountToken(db, token, clock.now());
  const found = await findUserById(db, userId);
  if (found === null || found.disabledAt !== null) throw invalidLink();
  checkPassword(password, found.email);
  await countAttempt(deps, throttleKey.passwordsWith(token), LINK_LIMIT);
  const passwordHash = await hashPassword(password);
  const email = await changeAs(deps, userAuthor(userId), async (change) => {
    const user = await lockUser(change.trx, userId);
    const used = await change.trx
      .deleteFrom('account_token')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', timestamp(change.now))
      .executeTakeFirst();
    if (used.numDeletedRows !== 1n || user.disabledAt !== null) throw invalidLink();
    const sessionsEnded = await setPassword(change, user, { passwordHash, keepSessionId: null });
    const details = { sessionsEnded };
    await writeAudit(change, { merchantId: user.merchantId, what: 'user.password_reset', subjectId: userId, details });
    return user.email;
  });
  // A user who can read the email need not wait because of other people's attempts.
  await forgetPasswordAttempts(db, email);
}

/**
 * Emails a link to set a new password, valid once and for one hour; also to an invited user who
 * lost that email. Does nothing for an address without a login. The lookup runs in `runLater`,
 * which a caller that responds to strangers does not await, so that neither response nor timing
 * reveals whether a login exists. Throws `TOO_MANY_ATTEMPTS` in both cases.
 */
export async function requestPasswordReset(
  deps: AccountsDeps,
  { email, address }: { readonly email: string; readonly address: string },
  runLater: (work: () => Promise<void>) => void | Promise<void> = (work) => work(),
): Promise<void> {
  await countAttempt(deps, throttleKey.emailsFrom(address), MAILER_LIMIT);
  await countAttempt(deps, throttleKey.passwordResetsOf(email), MAIL_LIMIT);
  await runLater(() => sendLink(deps, email));
}

/** The login whose password a link sets. */
export interface PasswordLink {
  readonly purpose: TokenPurpose;
  readonly email: string;
  readonly role: UserRole;
  /** Null for users of the service. */
  readonly merchantName: string | null;
}

/**
 * Reads what a link of an email is for, without using it up. Any other token throws `INVALID_LINK`,
 * as `resetPassword` does, so that it reveals no login.
 */
export async function readPasswordLink(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  token: string,
): Promise<PasswordLink> {
  if (!isToken(token)) throw invalidLink();
  const link = await db
    .selectFrom('account_token as link')
    .innerJoin('merchant_user as person', 'person.id', 'link.user_id')
    .leftJoin('merchant', 'merchant.id', 'person.merchant_id')
    .select(['link.purpose', 'person.email', 'person.role', 'merchant.name as merchantName'])
    .where('link.token_hash', '=', hashToken(token))
    .where('link.expires_at', '>', timestamp(clock.now()))
    .where('person.disabled_at', 'is', null)
    .executeTakeFirst();
  if (link === undefined) throw invalidLink();
  return link;
}

// Helpers

async function sendLink(deps: AccountsDeps, email: string): Promise<void> {
  const found = await findUserByEmail(deps.db, email);
  if (found === null) return;
  await changeAs(deps, userAuthor(found.id), async (change) => {
    const user = await lockUser(change.trx, found.id);
    if (user.disabledAt !== null) return;
    const { id: userId, merchantId } = user;
    const token = await issueAccountToken(change.trx, { userId, purpose: 'password_reset', now: change.now });
    await emailUser(change, user, EMAIL_TEMPLATES.passwordReset(deps.publicUrl, token));
    const unknown = { ...change, who: STRANGER };
    await writeAudit(unknown, { merchantId, what: 'user.password_reset_requested', subjectId: userId });
  });
}
