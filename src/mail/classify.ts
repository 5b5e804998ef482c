import { messageOf } from '../errors.ts';
import { scrubText } from '../log.ts';

/** What became of one try to send a mail. Reasons hold no addresses. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** The server knows of no such mailbox, or it takes nothing: the address is no good. */
  | { readonly kind: 'bounced'; readonly reason: string }
  /** The server does not want this mail. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Not this time. With `isServerAway` no other mail would have fared better. */
  | { readonly kind: 'later'; readonly reason: string; readonly isServerAway: boolean };

/**
 * Says what an error of nodemailer means for the mail. RFC 5321 calls every 5yz reply final, but final *for what* depends on the
 * command: a wrong password, a sender the server does not let us use and a relay that does not know us are mistakes of this
 * installation, which an operator mends, and no mail should die of them. So only a reply to the recipient or to the
 * message itself ends a mail, and of those to the recipient not the ones about policy (X.7.Z, RFC 3463): "relaying
 * denied" says nothing about the mailbox.
 */
export function classifySendError(error: unknown, recipient: string): SendResult {
  const { code = '', command = '', responseCode = 0, response = '' } = error as Partial<SmtpError>;
  const reason = reasonOf(error, recipient);
  // Sent to nobody yet: the address or the message cannot be written as SMTP at all.
  if (command === 'API' && (code === 'EENVELOPE' || code === 'EMESSAGE')) return { kind: 'bounced', reason };
  // 503 complains about the order of commands and 421 about the moment, whatever was asked.
  const isFinal = responseCode >= 500 && responseCode < 600 && responseCode !== 503;
  if (isFinal && command === 'RCPT TO' && !POLICY_REPLY.test(response)) return { kind: 'bounced', reason };
  if (isFinal && command === 'DATA') return { kind: 'refused', reason };
  const isAboutThisMail = responseCode !== 421 && (command === 'RCPT TO' || command === 'DATA');
  return { kind: 'later', reason, isServerAway: !isAboutThisMail };
}

// Helpers

/** What nodemailer adds to its errors. */
interface SmtpError {
  readonly code: string;
  readonly command: string;
  readonly responseCode: number;
  readonly response: string;
}

const MAX_REASON_CHARACTERS = 300;

const POLICY_REPLY = /^5\d\d[ -]5\.7\.\d/;

/** Servers like to repeat the address in their answer. */
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
