import type { AuditedChange } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { issueAccountToken } from '../account-tokens.ts';
import type { AccountsDeps } from '../deps.ts';
import { emailUser } from '../emails/notify-user.ts';
import { EMAIL_TEMPLATES, invitationUrl } from '../emails/templates.ts';

export interface InvitedLogin {
  readonly id: string;
  readonly email: string;
  readonly merchantId: string | null;
}

export interface SentInvitation {
  /** What the user is invited to, as the email names it. */
  readonly accountName: string;
  /** For the operator to hand over; null when it is emailed, which is safer. */
  readonly invitationUrl: string | null;
}

/**
 * Emails a new link to choose a password, which replaces an earlier one. Where the service sends
 * no emails, operators get the link of a login of the service. An owner does not: anyone with the
 * link of a colleague could act in their name. Throws a `TerminalError` `SENDS_NO_MAILS` for them.
 */
export async function sendInvitation(
  { publicUrl }: Pick<AccountsDeps, 'publicUrl'>,
  change: AuditedChange,
  { id: userId, email, merchantId }: InvitedLogin,
  { sendsMails }: { readonly sendsMails: boolean },
): Promise<SentInvitation> {
  const { trx, now } = change;
  if (!sendsMails && merchantId !== null) throw sendsNoMails();
  const accountName = merchantId === null ? 'this payment service' : await nameOf(trx, merchantId);
  const token = await issueAccountToken(trx, { userId, purpose: 'invitation', now });
  await emailUser(change, { email, merchantId }, EMAIL_TEMPLATES.invitation(publicUrl, token, accountName));
  return { accountName, invitationUrl: sendsMails ? null : invitationUrl(publicUrl, token) };
}

// Helpers

function sendsNoMails(): TerminalError {
  return new TerminalError('SENDS_NO_MAILS', 'This service sends no emails; ask its operator');
}

async function nameOf(db: AuditedChange['trx'], merchantId: string): Promise<string> {
  const { name } = await db
    .selectFrom('merchant')
    .select('name')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return name;
}
