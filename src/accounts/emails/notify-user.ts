import { paragraph, queueEmails, renderEmail } from '../../mail/index.ts';
import type { AuditedChange } from '../../merchants/index.ts';
import { newToken } from '../token.ts';
import type { UserEmail } from './templates.ts';

/** Security events that are emailed to the owner of a login, in case someone else caused them. */
export type SecurityEvent = 'password_changed' | 'totp_confirmed' | 'totp_disabled' | 'recovery_code_used';

/** Queues the email in the commit of the event. */
export async function notifyUser(
  change: AuditedChange,
  user: { readonly email: string; readonly merchantId: string | null },
  event: SecurityEvent,
): Promise<void> {
  const [subject, sentence] = WORDS[event];
  await emailUser(change, user, {
    subject,
    blocks: [
      paragraph(sentence),
      {
        kind: 'paragraph',
        text: 'If that was you, no action is needed. If not, set a new password immediately and end all sessions.',
      },
    ],
  });
}

/** Queues an email to the owner of a login, or to the address of a sign-up. */
export async function emailUser(
  { trx, now }: Pick<AuditedChange, 'trx' | 'now'>,
  { email, merchantId }: { readonly email: string; readonly merchantId: string | null },
  { footer = FOOTER, ...content }: UserEmail,
): Promise<void> {
  const rendered = renderEmail({ ...content, to: null, footer });
  // Each email is queued once, in the commit of its cause, so it needs no deduplication.
  await queueEmails(trx, [{ ...rendered, merchantId, recipient: email, dedupeKey: newToken(), createdAt: now }]);
}

// Helpers

const FOOTER = 'You received this email because this address is registered for a login.';

const WORDS: Readonly<Record<SecurityEvent, readonly [subject: string, sentence: string]>> = {
  password_changed: ['Your password was changed', 'The password of your login was changed.'],
  totp_confirmed: [
    'Two-factor authentication is on',
    'Signing in to your account now requires a code from an authenticator app.',
  ],
  totp_disabled: ['Two-factor authentication is off', 'Signing in to your account no longer requires a second code.'],
  recovery_code_used: ['A recovery code was used', 'A recovery code was used instead of your authenticator app.'],
};
