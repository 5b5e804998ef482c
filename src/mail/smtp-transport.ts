import { isIPv4 } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { MailConfig, SmtpServer } from '../platform/config/index.ts';
import { messageOf } from '../platform/errors.ts';
import { classifySendError, type SendResult } from './classify-send-error.ts';
import type { QueuedEmail } from './mail-queue.ts';

/** Sends emails through a mail server. */
export interface MailTransport {
  /**
   * Never rejects because of the server or the network. Rejects when `signal` fires: whether the
   * email was accepted is then unknown.
   */
  send(email: QueuedEmail, signal: AbortSignal): Promise<SendResult>;
}

/** Timeout of one attempt, from the DNS query to the server's last reply, in ms. */
export const SEND_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 20_000;
const SILENCE_TIMEOUT_MS = 60_000;

/**
 * Sends by SMTP, with a new connection for each email: they are few, and an idle connection may be
 * dead. The Message-ID is derived from the email's id, so that recipients can detect duplicates.
 */
export function createSmtpTransport({ smtp, from }: MailConfig): MailTransport {
  let mailer: Promise<Transporter> | null = null;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    async send({ id, recipient, fromName, subject, text, html, headers, createdAt }, signal) {
      if (!ONE_ADDRESS.test(recipient)) return { kind: 'bounced', reason: 'not the address of a single mailbox' };
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
      try {
        mailer ??= createMailer(smtp);
        await (await mailer).sendMail({
          envelope: { from: from.address, to: [recipient] },
          from: { name: shownName(fromName) || from.name, address: from.address },
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          date: new Date(createdAt),
          // RFC 3834: prevents automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          signal: deadline,
        });
        return { kind: 'sent' };
      } catch (error) {
        signal.throwIfAborted();
        return classifySendError(error, recipient);
      }
    },
  };
}

/** Loads the library on first use: most processes that import this file send no email. */
async function createMailer(smtp: SmtpServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isTls,
    ...tlsPolicy(smtp),
    // Fails if the server offers no authentication, instead of sending without it.
    ...(smtp.login === null ? {} : { auth: { user: smtp.login.user, pass: smtp.login.password }, forceAuth: true }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // The content is database text; it must not make the library read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const MAX_NAME_CHARACTERS = 100;

/**
 * A display name that is safe in a header: one line, without control characters and lone
 * surrogates, and nothing that a mail client would decode again (RFC 2047). The library quotes and
 * encodes the rest. Empty when nothing is left.
 */
function shownName(name: string | null): string {
  const line = (name ?? '')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim();
  return Array.from(line).slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

/** The library would parse anything else as a list, or as a name with an address. */
const ONE_ADDRESS = /^[^\s<>()[\],;:"\\@]{1,64}@[^\s<>()[\],;:"\\@]{1,255}$/;

/**
 * With a password, TLS with a valid certificate is required: otherwise an attacker in the middle
 * need only hide that the server offers STARTTLS. Without a password, TLS is used if offered. On
 * this host there is no one in the middle, and local servers have self-signed certificates.
 */
export function tlsPolicy({ host, login }: Pick<SmtpServer, 'host' | 'login'>): {
  readonly requireTLS: boolean;
  readonly tls?: { readonly rejectUnauthorized: false };
} {
  const isHere = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  return isHere ? { requireTLS: false, tls: { rejectUnauthorized: false } } : { requireTLS: login !== null };
}

/**
 * Connects to the mail server, authenticates if there is a login, and disconnects; sends nothing.
 * Resolves with null on success, else with the reason, without the user and password.
 */
export async function tryMailLogin({ smtp }: Pick<MailConfig, 'smtp'>): Promise<string | null> {
  const mailer = await createMailer(smtp);
  try {
    await mailer.verify();
    return null;
  } catch (error) {
    const reason = messageOf(error);
    const { login } = smtp;
    return login === null
      ? reason
      : reason.replaceAll(login.password, '[redacted]').replaceAll(login.user, '[redacted]');
  } finally {
    mailer.close();
  }
}
