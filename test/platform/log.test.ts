import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newToken } from '../../src/accounts/token.ts';
import { createLogger, type Log, scrubText } from '../../src/platform/log.ts';
import { createTokens } from '../../src/recurring/customer-links.ts';
import { KEY_VERSIONS } from '../../src/wallets/keys/key-versions.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE62 = `0${BASE58}lIO`;

const charactersOf = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength: length, maxLength: length });

/** A secret as it appears in text, and the part of it that must never be logged. */
interface Secret {
  readonly text: string;
  readonly hidden: string;
}

const apiKey = fc
  .tuple(fc.constantFrom('sk_live_', 'sk_test_', 'pk_live_', 'pk_test_'), charactersOf(BASE62, 43))
  .map(([prefix, body]) => ({ text: prefix + body, hidden: body }));
const webhookSecret = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
  .map((body) => ({ text: `whsec_${body}`, hidden: body }));
const extendedKey = fc
  .tuple(fc.constantFrom(...KEY_VERSIONS.flatMap((row) => [row.prefix, row.privatePrefix])), charactersOf(BASE58, 107))
  .map(([prefix, body]) => ({ text: prefix + body, hidden: body }));
const email = fc.emailAddress().map((text) => ({ text, hidden: text }));
const urlPassword = fc
  .tuple(fc.constantFrom('postgres', 'nats', 'http'), charactersOf(`${BASE62}-._~!$&'()*+,;=:%@`, 16))
  .map(([scheme, password]) => ({ text: `${scheme}://quittance:${password}@10.0.0.5:5432/pay`, hidden: password }));
const bearer = charactersOf(`${BASE62}-._~+/`, 40).map((body) => ({ text: `Bearer ${body}`, hidden: body }));
const secret: fc.Arbitrary<Secret> = fc.oneof(apiKey, webhookSecret, extendedKey, email, urlPassword, bearer);

/** Text around a secret, as in a sentence. */
const around = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `key ${text} was refused`,
  (text) => `line one\n${text}\nline three`,
  (text) => `"${text}"`,
  (text) => `{"received":"${text}"}`,
  (text) => `GET /v1/pay?pk=${text}&amount=5`,
  (text) => `\\${text}\t`,
);

/** Ways to nest a text inside a value, at most four deep. */
const nesting = fc.array(
  fc.constantFrom<(value: unknown) => unknown>(
    (value) => ({ amount: 1, value }),
    (value) => [null, value, 'x'],
    (value) => ({ [typeof value === 'string' ? value : 'inner']: value }),
  ),
  { maxLength: 4 },
);

type Way = (log: Log, value: unknown, text: string) => void;
const way = fc.constantFrom<Way>(
  (log, value) => log.info({ value }, 'a field'),
  (log, _value, text) => log.info(text),
  (log, _value, text) => log.info('%s was said', text),
  (log, value) => log.info({ said: value }, '%j was said', { value }),
  (log, value) => log.child({ value }).info('from a child'),
  (log, _value, text) => log.child({}, { msgPrefix: text }).info('prefixed'),
  (log, _value, text) => log.error(new Error(text, { cause: new Error(text) })),
  (log, value, text) => log.error({ err: Object.assign(new Error(text), { detail: value }) }, 'failed'),
);

describe('a log line', () => {
  it('never contains a secret, wherever it is nested and however it is written', () => {
    assertProperty(
      fc.property(secret, around, nesting, way, (given, wrap, wrappers, say) => {
        const text = wrap(given.text);
        const value = wrappers.reduce<unknown>((inner, next) => next(inner), text);
        const line = lineOf((log) => say(log, value, text));
        expect(line).not.toContain(given.hidden);
        expect(line).not.toContain(JSON.stringify(given.hidden).slice(1, -1));
        expect(JSON.parse(line)).toBeTypeOf('object');
      }),
      { numRuns: level.runs(1_000) },
    );
  });

  it('hides any value under the name of a secret', () => {
    const name = fc.constantFrom(
      'password',
      'Password',
      'new_password',
      'secret',
      'webhookSecret',
      'authorization',
      'Cookie',
      'set-cookie',
      'x-api-key',
      'apiKey',
      'SECRETS_KEY',
      'secretsKey',
      'secretsKeyPrevious',
      'SECRETS_KEY_PREVIOUS',
      'privateKey',
      'mnemonic',
      'customer_email',
      'extended_public_key',
      'session_token',
    );
    const marker = fc.integer({ min: 1e9 }).map((number) => `m${number}"\\`);
    const shape = fc.constantFrom<(text: string) => unknown>(
      (text) => text,
      (text) => [text, text],
      (text) => ({ a: [{ b: text }], c: text }),
      (text) => Number(text.slice(1, -2)),
      (text) => ({ type: 'Buffer', data: [Number(text.slice(1, -2)), 7] }),
    );
    assertProperty(
      fc.property(name, marker, shape, (field, text, wrap) => {
        const line = lineOf((log) => log.info({ before: 'kept', [field]: wrap(text), after: 'kept too' }, 'said'));
        expect(line).not.toContain(text.slice(1, -2));
        expect(JSON.parse(line)).toMatchObject({ before: 'kept', after: 'kept too', msg: 'said' });
      }),
    );
  });

  it('writes everything else unchanged', () => {
    assertProperty(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/@|pass|secret|token|authorization|cookie|key|mnemonic|mail|bearer|basic/i.test(text));
        expect(JSON.parse(lineOf((log) => log.info({ value })))).toHaveProperty('value', JSON.parse(text));
      }),
    );
  });

  it('replaces a suspicious text that is too long to scan, and keeps a long text without suspicious content', () => {
    const long = 'x'.repeat(40_000);
    const line = lineOf((log) => log.info({ long, other: `${long} password=abc` }, 'said'));
    expect(JSON.parse(line)).toMatchObject({
      long,
      other: '[redacted: 40013 characters, too long to search for secrets]',
    });
  });

  it('keeps all digits of long integers next to a secret', () => {
    const line = lineOf((log) => log.info({ wei: 123456789012345678901234567890n, password: 'x1' }));
    expect(line).toContain('"wei":123456789012345678901234567890,');
    expect(line).toContain('"password":"[redacted]"');
  });

  it('keeps transaction hashes, addresses and ids readable', () => {
    const kept = {
      txid: '9f'.repeat(32),
      address: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k6ksqhv',
      id: 'txn_0123456789abcdefghjkmnpqrs',
      note: 'a basic transaction needs no bearer',
    };
    expect(JSON.parse(lineOf((log) => log.info(kept)))).toMatchObject(kept);
  });

  it('respects the level', () => {
    expect(linesOf((log) => log.debug('quiet'))).toEqual([]);
  });
});

describe('scrubText', () => {
  it('hides values of secret names in query strings, headers and JSON, also in escaped JSON', () => {
    const sayings = [
      'password=hunter2secretly',
      'dsn host=db password=hunter2secretly user=q',
      'Authorization: Basic hunter2secretly',
      'authorization: Token hunter2secretly',
      '{"password":"hunter2secretly, with more"}',
      JSON.stringify(JSON.stringify({ password: 'hunter2secretly, with more' })),
      JSON.stringify(JSON.stringify(JSON.stringify({ api_key: 'hunter2secretly' }))),
      "{ secret: 'hunter2secretly with more' }",
      'Basic aHVudGVyMnNlY3JldGx5OmFiYw==',
    ];
    for (const saying of sayings) {
      const scrubbed = scrubText(saying);
      expect(scrubbed).not.toMatch(/hunter2secretly|with more|aHVudGVy/);
      expect(scrubbed).toContain('[redacted]');
    }
  });

  it('hides a secret after a long run of spaces', () => {
    const spaces = ' '.repeat(5_000);
    const scrub = (text: string) => scrubText(text.replaceAll('~', spaces)).replaceAll(spaces, '~');
    expect(scrub('authorization:~!')).toBe('authorization:~[redacted]');
    expect(scrub('authorization~:~"~Token~hunter2secretly~end')).toBe('authorization~:~"~Token [redacted]~end');
  });

  it('hides the token of a link in an email and keeps its purpose', () => {
    for (const purpose of ['confirm', 'pay', 'stop']) {
      const link = `https://pay.example.com/recurring/${purpose}/`;
      const token = createTokens(new Uint8Array(32))({ purpose: 'confirm', scheduleId: 'sch_1' });
      expect(scrubText(`POST ${link}${token}?lang=de failed`)).toBe(`POST ${link}[redacted]?lang=de failed`);
    }
    for (const page of ['password-reset', 'sign-up/confirm']) {
      const link = `https://pay.example.com/console/${page}#`;
      expect(JSON.parse(lineOf((log) => log.info(`<${link}${newToken()}>`)))).toHaveProperty(
        'msg',
        `<${link}[redacted]>`,
      );
    }
    const kept = 'POST /recurring/confirm/:token, /v1/recurring/sch_0123456789/pause';
    expect(scrubText(kept)).toBe(kept);
  });

  it('keeps the host of a URL when it hides the credentials', () => {
    expect(scrubText('cannot reach http://rpc:pa@ss@127.0.0.1:19332/wallet')).toBe(
      'cannot reach http://[redacted]@127.0.0.1:19332/wallet',
    );
  });

  it('is idempotent', () => {
    assertProperty(
      fc.property(
        fc.array(
          fc.oneof(
            secret.map((given) => given.text),
            fc.string(),
          ),
        ),
        (words) => {
          const once = scrubText(words.join(' '));
          expect(scrubText(once)).toBe(once);
        },
      ),
    );
  });
});

// Helpers

function linesOf(say: (log: Log) => void): string[] {
  const lines: string[] = [];
  say(createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }));
  return lines;
}

function lineOf(say: (log: Log) => void): string {
  const [line, ...more] = linesOf(say);
  expect(more).toEqual([]);
  if (line === undefined) throw new Error('nothing was logged');
  return line;
}
