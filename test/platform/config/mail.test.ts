import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ConfigError, loadConfig } from '../../../src/platform/config/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const FROM = { MAIL_FROM: 'pay@shop.example' };

describe('MAIL_BOUNCE_SECRET', () => {
  it('accepts one long word', () => {
    expect(loadConfig({ MAIL_BOUNCE_SECRET: 'x'.repeat(24) }).mailBounceSecret).toBe('x'.repeat(24));
    expect(loadConfig({}).mailBounceSecret).toBeNull();
  });

  test.each([
    'secret-word',
    `secret-word ${'x'.repeat(24)}`,
    `secret-word-ü-${'x'.repeat(24)}`,
    `secret-word${'x'.repeat(512)}`,
  ])('rejects %j, which is not repeated', (MAIL_BOUNCE_SECRET) => {
    const sent = errorsOf({ MAIL_BOUNCE_SECRET });
    expect(sent).toContain(
      'MAIL_BOUNCE_SECRET: its value must have 24 to 512 printable ASCII characters and no spaces',
    );
    expect(sent).not.toContain('secret-word');
  });
});

describe('SMTP_URL and MAIL_FROM', () => {
  it('are read', () => {
    const env = { SMTP_URL: 'smtp://shop:p%40ss%2Fw@mail.example:2525', MAIL_FROM: 'Shop payments <pay@shop.example>' };
    expect(loadConfig(env).mail).toEqual({
      smtp: { host: 'mail.example', port: 2525, isTls: false, login: { user: 'shop', password: 'p@ss/w' } },
      from: { name: 'Shop payments', address: 'pay@shop.example' },
    });
    expect(loadConfig({}).mail).toBeNull();
  });

  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, isTls: false }],
    ['smtps://mail.example/', { host: 'mail.example', port: 465, isTls: true }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, isTls: false }],
    ['smtp://[::1]:25', { host: '::1', port: 25, isTls: false }],
  ])('%s needs no login and gets the usual port', (SMTP_URL, expected) => {
    expect(loadConfig({ ...FROM, SMTP_URL }).mail?.smtp).toEqual({ ...expected, login: null });
  });

  test.each([
    ['pay@shop.example', { name: '', address: 'pay@shop.example' }],
    ['<pay@shop.example>', { name: '', address: 'pay@shop.example' }],
    ['"Shop, payments" <pay+x@shop.example>', { name: 'Shop, payments', address: 'pay+x@shop.example' }],
    ['Zoë <a@localhost>', { name: 'Zoë', address: 'a@localhost' }],
  ])('%s is a valid sender', (MAIL_FROM, from) => {
    expect(loadConfig({ SMTP_URL: 'smtp://localhost', MAIL_FROM }).mail?.from).toEqual(from);
  });

  test.each([
    [{ SMTP_URL: 'mail.example:587' }, 'SMTP_URL: its value must be a URL such as smtp://'],
    [{ SMTP_URL: 'https://mail.example' }, 'SMTP_URL: its value must be a URL such as smtp://'],
    [{ SMTP_URL: 'smtp://shop:secret-word/x@mail.example' }, 'SMTP_URL: its value must'],
    [{ SMTP_URL: 'smtp://shop:secret-word@mail.example/box' }, 'SMTP_URL: its value must end after the port'],
    [{ SMTP_URL: 'smtp://shop:secret-word@mail.example?tls=no' }, 'SMTP_URL: its value must end after the port'],
    [{ SMTP_URL: 'smtp://shop@mail.example' }, 'SMTP_URL: its value must have a user name and a password'],
    [{ SMTP_URL: 'smtp://shop:secret-word%zz@mail.example' }, 'SMTP_URL: its value has a % in its user name'],
    [{ MAIL_FROM: 'a@x.example, b@y.example' }, 'MAIL_FROM: '],
    [{ MAIL_FROM: 'Shop payments' }, 'must be one email address'],
    [{ MAIL_FROM: 'Shop <pay>' }, 'must be one email address'],
    [{ MAIL_FROM: 'Shop\u0000 <pay@shop.example>' }, 'without line breaks'],
  ])('%j is rejected with the remedy', (env, problem) => {
    const sent = errorsOf({ SMTP_URL: 'smtp://localhost', ...FROM, ...env });
    expect(sent).toContain(problem);
    expect(sent).not.toContain('secret-word');
  });

  it('must be set together', () => {
    expect(errorsOf(FROM)).toContain('SMTP_URL: is not set although MAIL_FROM is; set both or neither.');
    expect(errorsOf({ SMTP_URL: 'smtp://localhost' })).toContain('MAIL_FROM: is not set although SMTP_URL is');
  });

  it('accept any percent-encoded password', () => {
    assertProperty(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (password) => {
        const SMTP_URL = `smtp://shop:${encodeURIComponent(password)}@mail.example`;
        expect(loadConfig({ ...FROM, SMTP_URL }).mail?.smtp.login).toEqual({ user: 'shop', password });
      }),
    );
  });
});

// Helpers

function errorsOf(env: Readonly<Record<string, string>>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors.join('\n');
    throw error;
  }
  return '';
}
