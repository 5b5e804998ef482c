import { changeAs, requireApproved, userAuthor } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { emailSecurityChange } from '../emails/email-security-change.ts';
import { countAttempt, MAILER_LIMIT, throttleKey } from '../throttle.ts';
import { createUser } from './create-user.ts';
import { lockPeers } from './lock-peers.ts';
import { mayManage, type UserRole } from './role.ts';
import { sendInvitation } from './send-invitation.ts';

export interface Invitation {
  readonly email: string;
  readonly role: UserRole;
  /** Null for operators of the service. */
  readonly merchantId: string | null;
}

export interface InvitedUser {
  readonly id: string;
  /** Where the user chooses a password; null when it is emailed, which is safer. */
  readonly invitationUrl: string | null;
}

/** Maximum number of logins of one merchant, and of the service. */
const MAX_USERS = 100;

/**
 * Creates a login and emails its owner a link to choose a password. Where the service sends no
 * emails, an operator hands over the link. Throws a `TerminalError`: `FORBIDDEN`,
 * `TOO_MANY_USERS`, `TOO_MANY_ATTEMPTS`, `MERCHANT_NOT_APPROVED`, and what `createUser` and
 * `sendInvitation` throw.
 */
export async function inviteUser(
  deps: AccountsDeps,
  signedIn: SignedInUser,
  invitation: Invitation,
  { sendsMails }: { readonly sendsMails: boolean },
): Promise<InvitedUser> {
  // The response reveals whether an address is taken, and an email is sent: both must be limited.
  await countAttempt(deps, throttleKey.emailsBy(signedIn.userId), MAILER_LIMIT);
  return changeAs(deps, userAuthor(signedIn.userId), async (change) => {
    const { trx } = change;
    const { merchantId } = invitation;
    const { signedIn: current, peers } = await lockPeers(trx, signedIn, merchantId);
    if (!mayManage(current, invitation)) throw forbidden();
    // An invitation sends the merchant's name to any address, like its emails to customers.
    if (merchantId !== null && signedIn.merchantId !== null) await requireApproved(trx, merchantId);
    if (peers.length >= MAX_USERS) {
      throw new TerminalError(
        'TOO_MANY_USERS',
        `The limit of ${MAX_USERS} users is reached; enable a disabled one instead`,
      );
    }
    const { id, email } = await createUser(change, { ...invitation, passwordHash: null });
    const sent = await sendInvitation(deps, change, { id, email, merchantId }, { sendsMails });
    await emailSecurityChange(change, signedIn, {
      subject: `A user was invited to ${sent.accountName}`,
      details: [
        ['Invited', email],
        ['Role', invitation.role],
      ],
    });
    return { id, invitationUrl: sent.invitationUrl };
  });
}

export function forbidden(): TerminalError {
  return new TerminalError('FORBIDDEN', 'Your role does not allow this; ask an owner of the account');
}
