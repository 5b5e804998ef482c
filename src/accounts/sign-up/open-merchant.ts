import {
  type AuditedChange,
  changeAs,
  PLAN_TIERS,
  upsertMerchant,
  userAuthor,
  writeAudit,
} from '../../merchants/index.ts';
import { isUniqueViolation } from '../../platform/db/index.ts';
import { issueAccountToken } from '../account-tokens.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { readEmail } from '../email.ts';
import { emailSecurityChange } from '../emails/email-security-change.ts';
import { emailUser } from '../emails/notify-user.ts';
import { EMAIL_TEMPLATES, invitationUrl } from '../emails/templates.ts';
import { countAttempt, MAILER_LIMIT, throttleKey } from '../throttle.ts';
import { createUser } from '../users/create-user.ts';
import { forbidden } from '../users/invite-user.ts';
import { lockPeers } from '../users/lock-peers.ts';
import { merchantNameTaken, readMerchantName, requireFreeName } from './sign-up.ts';

export interface NewMerchant {
  readonly name: string;
  /** Email address of the owner. */
  readonly email: string;
}

export interface OpenedMerchant {
  readonly id: string;
  /** Where the owner chooses a password; null when it is emailed, which is safer. */
  readonly invitationUrl: string | null;
}

/**
 * Creates a merchant and invites its first owner, as an operator. It counts as approved. Where the
 * service sends no emails, the operator hands over the link. Throws a `TerminalError`: `FORBIDDEN`,
 * `TOO_MANY_ATTEMPTS`, `INVALID_NAME`, `INVALID_EMAIL`, `MERCHANT_NAME_TAKEN` or `EMAIL_TAKEN`.
 */
export async function openMerchant(
  deps: AccountsDeps,
  signedIn: SignedInUser,
  shop: NewMerchant,
  { sendsMails }: { readonly sendsMails: boolean },
): Promise<OpenedMerchant> {
  await countAttempt(deps, throttleKey.emailsBy(signedIn.userId), MAILER_LIMIT);
  const [name, email] = [readMerchantName(shop.name, 'name'), readEmail(shop.email)];
  await requireFreeName(deps, name);
  return changeAs(deps, userAuthor(signedIn.userId), async (change) => {
    const { trx, now } = change;
    const { signedIn: current } = await lockPeers(trx, signedIn, null);
    if (current.role !== 'operator') throw forbidden();
    const id = await makeMerchant(change, { name, email });
    await writeAudit(change, { merchantId: id, what: 'merchant.provisioned', subjectId: id });
    const { id: userId } = await createUser(change, { email, role: 'owner', merchantId: id, passwordHash: null });
    const token = await issueAccountToken(trx, { userId, purpose: 'invitation', now });
    await emailUser(change, { email, merchantId: id }, EMAIL_TEMPLATES.invitation(deps.publicUrl, token, name));
    await emailSecurityChange(change, signedIn, {
      subject: 'A merchant was created',
      details: [
        ['Merchant', name],
        ['Owner', email],
      ],
    });
    return { id, invitationUrl: sendsMails ? null : invitationUrl(deps.publicUrl, token) };
  });
}

// Helpers

/**
 * Creates a merchant with the first plan. An existing merchant with this name must not be updated,
 * because it is another account: throws a `TerminalError` `MERCHANT_NAME_TAKEN`.
 */
export async function makeMerchant(
  change: AuditedChange,
  { name, email }: { name: string; email: string },
): Promise<string> {
  const [plan] = PLAN_TIERS;
  const { id, created } = await upsertMerchant(change.trx, { name, email, plan, settings: {} }).catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? merchantNameTaken() : error;
    },
  );
  if (!created) throw merchantNameTaken();
  return id;
}
