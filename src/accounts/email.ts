import { createHash } from 'node:crypto';
import { isEmailAddress, mailboxOf } from '../platform/email-address.ts';
import { TerminalError } from '../platform/errors.ts';

/**
 * The email address in the form that is stored. Throws a `TerminalError` `INVALID_EMAIL` unless it
 * has the usual form of RFC 5321, in ASCII, without quoted parts.
 */
export function readEmail(text: string): string {
  const email = text.trim();
  if (isEmailAddress(email)) return email;
  throw new TerminalError('INVALID_EMAIL', 'email must be an email address like name@shop.example', {
    field: 'email',
  });
}

/** Hash of an address, for counters. The same regardless of case and surrounding spaces. */
export function hashEmail(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
}

/** Hash of the mailbox of an address: the same for each of its `+tag` addresses. */
export function hashMailbox(email: string): string {
  return hashEmail(mailboxOf(email));
}
