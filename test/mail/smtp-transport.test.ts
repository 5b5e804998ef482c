import { afterEach, describe, expect, test } from 'vitest';
import type { SendResult } from '../../src/mail/classify-send-error.ts';
import type { QueuedEmail } from '../../src/mail/mail-queue.ts';
import { createSmtpTransport, tlsPolicy } from '../../src/mail/smtp-transport.ts';
import {
  mailConfig,
  type SmtpResponse,
  startSmtp,
  type TestSmtp,
  type TestSmtpOptions,
} from '../support/outside/smtp.ts';

const LOGIN = { user: 'shop', password: 'hunter2/ü%' };
const MAIL: QueuedEmail = {
  id: 'eml_00000000000000000000000000',
  recipient: 'zoe@customer.example',
  fromName: null,
  actorId: null,
  subject: 'Grüße ✓',
  text: 'plain ✓',
  html: '<p>rich ✓</p>',
  headers: {},
  tries: 1,
  uncertainTries: 0,
  isUncertain: false,
  createdAt: Date.UTC(2026, 10, 21, 10),
};
const never = new AbortController().signal;

describe('the SMTP transport', () => {
  let smtp: TestSmtp | undefined;
  afterEach(() => smtp?.close());

  async function start(options: TestSmtpOptions = {}, ...responses: SmtpResponse[]): Promise<TestSmtp> {
    smtp = await startSmtp(options);
    smtp.plan(...responses);
    return smtp;
  }

  test('sends text and HTML with a Message-ID derived from the mail, with STARTTLS where it is offered', async () => {
    const server = await start();
    const sender = createSmtpTransport(mailConfig(server.port));
    const headers = { 'List-Unsubscribe': '<https://pay.example/stop>' };
    expect(await sender.send({ ...MAIL, headers }, never)).toEqual({ kind: 'sent' });
    expect(await sender.send(MAIL, never)).toEqual({ kind: 'sent' });
    const [first, second] = server.mails;
    expect(first).toMatchObject({
      from: { name: 'Shop payments', address: 'pay@shop.example' },
      to: [{ name: '', address: MAIL.recipient }],
      envelopeFrom: 'pay@shop.example',
      envelopeTo: [MAIL.recipient],
      subject: MAIL.subject,
      messageId: `<${MAIL.id}@shop.example>`,
      date: '2026-11-21T10:00:00.000Z',
      isEncrypted: true,
    });
    expect(first?.text?.trim()).toBe(MAIL.text);
    expect(first?.html?.trim()).toBe(MAIL.html);
    expect(first?.header('auto-submitted')).toBe('auto-generated');
    expect(first?.header('list-unsubscribe')).toBe(headers['List-Unsubscribe']);
    expect(second?.messageId).toBe(first?.messageId);
  });

  test.each<[string, TestSmtpOptions, { isTls: boolean }, boolean]>([
    ['plainly to this machine', { isPlain: true }, { isTls: false }, false],
    ['over TLS from the first byte', { isTls: true }, { isTls: true }, true],
    ['by STARTTLS', {}, { isTls: false }, true],
  ])('logs in %s', async (_name, options, { isTls }, isEncrypted) => {
    const server = await start({ ...options, login: LOGIN });
    const sender = createSmtpTransport(mailConfig(server.port, { isTls, login: LOGIN }));
    expect(await sender.send(MAIL, never)).toEqual({ kind: 'sent' });
    expect(server.logins).toEqual([{ ...LOGIN, isEncrypted }]);
  });

  test('sends no password to another machine that offers no encryption, or has no valid certificate', async () => {
    // 0.0.0.0 reaches this machine, but is not one of its loopback names.
    const login = { host: '0.0.0.0', login: LOGIN };
    for (const options of [{ isPlain: true }, {}]) {
      const server = await start({ ...options, login: LOGIN });
      const result = await createSmtpTransport(mailConfig(server.port, login)).send(MAIL, never);
      expect(result).toMatchObject({ kind: 'later', isServerAway: true });
      expect(reasonOf(result)).toMatch(/TLS|certificate/i);
      expect([server.logins, server.mails]).toEqual([[], []]);
      await server.close();
    }
  });

  test('requires encryption exactly where a password would cross a network', () => {
    const requires = (host: string, login: typeof LOGIN | null) => tlsPolicy({ host, login });
    for (const host of ['mail.example', '192.0.2.1', '127.example', '2001:db8::1']) {
      expect(requires(host, LOGIN)).toEqual({ requireTLS: true });
      expect(requires(host, null)).toEqual({ requireTLS: false });
    }
    for (const host of ['localhost', '127.0.0.1', '127.8.0.1', '::1']) {
      expect(requires(host, LOGIN)).toEqual({ requireTLS: false, tls: { rejectUnauthorized: false } });
    }
  });

  test.each<[string, SmtpResponse[], Partial<SendResult>]>([
    ['no such mailbox', [{ at: 'rcpt', code: 550, text: '5.1.1 <zoe@customer.example> unknown' }], { kind: 'bounced' }],
    ['a full mailbox', [{ at: 'rcpt', code: 452, text: '4.2.2 full' }], { kind: 'later', isServerAway: false }],
    ['greylisting', [{ at: 'rcpt', code: 451, text: '4.7.1 later' }], { kind: 'later', isServerAway: false }],
    ['a relay that is closed to us', [{ at: 'rcpt', code: 554, text: '5.7.1 relaying denied' }], { kind: 'later' }],
    ['our sender address', [{ at: 'mail', code: 550, text: '5.7.1 no' }], { kind: 'later', isServerAway: true }],
    ['a server that closes', [{ at: 'rcpt', code: 421, text: 'closing' }], { kind: 'later', isServerAway: true }],
    ['what the mail says', [{ at: 'data', code: 554, text: '5.7.1 spam' }], { kind: 'refused' }],
    ['a full disk', [{ at: 'data', code: 452, text: '4.3.1 full' }], { kind: 'later', isServerAway: false }],
  ])('distinguishes %s', async (_name, responses, expected) => {
    const server = await start({}, ...responses);
    const result = await createSmtpTransport(mailConfig(server.port)).send(MAIL, never);
    expect(result).toMatchObject(expected);
    expect(reasonOf(result)).toContain(
      String(responses.flatMap((response) => ('code' in response ? response.code : []))[0]),
    );
    expect(reasonOf(result)).not.toMatch(/zoe/i);
  });

  test('reports a wrong password, a missing login and an unreachable server as retryable server failures, and reveals no secret', async () => {
    const server = await start({ login: LOGIN });
    const wrong = await createSmtpTransport(
      mailConfig(server.port, { login: { user: 'shop@shop.example', password: 'other' } }),
    ).send(MAIL, never);
    expect(wrong).toMatchObject({ kind: 'later', isServerAway: true });
    expect(reasonOf(wrong)).toContain('535');
    expect(reasonOf(wrong)).not.toMatch(/other|shop@shop/);
    const missing = await createSmtpTransport(mailConfig(server.port)).send(MAIL, never);
    expect(missing).toMatchObject({ kind: 'later', isServerAway: true });
    await server.close();
    const dead = await createSmtpTransport(mailConfig(server.port)).send(MAIL, never);
    expect(dead).toMatchObject({ kind: 'later', isServerAway: true });
    expect(reasonOf(dead)).toContain('ECONNREFUSED');
  });

  test('reports a server that offers no login although a password is set', async () => {
    const server = await start();
    const result = await createSmtpTransport(mailConfig(server.port, { login: LOGIN })).send(MAIL, never);
    expect(result).toMatchObject({ kind: 'later', isServerAway: true });
    expect(server.mails).toEqual([]);
  });

  test('sends to one address only, whatever it contains, and lets no text become a header', async () => {
    const server = await start();
    const sender = createSmtpTransport(mailConfig(server.port));
    const evil = {
      ...MAIL,
      subject: 'Hello\r\nBcc: all@other.example',
      headers: { 'X-Note': 'a\r\nBcc: b@other.example' },
    };
    expect(await sender.send(evil, never)).toEqual({ kind: 'sent' });
    expect(server.mails[0]?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(server.mails[0]?.envelopeTo).toEqual([MAIL.recipient]);
    for (const recipient of ['a@x.example, b@y.example', 'a@x.example>\r\nRCPT TO:<b@y.example', '']) {
      const result = await sender.send({ ...MAIL, recipient }, never);
      expect(result.kind).not.toBe('sent');
    }
    expect(server.mails).toHaveLength(1);
  });

  test.each([
    ['Tea & Co.', 'Tea & Co.'],
    ['Zoë’s Café 🍰', 'Zoë’s Café 🍰'],
    ['"Quoted" \\ back', '"Quoted" \\ back'],
    ['Bank <help@bank.example>, a@b.example', 'Bank <help@bank.example>, a@b.example'],
    ['Tea\r\nBcc: all@other.example\u2028x\u0000', 'Tea Bcc: all@other.example x'],
    ['half \ud83c of a character', 'half of a character'],
    ['ü'.repeat(300), 'ü'.repeat(100)],
    ['=?utf-8?q?Bank=0D=0ABcc?=', '= ?utf-8?q?Bank=0D=0ABcc?='],
    [' \r\n\t', 'Shop payments'],
  ])('sends from the address of the installation with the name %j', async (fromName, name) => {
    const server = await start();
    expect(await createSmtpTransport(mailConfig(server.port)).send({ ...MAIL, fromName }, never)).toEqual({
      kind: 'sent',
    });
    const [mail] = server.mails;
    expect(mail?.from).toEqual({ name, address: 'pay@shop.example' });
    expect(mail?.envelopeFrom).toBe('pay@shop.example');
    expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail?.headers.filter(({ key }) => key === 'from')).toHaveLength(1);
    expect(mail?.subject).toBe(MAIL.subject);
  });

  test('rejects when the connection is cut, because the outcome is unknown', async () => {
    const server = await start({}, { at: 'hang' });
    const closing = new AbortController();
    const sending = createSmtpTransport(mailConfig(server.port)).send(MAIL, closing.signal);
    const outcome = sending.catch((error: unknown) => error);
    await expect.poll(() => server.mails.length, { timeout: 10_000 }).toBe(1);
    closing.abort();
    expect(await outcome).toBeInstanceOf(Error);
  });
});

// Helpers

function reasonOf(result: SendResult): string {
  return 'reason' in result ? result.reason : '';
}
