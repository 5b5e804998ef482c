import { insertMails, type MailContent, paragraph, renderMail } from '../../mail/index.ts';
import type { Change } from '../../merchants/index.ts';
import { newToken } from '../token.ts';

/**
 * Security events that the owner of a login is notified of by mail, in case
 * someone else caused them.
 */
export type SecurityEvent = 'password_changed' | 'totp_confirmed' | 'totp_disabled' | 'recovery_code_used';

/** Queues the mail in the commit of the event. */
export async function notifyUser(
  change: Change,
  user: { readonly email: string; readonly merchantId: string | null },
  news: SecurityEvent,
): Promise<void> {
  const [subject, sentence] = WORDS[news];
  await mailUser(change, user, {
    subject,
    blocks: [
      paragraph(sentence),
      {
        kind: 'paragraph',
        text: 'If that was you, there is nothing to do. If not, set a new password at once and end all sessions.',
      },
    ],
  });
}

/** Queues an email to the owner of a login. */
export async function mailUser(
  { trx, now }: Pick<Change, 'trx' | 'now'>,
  { email, merchantId }: { readonly email: string; readonly merchantId: string | null },
  content: Pick<MailContent, 'subject' | 'blocks'>,
): Promise<void> {
  const mail = renderMail({ ...content, to: null, footer: 'Sent because of the login that has this address.' });
  // Each mail is written once, in the commit of its cause, so it needs no deduplication.
  await insertMails(trx, [{ ...mail, merchantId, recipient: email, dedupeKey: newToken(), createdAt: now }]);
}

// Helpers

const WORDS: Readonly<Record<SecurityEvent, readonly [subject: string, sentence: string]>> = {
  password_changed: ['Your password was changed', 'The password of your login was changed.'],
  totp_confirmed: ['Two-step sign-in is on', 'Signing in to your account asks for a code of an authenticator app now.'],
  totp_disabled: ['Two-step sign-in is off', 'Signing in to your account does not ask for a second code any more.'],
  recovery_code_used: ['A recovery code was used', 'A recovery code was used in place of your authenticator app.'],
};
