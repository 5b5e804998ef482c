import { changeAs, requireApproved, userAuthor, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { emailSecurityChange } from '../emails/email-security-change.ts';
import { countAttempt, MAIL_LIMIT, MAILER_LIMIT, throttleKey } from '../throttle.ts';
import { requireManaged } from './manage-user.ts';
import { sendInvitation } from './send-invitation.ts';
import { lockUser } from './user-rows.ts';

/**
 * Sends a user who has not chosen a password yet a new link, as `inviteUser` does; the earlier one
 * stops working. Throws a `TerminalError`: `ALREADY_ACCEPTED`, `TOO_MANY_ATTEMPTS`,
 * `MERCHANT_NOT_APPROVED`, and what `requireManaged` and `sendInvitation` throw.
 */
export async function resendInvitation(
  deps: AccountsDeps,
  signedIn: SignedInUser,
  userId: string,
  { sendsMails }: { readonly sendsMails: boolean },
): Promise<{ readonly invitationUrl: string | null }> {
  await countAttempt(deps, throttleKey.emailsBy(signedIn.userId), MAILER_LIMIT);
  return changeAs(deps, userAuthor(signedIn.userId), async (change) => {
    const { merchantId } = await requireManaged(change.trx, signedIn, userId);
    if (merchantId !== null) await requireApproved(change.trx, merchantId);
    const user = await lockUser(change.trx, userId);
    if (user.passwordHash !== null || user.disabledAt !== null) throw alreadyAccepted();
    await countAttempt({ db: change.trx, clock: deps.clock }, throttleKey.emailsTo(user.email), MAIL_LIMIT);
    const { accountName, invitationUrl } = await sendInvitation(deps, change, user, { sendsMails });
    await emailSecurityChange(change, signedIn, {
      subject: `The invitation to ${accountName} was sent again`,
      details: [['Invited', user.email]],
    });
    await writeAudit(change, { merchantId, what: 'user.invitation_resent', subjectId: userId });
    return { invitationUrl };
  });
}

// Helpers

function alreadyAccepted(): TerminalError {
  return new TerminalError('ALREADY_ACCEPTED', 'Only users who have not chosen a password yet can be invited again');
}
