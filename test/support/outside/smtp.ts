import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { MailConfig } from '../../../src/platform/config/index.ts';

/**
 * An SMTP server on a loopback port that acts like a provider's and can be set to reject emails.
 */
export interface TestSmtp {
  readonly port: number;
  /** Every email whose content has arrived, in order, even if rejected or not answered. */
  readonly mails: readonly ReceivedMail[];
  /** Logins, successful or not. */
  readonly logins: readonly { readonly user: string; readonly password: string; readonly isEncrypted: boolean }[];
  /** Replies to the next emails, one each; afterwards the usual 250 applies again. */
  plan(...responses: readonly SmtpResponse[]): void;
  /** Replies to all emails that are hanging. */
  release(): void;
  close(): Promise<void>;
}

export interface ReceivedMail extends Email {
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  readonly isEncrypted: boolean;
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined;
}

export type SmtpResponse =
  | { readonly at: 'mail' | 'rcpt' | 'data'; readonly code: number; readonly text: string }
  /** Reads the content but holds the reply back until `release`; without `code` it is a success. */
  | { readonly at: 'hang'; readonly code?: number; readonly text?: string };

export interface TestSmtpOptions {
  readonly login?: { readonly user: string; readonly password: string };
  /** Does not offer STARTTLS. */
  readonly isPlain?: boolean;
  /** Implicit TLS. */
  readonly isTls?: boolean;
}

/** Starts an SMTP server with a self-signed certificate. */
export async function startSmtp(options: TestSmtpOptions = {}): Promise<TestSmtp> {
  const { login, isPlain = false, isTls = false } = options;
  const mails: ReceivedMail[] = [];
  const logins: TestSmtp['logins'][number][] = [];
  const planned: SmtpResponse[] = [];
  const hanging = new Set<() => void>();

  function rejectionAt(command: 'mail' | 'rcpt' | 'data'): Error | null {
    const [next] = planned;
    if (next === undefined || next.at === 'hang' || next.at !== command) return null;
    planned.shift();
    return rejection(next.code, next.text);
  }

  /** Resolves with the reply to the content of an email; null means accepted. */
  async function takeContent(stream: SMTPServerDataStream, { envelope, secure }: SMTPServerSession) {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const parsed = await PostalMime.parse(raw);
    mails.push({
      ...parsed,
      envelopeFrom: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      envelopeTo: envelope.rcptTo.map(({ address }) => address),
      isEncrypted: secure,
      header: (name) => parsed.headers.find(({ key }) => key === name)?.value,
    });
    const [next] = planned;
    if (next?.at !== 'hang') return rejectionAt('data');
    planned.shift();
    await new Promise<void>((resolve) => hanging.add(resolve));
    return next.code === undefined ? null : rejection(next.code, next.text);
  }

  const server = new SMTPServer({
    secure: isTls,
    logger: false,
    disableReverseLookup: true,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(isPlain ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    onAuth(auth, session, callback) {
      const { username: user = '', password = '' } = auth;
      logins.push({ user, password: password ?? '', isEncrypted: session.secure });
      const isRight = user === login?.user && password === login.password;
      if (isRight) callback(null, { user });
      else callback(Object.assign(new Error(`Authentication of ${user} failed`), { responseCode: 535 }));
    },
    onMailFrom: (_address, _session, callback) => callback(rejectionAt('mail')),
    onRcptTo: (_address, _session, callback) => callback(rejectionAt('rcpt')),
    onData(stream, session, response) {
      takeContent(stream, session).then(response, response);
    },
  });
  // Tests make clients disconnect on purpose.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  function release(): void {
    for (const letGo of hanging) letGo();
    hanging.clear();
  }

  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    plan: (...responses) => void planned.push(...responses),
    release,
    async close() {
      release();
      for (const connection of server.connections) connection.close();
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Mail settings that use a test server. */
export function mailConfig(port: number, smtp: Partial<MailConfig['smtp']> = {}): MailConfig {
  return {
    smtp: { host: '127.0.0.1', port, isTls: false, login: null, ...smtp },
    from: { name: 'Shop payments', address: 'pay@shop.example' },
  };
}

/**
 * No server listens there: mail stays `queued`; without these settings it would soon be `stored`.
 */
export const NO_SERVER_RESPONDS = mailConfig(1);

// Helpers

function rejection(code: number, text = 'no'): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
