import { isIPv4 } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { MailConfig, SmtpServer } from '../config/index.ts';
import { classifySendError, type SendResult } from './classify.ts';
import type { QueuedMail } from './mail-queue.ts';

/** Hands mails to a mail server. */
export interface MailTransport {
  /** Never rejects for what the server or the network does. Rejects when `signal` fires: nobody knows then whether it was taken. */
  send(mail: QueuedMail, signal: AbortSignal): Promise<SendResult>;
}

/** One try, from the DNS query to the server's last word, in ms. */
export const SEND_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 20_000;
const SILENCE_TIMEOUT_MS = 60_000;

/**
 * Sends by SMTP, each mail over a connection of its own: they are few, and a connection that was kept open is one that may be
 * dead. The Message-ID follows from the mail's id, so whoever gets a mail twice can tell.
 */
export function createSmtpTransport({ smtp, from }: MailConfig): MailTransport {
  let mailer: Promise<Transporter> | null = null;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    async send({ id, recipient, fromName, subject, text, html, headers, createdAt }, signal) {
      if (!ONE_ADDRESS.test(recipient)) return { kind: 'bounced', reason: 'this is not the address of one mailbox' };
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
          // RFC 3834: nobody's absence note should answer.
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

/** The library is loaded for the first mail: most who load this file never send one. */
export async function createMailer(smtp: SmtpServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isTls,
    ...tlsPolicy(smtp),
    // A server that offers no login is told apart from one that needs none.
    ...(smtp.login === null ? {} : { auth: { user: smtp.login.user, pass: smtp.login.password }, forceAuth: true }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // What is sent is text from the database, never the content of a file or a page it may name.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const MAX_NAME_CHARACTERS = 100;

/**
 * A name as it can stand in a header: one line, without controls and halves of characters, and nothing that a reader's program
 * would decode once more (RFC 2047). The library quotes and encodes the rest. Empty when nothing is left.
 */
function shownName(name: string | null): string {
  const line = (name ?? '')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim();
  return Array.from(line).slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

/** The library would read a list, or a name with an address, out of anything else. */
const ONE_ADDRESS = /^[^\s<>()[\],;:"\\@]{1,64}@[^\s<>()[\],;:"\\@]{1,255}$/;

/**
 * A password travels encrypted, to a server whose certificate is valid, or not at all: without this a machine in between need
 * only hide that the server offers STARTTLS. Without a password encryption is used where it is offered. On this very
 * machine there is nobody in between, and local servers have certificates nobody signed.
 */
export function tlsPolicy({ host, login }: Pick<SmtpServer, 'host' | 'login'>): {
  readonly requireTLS: boolean;
  readonly tls?: { readonly rejectUnauthorized: false };
} {
  const isHere = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  return isHere ? { requireTLS: false, tls: { rejectUnauthorized: false } } : { requireTLS: login !== null };
}
