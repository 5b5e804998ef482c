import { bad, good, type Parser } from './parsers.ts';

/** Settings for sending email. */
export interface MailConfig {
  readonly smtp: SmtpServer;
  readonly from: MailSender;
}

/** The SMTP server for outgoing email. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps://`); otherwise STARTTLS. */
  readonly isTls: boolean;
  /** Never include the password in a message. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** The sender of outgoing email. */
export interface MailSender {
  /** Display name; may be empty. */
  readonly name: string;
  readonly address: string;
}

/** `smtp://user:password@host:587` or `smtps://…`; user and password percent-encoded if needed. */
export const smtpUrl: Parser<SmtpServer> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !(url.protocol in DEFAULT_PORTS) || url.hostname === '') {
    return bad(`must be a URL such as ${SMTP_EXAMPLE} or smtps://…`);
  }
  if (!/^\/?$/.test(url.pathname) || /[?#]/.test(text)) {
    return bad(`must end after the port: ${SMTP_EXAMPLE}; write ?, # and / in a password as %3F, %23 and %2F`);
  }
  if ((url.username === '') !== (url.password === '')) {
    return bad('must have a user name and a password, or neither');
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null) return bad('has a % in its user name or password; write it as %25');
  const isTls = url.protocol === 'smtps:';
  return good({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port),
    isTls,
    login: user === '' ? null : { user, password },
  });
};

/** `pay@shop.example`, or `Shop payments <pay@shop.example>`; the name may be double-quoted. */
export const mailSender: Parser<MailSender> = (text) => {
  const [, quoted, plain, bracketed] = /^(?:"([^"]*)"|([^"<>]*?))\s*<([^<>]*)>$/.exec(text) ?? [];
  const name = quoted ?? plain ?? '';
  const address = bracketed ?? text;
  if (!ADDRESS.test(address)) {
    return bad('must be one email address, or a name and an address such as "Shop payments <pay@shop.example>"');
  }
  if (name.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    return bad(`must have a name of at most ${MAX_NAME_CHARACTERS} characters without line breaks`);
  }
  return good({ name: name.trim(), address });
};

// Helpers

const SMTP_EXAMPLE = 'smtp://user:password@mail.example:587';

/** Submission (RFC 6409) and submission over TLS (RFC 8314). */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

const MAX_NAME_CHARACTERS = 100;

/** An ASCII email address (RFC 5321) without quoted local parts and address literals. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9-]{1,63})*$/;

/** Null for an invalid percent escape. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
