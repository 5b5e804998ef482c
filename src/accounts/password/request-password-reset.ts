import { writeAudit } from '../../merchants/index.ts';
import { issueAccountToken } from '../account-tokens.ts';
import { type AccountsDeps, changingAs } from '../deps.ts';
import { mailUser } from '../mails/notify-user.ts';
import { MAIL_TEMPLATES } from '../mails/templates.ts';
import { STRANGER } from '../sessions/note-refusal.ts';
import { MAIL_LIMIT, MAILER_LIMIT, takeAttempt, throttleKey } from '../throttle.ts';
import { findUserByEmail, lockUser } from '../users/user-rows.ts';

/**
 * Mails a link to set a new password, valid once and for one hour; also to an invited user who lost
 * that mail. Does nothing for an address without a login. The lookup runs in `runLater`, which a
 * caller that answers strangers does not await, so that neither response nor timing reveals whether
 * a login exists. Throws `TOO_MANY_ATTEMPTS` in both cases.
 */
export async function requestPasswordReset(
  deps: AccountsDeps,
  { email, address }: { readonly email: string; readonly address: string },
  runLater: (work: () => Promise<void>) => void | Promise<void> = (work) => work(),
): Promise<void> {
  await takeAttempt(deps, throttleKey.mailsFrom(address), MAILER_LIMIT);
  await takeAttempt(deps, throttleKey.mailsTo(email), MAIL_LIMIT);
  await runLater(() => sendLink(deps, email));
}

// Helpers

async function sendLink(deps: AccountsDeps, email: string): Promise<void> {
  const found = await findUserByEmail(deps.db, email);
  if (found === null) return;
  await changingAs(deps, found.id, async (change) => {
    const user = await lockUser(change.trx, found.id);
    if (user.disabledAt !== null) return;
    const { id: userId, merchantId } = user;
    const token = await issueAccountToken(change.trx, { userId, purpose: 'password_reset', now: change.now });
    await mailUser(change, user, MAIL_TEMPLATES.passwordReset(deps.publicUrl, token));
    const unknown = { ...change, who: STRANGER };
    await writeAudit(unknown, { merchantId, what: 'user.password_reset_requested', subjectId: userId });
  });
}
