import { requireApproved } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { issueAccountToken } from '../account-tokens.ts';
import { type AccountsDeps, type Actor, changingAs } from '../deps.ts';
import { mailSecurityChange } from '../mails/mail-security-change.ts';
import { mailUser } from '../mails/notify-user.ts';
import { MAIL_TEMPLATES } from '../mails/templates.ts';
import { countAttempt, MAILER_LIMIT, throttleKey } from '../throttle.ts';
import { createUser } from './create-user.ts';
import { lockPeers } from './lock-peers.ts';
import { mayManage, type UserRole } from './role.ts';

export interface Invitation {
  readonly email: string;
  readonly role: UserRole;
  /** Null for operators of the service. */
  readonly merchantId: string | null;
}

/** Most logins of one merchant, and of the service. */
const MAX_USERS = 100;

/**
 * Creates a login and emails its owner a link to choose a password. Throws a
 * `TerminalError`: `FORBIDDEN`, `TOO_MANY_USERS`, `TOO_MANY_ATTEMPTS`,
 * `MERCHANT_NOT_APPROVED`, and what `createUser` throws.
 */
export async function inviteUser(deps: AccountsDeps, actor: Actor, invitation: Invitation): Promise<string> {
  // The response reveals whether an address has a login, and an email is sent: both must be
  // limited.
  await countAttempt(deps, throttleKey.mailsBy(actor.userId), MAILER_LIMIT);
  return changingAs(deps, actor.userId, async (change) => {
    const { trx, now } = change;
    const { merchantId } = invitation;
    const { actor: current, peers } = await lockPeers(trx, actor, merchantId);
    if (!mayManage(current, invitation)) throw forbidden();
    // An invitation sends the merchant's name to any address, like its emails to customers.
    if (merchantId !== null && actor.merchantId !== null) await requireApproved(trx, merchantId);
    if (peers.length >= MAX_USERS) {
      throw new TerminalError(
        'TOO_MANY_USERS',
        `The limit of ${MAX_USERS} users is reached; enable a disabled one instead`,
      );
    }
    const place = merchantId === null ? 'this payment service' : await nameOf(trx, merchantId);
    const { id: userId, email } = await createUser(change, { ...invitation, passwordHash: null });
    const token = await issueAccountToken(trx, { userId, purpose: 'invitation', now });
    await mailUser(change, { email, merchantId }, MAIL_TEMPLATES.invitation(deps.publicUrl, token, place));
    await mailSecurityChange(change, actor, {
      subject: `A user was invited to ${place}`,
      details: [
        ['Invited', email],
        ['Role', invitation.role],
      ],
    });
    return userId;
  });
}

export function forbidden(): TerminalError {
  return new TerminalError('FORBIDDEN', 'Your role does not allow this; ask an owner of the account');
}

// Helpers

async function nameOf(db: AccountsDeps['db'], merchantId: string): Promise<string> {
  const { name } = await db
    .selectFrom('merchant')
    .select('name')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return name;
}
