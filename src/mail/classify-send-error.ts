import { messageOf } from '../platform/errors.ts';
import { scrubText } from '../platform/log.ts';

/** Result of one attempt to send an email. Reasons contain no addresses. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** The server rejects the recipient: the mailbox does not exist or accepts no email. */
  | { readonly kind: 'bounced'; readonly reason: string }
  /** The server rejects this message. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Temporary failure. With `isServerAway` every other email would have failed too. */
  | { readonly kind: 'later'; readonly reason: string; readonly isServerAway: boolean };

/**
 * Classifies an error of nodemailer. RFC 5321 calls every 5yz reply permanent, but what it applies
 * to depends on the command: a wrong password, a sender address the server does not allow and a
 * relay that does not know us are configuration errors of this installation, which an operator can
 * fix, and must not fail any email. So only a reply to the recipient or to the message itself is
 * final for an email, and of those to the recipient not the ones about policy (X.7.Z, RFC 3463):
 * "relaying denied" says nothing about the mailbox.
 */
export function classifySendError(error: unknown, recipient: string): SendResult {
  const { code = '', command = '', responseCode = 0, response = '' } = error as Partial<SmtpError>;
  const reason = reasonOf(error, recipient);
  // Not sent: the address or the message cannot be expressed in SMTP at all.
  if (command === 'API' && (code === 'EENVELOPE' || code === 'EMESSAGE')) return { kind: 'bounced', reason };
  // 503 is about the order of commands and 421 is temporary, for any command.
  const isFinal = responseCode >= 500 && responseCode < 600 && responseCode !== 503;
  if (isFinal && command === 'RCPT TO' && !POLICY_REPLY.test(response)) return { kind: 'bounced', reason };
  if (isFinal && command === 'DATA') return { kind: 'refused', reason };
  const isAboutThisEmail = responseCode !== 421 && (command === 'RCPT TO' || command === 'DATA');
  return { kind: 'later', reason, isServerAway: !isAboutThisEmail };
}

// Helpers

/** Fields that nodemailer adds to its errors. */
interface SmtpError {
  readonly code: string;
  readonly command: string;
  readonly responseCode: number;
  readonly response: string;
}

const MAX_REASON_CHARACTERS = 300;

const POLICY_REPLY = /^5\d\d[ -]5\.7\.\d/;

/** Servers often repeat the address in their reply. */
function reasonOf(error: unknown, recipient: string): string {
  const [localPart = ''] = recipient.split('@');
  const { code } = error as Partial<SmtpError>;
  const message = messageOf(error).replace(/\s+/g, ' ');
  const named = code === undefined || message.includes(code) ? message : `${code}: ${message}`;
  const hidden = [recipient, `<${localPart}>`].reduce((text, address) => replaceEvery(text, address), named);
  return scrubText(hidden).slice(0, MAX_REASON_CHARACTERS);
}

function replaceEvery(text: string, address: string): string {
  if (address.length <= '<>'.length) return text;
  return text.replace(new RegExp(escapeRegExp(address), 'gi'), '[redacted]');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
