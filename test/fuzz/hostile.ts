import fc from 'fast-check';
import { textOfAnyCharacters } from '../support/run/fast-check.ts';
import { placeholder } from './placeholders.ts';

/** Texts that have broken other services. */
export const HOSTILE_TEXTS = fc.oneof(
  textOfAnyCharacters(),
  fc.string({
    unit: fc.constantFrom('\u0000', '\ud800', '\udfff', '\u202e', '\r', '\n', '"', '\\', '%', "'", '𝄞', '/'),
  }),
  fc.constantFrom(
    '',
    ' ',
    '.',
    '..',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'NaN',
    '-Infinity',
    'null',
    '1e400',
    '0x10',
    '-0',
    '9'.repeat(400),
    '٣',
    "' or 1=1 --",
    "'; drop table actor; --",
    '$1',
    '{{7*7}}',
    '$'.concat('{jndi:ldap://x}'),
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '\ufeff',
    '\ufffd',
    'a\u0300'.repeat(300),
    'x'.repeat(9_000),
    '2026-02-31',
    '2026-13-01T25:61:61Z',
    '9999-12-31T23:59:59.999999999-12:00',
    '0000-01-01',
    'txn_00000000000000000000000000',
    '00000000-0000-0000-0000-000000000000',
    '{0d6f2c1e-5b7a-4c39-9e14-8a2f7b61c5d3}',
    `${'0'.repeat(26)},`.repeat(150),
  ),
);

/** Malformed bodies, as text or bytes. */
export const HOSTILE_BODIES: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.json(),
  HOSTILE_TEXTS.map((text) => JSON.stringify(text)),
  fc.nat({ max: 20_000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.nat({ max: 20_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.nat({ max: 3_000 }).map((count) => `{${Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(',')}}`),
  fc.constantFrom(
    '',
    '{',
    '{}{}',
    'null',
    'NaN',
    '-',
    '[1e999]',
    '\ufeff{}',
    "{'a':1}",
    '{"a":1,}',
    '{"__proto__":{"amount":1}}',
    '{"constructor":{"prototype":{"amount":1}}}',
    '{"crypto":"LTC","crypto":"BTC","amount":5,"amount":-5}',
    '{"crypto":"LTC","amount":1e400}',
    '{"crypto":"LTC","amount":5,"metadata":{"a":"\\ud800"}}',
    '{"crypto":"LTC","amount":5,"metadata":{"\\u0000":1}}',
    '{"crypto":"LTC","amount":5.000000000000000000000000000000001}',
    `{"crypto":"LTC","amount":5,"metadata":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
    `{"crypto":"LTC","amount":${'9'.repeat(5_000)}}`,
    `{"crypto":"LTC","amount":0.${'0'.repeat(5_000)}1}`,
    `{"crypto":"LTC","amount":5,"customer_email":"${'a'.repeat(60_000)}@example.com"}`,
    `{"crypto":"LTC","amount":5,"success_url":"http://${'a.'.repeat(30_000)}"}`,
    `{"crypto":"LTC","order_id":"1","items":[${'{"name":"x","price":1},'.repeat(2_000)}{"name":"x","price":1}]}`,
    '{"action":"pay","amount_crypto":1e308}',
    '{"action":"overpay","amount_crypto":5e-324}',
    '{"action":"advance_clock","seconds":31622400}',
    '{"action":"advance_clock","seconds":9007199254740993}',
    '{"action":"advance_clock","to":"9999-12-31T23:59:59.999Z"}',
    '{"action":"advance_clock","to":"+275760-09-13T00:00:00Z"}',
    '{"action":"confirm","action":"stop"}',
    '{"customer_email":"a@b.example\\r\\nBcc: c@d.example","amount":5,"interval":"weekly","description":"x"}',
    `{"customer_email":"a@b.example","amount":5,"interval":"weekly","description":"${'x'.repeat(60_000)}"}`,
    '{"tier":"__proto__"}',
  ),
  fc.constantFrom(Uint8Array.of(0xff, 0xfe, 0x7b, 0), Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d)),
);

export const HOSTILE_CONTENT_TYPES = fc.constantFrom(
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/json;',
  'APPLICATION/JSON',
  'application/problem+json',
  'application/json, text/html',
  'x',
  '/',
  ';',
  '',
);

/** Header values that HTTP allows: no control character but the tab. */
const latin1 = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
});

/** Headers that proxies, clients and attackers add. */
export const HOSTILE_HEADERS: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'authorization',
      'x-idempotency-key',
      'x-customer-ip',
      'x-forwarded-for',
      'accept',
      'cookie',
      'x-a',
    ),
    fc.oneof(latin1, latin1, fc.constantFrom('', ' ', ',', 'a'.repeat(2_000), '%00', '\t')),
  ),
  fc.constantFrom<readonly [string, string]>(
    ['authorization', 'Bearer'],
    ['authorization', 'Bearer '],
    ['authorization', `bearer ${placeholder.key('ann.sk_test')}`],
    ['authorization', `Bearer  ${placeholder.key('ann.sk_test')} `],
    ['authorization', `Bearer ${placeholder.key('ann.sk_test')}, Bearer ${placeholder.key('bob.sk_test')}`],
    ['authorization', `Basic ${placeholder.key('ann.sk_test')}`],
    ['authorization', `Bearer ${'x'.repeat(4_000)}`],
    ['x-forwarded-for', '192.0.2.7, 10.0.0.1'],
    ['x-forwarded-for', 'unknown, "[2001:db8::1]:80", ::ffff:1.2.3.4'],
    ['x-forwarded-for', "'; drop table actor; --"],
    ['x-forwarded-for', 'fe80::1%eth0'],
    ['x-forwarded-for', `${'1.2.3.4, '.repeat(400)}5.6.7.8`],
    ['x-forwarded-host', 'evil.example.com'],
    ['x-forwarded-proto', 'javascript'],
    ['x-http-method-override', 'DELETE'],
    ['x-original-url', '/v1/account'],
    ['x-customer-ip', '::1%lo'],
    ['x-customer-ip', '1.2.3.4, 5.6.7.8'],
    ['x-request-id', 'forged'],
    ['accept', 'text/html;q=NaN,*/*;q=-1'],
    ['accept', 'text/html'],
    ['accept-encoding', 'gzip;q=0, br, deflate, *'],
    ['accept-version', '9.9.9'],
    ['content-encoding', 'gzip'],
    ['if-none-match', '*'],
    ['range', 'bytes=0-,-5'],
    ['origin', 'null'],
    ['te', 'trailers, chunked'],
    ['cookie', `a=${'b'.repeat(3_000)}`],
  ),
);

/** Malformed query strings. */
export const HOSTILE_QUERIES = fc.oneof(
  fc.constantFrom(
    '&&&',
    '=',
    '%',
    '%zz=%ff&%00',
    'limit[]=1&limit[a]=2',
    'limit.a=1',
    '__proto__=1&__proto__[a]=1&constructor=1',
    'limit=1;offset=2',
    'ids=%C3%28,%ED%A0%80',
    'status=pending%00',
    `ids=${'%2C'.repeat(3_000)}`,
    `${'a=1&'.repeat(1_200)}`,
    '?limit=5',
    '+=+',
    'hasOwnProperty=1&toString=2',
  ),
  fc
    .array(fc.constantFrom('%', '&', '=', '[', ']', 'limit', 'ids', '0', '+', ';', '?', '%20', '%e2%28'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
);

/** Undeclared paths, as in a request line. */
export const HOSTILE_PATHS = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '//',
    '/.',
    '/../v1/account',
    '/account/',
    '/ACCOUNT',
    '/account%00',
    '/account;a=b',
    '/account%2F',
    '/%61ccount%',
    '/%',
    '/%zz',
    '/%ff%fe',
    '/transactions',
    '/transactions/%',
    '/transactions/a/b/simulate',
    '/transactions//simulate',
    '/recurring',
    '/recurring//periods',
    '/recurring/list/pause',
    '/__proto__',
    '/constructor/prototype',
    '/.env',
    '/admin',
    '/transactions/create/',
    `/${'a'.repeat(6_000)}`,
    `/${'a/'.repeat(2_000)}`,
    '/\u00e9\u00ff',
    '/<script>alert(1)</script>',
    "/'or'1'='1",
  ),
  fc
    .array(fc.constantFrom('/', '.', '%2e', '%2f', '%00', '%', 'v1', 'pay', ';', ':', '*', '\\', '@', '"', '%c0%af'), {
      maxLength: 10,
    })
    .map((parts) => `/${parts.join('')}`),
);

/** Methods with few or no declared operations. */
export const ODD_METHODS = [
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'PURGE',
  'QUERY',
] as const;
