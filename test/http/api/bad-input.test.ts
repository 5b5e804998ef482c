import { expect, test } from 'vitest';
import { describeDatabases } from '../../support/database/test-database.ts';
import { countWritten, expectProblem, useApp } from './support.ts';

const GOOD = { crypto: 'LTC', amount: 25 };
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
/** JSON text of exactly `bytes` bytes: 8 keys of 500 characters and a rest. */
function metadataOfBytes(bytes: number): Record<string, string> {
  const long = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`k${index}`, 'x'.repeat(500)]));
  const rest = bytes - Buffer.byteLength(JSON.stringify({ ...long, r: '' }));
  return { ...long, r: 'x'.repeat(rest) };
}

/** Name, body (a string is sent as it is), error code, and the field in the error. */
const BODIES: readonly (readonly [string, unknown, string, string | null])[] = [
  ['no body', undefined, 'INVALID_REQUEST', null],
  ['an empty body', '', 'INVALID_REQUEST', null],
  ['invalid JSON', '{"crypto":"LTC",', 'INVALID_REQUEST', null],
  ['a JSON array', [], 'INVALID_REQUEST', null],
  ['a JSON string', '"LTC"', 'INVALID_REQUEST', null],
  ['JSON null', 'null', 'INVALID_REQUEST', null],
  ['an empty object', {}, 'INVALID_REQUEST', 'crypto'],
  ['2 MB', JSON.stringify({ ...GOOD, metadata: { a: 'x'.repeat(2_000_000) } }), 'INVALID_REQUEST', null],
  ['half a megabyte of brackets', '['.repeat(500_000), 'INVALID_REQUEST', null],
  ['deep brackets', `${'['.repeat(400_000)}${']'.repeat(400_000)}`, 'INVALID_REQUEST', null],
  ['a hundred thousand unknown fields', keys(60_000), 'INVALID_REQUEST', 'key0'],

  ['an unknown field', { ...GOOD, amout: 1 }, 'INVALID_REQUEST', 'amout'],
  ['an unknown field with a strange name', { ...GOOD, '\u0000\ud800': 1 }, 'INVALID_REQUEST', '\ufffd\ufffd'],
  ['a field of create-detailed', { ...GOOD, order_id: 'A-1' }, 'INVALID_REQUEST', 'order_id'],
  ['__proto__', '{"crypto":"LTC","amount":25,"__proto__":{"amount":1}}', 'INVALID_REQUEST', null],
  ['__proto__ in metadata', '{"crypto":"LTC","amount":25,"metadata":{"__proto__":{}}}', 'INVALID_REQUEST', null],
  [
    'constructor.prototype',
    '{"crypto":"LTC","amount":25,"metadata":{"constructor":{"prototype":{}}}}',
    'INVALID_REQUEST',
    null,
  ],

  ['no coin', { amount: 25 }, 'INVALID_REQUEST', 'crypto'],
  ['an unknown coin', { ...GOOD, crypto: 'XMR' }, 'INVALID_CRYPTO', 'crypto'],
  ['a coin in lower case', { ...GOOD, crypto: 'ltc' }, 'INVALID_CRYPTO', 'crypto'],
  ['a coin that is a property of every object', { ...GOOD, crypto: 'constructor' }, 'INVALID_CRYPTO', 'crypto'],
  ['a coin that is null', { ...GOOD, crypto: null }, 'INVALID_CRYPTO', 'crypto'],
  ['a coin that is a number', { ...GOOD, crypto: 1 }, 'INVALID_CRYPTO', 'crypto'],

  ['no amount', { crypto: 'LTC' }, 'INVALID_REQUEST', 'amount'],
  ['amount 0', { ...GOOD, amount: 0 }, 'INVALID_AMOUNT', 'amount'],
  ['amount -0', '{"crypto":"LTC","amount":-0}', 'INVALID_AMOUNT', 'amount'],
  ['amount -1', { ...GOOD, amount: -1 }, 'INVALID_AMOUNT', 'amount'],
  ['amount 1e400', '{"crypto":"LTC","amount":1e400}', 'INVALID_AMOUNT', 'amount'],
  ['amount -1e400', '{"crypto":"LTC","amount":-1e400}', 'INVALID_AMOUNT', 'amount'],
  ['amount 1e300', { ...GOOD, amount: 1e300 }, 'INVALID_AMOUNT', 'amount'],
  ['amount 5e-324', { ...GOOD, amount: 5e-324 }, 'INVALID_AMOUNT', 'amount'],
  ['amount NaN, which is no JSON', '{"crypto":"LTC","amount":NaN}', 'INVALID_REQUEST', null],
  ['amount "NaN"', { ...GOOD, amount: 'NaN' }, 'INVALID_AMOUNT', 'amount'],
  ['amount null, as JSON writes NaN', { ...GOOD, amount: Number.NaN }, 'INVALID_AMOUNT', 'amount'],
  ['amount "5"', { ...GOOD, amount: '5' }, 'INVALID_AMOUNT', 'amount'],
  ['amount true', { ...GOOD, amount: true }, 'INVALID_AMOUNT', 'amount'],
  ['amount [5]', { ...GOOD, amount: [5] }, 'INVALID_AMOUNT', 'amount'],
  ['amount {}', { ...GOOD, amount: {} }, 'INVALID_AMOUNT', 'amount'],
  ['three decimals', { ...GOOD, amount: 5.001 }, 'INVALID_AMOUNT', 'amount'],
  ['below 1 USD', { ...GOOD, amount: 0.99 }, 'AMOUNT_TOO_LOW', 'amount'],
  ['below 1 USD in PLN', { ...GOOD, amount: 3.99, currency_fiat: 'PLN' }, 'AMOUNT_TOO_LOW', 'amount'],
  ['more coins than can be quoted', { ...GOOD, crypto: 'PEPE', amount: 1e12 }, 'INVALID_AMOUNT', 'amount'],

  ['an unsupported currency', { ...GOOD, currency_fiat: 'CHF' }, 'INVALID_CURRENCY', 'currency_fiat'],
  ['a currency that is null', { ...GOOD, currency_fiat: null }, 'INVALID_CURRENCY', 'currency_fiat'],
  ['a currency that is empty', { ...GOOD, currency_fiat: '' }, 'INVALID_CURRENCY', 'currency_fiat'],

  ['metadata that is a string', { ...GOOD, metadata: 'x' }, 'INVALID_METADATA', 'metadata'],
  ['metadata that is an array', { ...GOOD, metadata: [] }, 'INVALID_METADATA', 'metadata'],
  ['metadata of 21 keys', { ...GOOD, metadata: keys(21) }, 'INVALID_METADATA', 'metadata'],
  [
    'a metadata string of 501 characters',
    { ...GOOD, metadata: { a: 'x'.repeat(501) } },
    'INVALID_METADATA',
    'metadata',
  ],
  [
    '501 characters deep inside',
    { ...GOOD, metadata: { a: [{ b: 'x'.repeat(501) }] } },
    'INVALID_METADATA',
    'metadata',
  ],
  ['metadata of 4097 bytes', { ...GOOD, metadata: metadataOfBytes(4_097) }, 'INVALID_METADATA', 'metadata'],
  [
    '4 KB of characters that take two bytes',
    {
      ...GOOD,
      metadata: {
        ...keys(9),
        ...Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`u${index}`, 'é'.repeat(500)])),
      },
    },
    'INVALID_METADATA',
    'metadata',
  ],
  ['a key of 5000 characters', { ...GOOD, metadata: { ['x'.repeat(5_000)]: 1 } }, 'INVALID_METADATA', 'metadata'],
  ['metadata of 100 000 values', { ...GOOD, metadata: { a: Array(100_000).fill(1) } }, 'INVALID_METADATA', 'metadata'],
  [
    'metadata nested 200 000 deep',
    `{"crypto":"LTC","amount":25,"metadata":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
    'INVALID_METADATA',
    'metadata',
  ],
  ['NUL in a metadata value', { ...GOOD, metadata: { a: 'x\u0000' } }, 'INVALID_METADATA', 'metadata'],
  ['NUL in a metadata key', { ...GOOD, metadata: { 'a\u0000': 1 } }, 'INVALID_METADATA', 'metadata'],
  ['NUL deep inside', { ...GOOD, metadata: { a: [[{ '\u0000': 1 }]] } }, 'INVALID_METADATA', 'metadata'],
  [
    'half a surrogate pair in metadata',
    '{"crypto":"LTC","amount":25,"metadata":{"a":"\\ud800"}}',
    'INVALID_METADATA',
    'metadata',
  ],
  [
    'half a surrogate pair in a key',
    '{"crypto":"LTC","amount":25,"metadata":{"\\udc00":1}}',
    'INVALID_METADATA',
    'metadata',
  ],
  ['1e400 in metadata', '{"crypto":"LTC","amount":25,"metadata":{"a":1e400}}', 'INVALID_METADATA', 'metadata'],

  ...[
    '',
    'jo',
    'jo@',
    '@example.com',
    'jo@example.com\u0000',
    'jo @example.com',
    'jo@exämple.com',
    `${'x'.repeat(250)}@example.com`,
    5,
    ['jo@example.com'],
  ].map(
    (value) =>
      [
        `the email address ${String(value).slice(0, 20)}`,
        { ...GOOD, customer_email: value },
        'INVALID_REQUEST',
        'customer_email',
      ] as const,
  ),
  ...['success_url', 'cancel_url'].flatMap((field) =>
    [
      '',
      'shop',
      '/relative',
      '//shop.example.com',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'ftp://shop.example.com',
      'http:shop',
      'https://',
      'https:///x',
      'https://shop.example.com/\u0000',
      'https://shop.example.com/ x',
      ' https://shop.example.com',
      'https://shop.example.com/"><script>',
      `https://shop.example.com/${'x'.repeat(2_048)}`,
      5,
      {},
    ].map(
      (value) =>
        [
          `${field} ${JSON.stringify(value).slice(0, 40)}`,
          { ...GOOD, [field]: value },
          'INVALID_REQUEST',
          field,
        ] as const,
    ),
  ),
];

describeDatabases('invalid input', (database) => {
  const { app, merchant } = useApp(database);
  const create = { method: 'POST', path: '/transactions/create' } as const;

  test.each(BODIES)('rule 73: create with %s is rejected and writes nothing', async (_name, body, code, field) => {
    const before = await countWritten(app());
    const response = await app().call({ ...create, key: merchant().keys.sk_test, body });
    const problem = expectProblem(response, 400, code);
    if (field !== null) expect(problem.details?.map((detail) => detail.field)).toContain(field);
    expect(problem.details?.length ?? 0).toBeLessThanOrEqual(20);
    expect(await countWritten(app())).toEqual(before);
  });

  test('the limits themselves are accepted', async () => {
    const { sk_test } = merchant().keys;
    const nested = { a: JSON.parse(`${'['.repeat(2_040)}${']'.repeat(2_040)}`) as unknown };
    for (const metadata of [keys(20), metadataOfBytes(4_096), { a: '𝄞'.repeat(500) }, { '': '' }, {}, nested]) {
      expect(await app().create(sk_test, { metadata })).toMatchObject({ metadata });
    }
    expect(await app().create(sk_test, { amount: 1 })).toMatchObject({ amount_usd: 1 });
    expect(await app().create(sk_test, { amount: 4, currency_fiat: 'PLN' })).toMatchObject({ amount_usd: 1 });
    // A floating-point sum is rounded to the nearest cent.
    expect(await app().create(sk_test, { amount: 59.970000000000006 })).toMatchObject({ amount_fiat: 59.97 });
  });

  test('several errors are all named', async () => {
    const body = { crypto: 'XMR', amount: '5', customer_email: 'x', success_url: 'y', extra: 1 };
    const problem = expectProblem(
      await app().call({ ...create, key: merchant().keys.sk_test, body }),
      400,
      'INVALID_REQUEST',
    );
    const fields = problem.details?.map(({ field }) => field).sort();
    expect(fields).toEqual(['amount', 'crypto', 'customer_email', 'extra', 'success_url']);
    expect(problem.message).toContain('extra');
  });

  test.each([
    ['text/plain', JSON.stringify(GOOD)],
    ['application/x-www-form-urlencoded', 'crypto=LTC&amount=25'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['nonsense', '{}'],
  ])('a body of type %s is rejected', async (type, body) => {
    const headers = { 'content-type': type };
    const response = await app().call({ ...create, key: merchant().keys.sk_test, body, headers });
    expect(expectProblem(response, 400, 'INVALID_REQUEST').message).toMatch(/JSON/);
  });

  test.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with an accent', 'clé'],
    ['with a tab', 'a\tb'],
  ])('an idempotency key %s is rejected', async (_name, key) => {
    const before = await countWritten(app());
    const response = await app().call({
      ...create,
      key: merchant().keys.sk_test,
      body: GOOD,
      headers: { 'x-idempotency-key': key },
    });
    const problem = expectProblem(response, 400, 'INVALID_REQUEST');
    expect(problem.details).toMatchObject([{ field: 'X-Idempotency-Key' }]);
    expect(await countWritten(app())).toEqual(before);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=%201', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=Infinity', 'offset'],
    ['offset=9007199254740992', 'offset'],
    ['offset=99999999999999999999', 'offset'],
    ['status=paid', 'status'],
    ['status=', 'status'],
    ['status=pending&status=failed', 'status'],
    ['crypto=XMR', 'crypto'],
    ['crypto=ltc', 'crypto'],
    ['ids=a&ids=b', 'ids'],
    [`ids=${'x'.repeat(10_001)}`, 'ids'],
    ['state=pending', 'state'],
    ['__proto__=1', '__proto__'],
  ])('a list with ?%s is rejected', async (query, field) => {
    const response = await app().call({ path: `/transactions/list?${query}`, key: merchant().keys.sk_test });
    expect(expectProblem(response, 400, 'INVALID_REQUEST').details).toMatchObject([{ field }]);
  });

  test('more than 100 ids are rejected', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `id${index}`).join(',');
    const response = await app().call({ path: `/transactions/list?ids=${ids}`, key: merchant().keys.sk_test });
    expectProblem(response, 400, 'INVALID_REQUEST');
  });

  test.each([
    'unknown',
    'txn_',
    `txn_${'0'.repeat(26)}`,
    `txn_${'0'.repeat(25)}u`,
    '%00',
    '%F0%9F%92%A9',
    "'; drop table actor --",
    'x'.repeat(400),
    'x'.repeat(600),
    '..%2f..%2fetc%2fpasswd',
    '%',
    '%ff',
  ])('the id %s is not found', async (id) => {
    const { sk_test } = merchant().keys;
    const got = await app().call({ path: `/transactions/${id.replaceAll(' ', '%20')}`, key: sk_test });
    expect([400, 404]).toContain(got.status);
    expectProblem(got, got.status, got.status === 404 ? 'TRANSACTION_NOT_FOUND' : 'INVALID_REQUEST');
  });

  test.each([
    ['no action', {}, 'action'],
    ['an unknown action', { action: 'steal' }, 'action'],
    ['an unknown field', { action: 'pay', amount: 1 }, 'amount'],
    ['a negative amount', { action: 'overpay', amount_crypto: -1 }, 'amount_crypto'],
    ['an amount of 0', { action: 'overpay', amount_crypto: 0 }, 'amount_crypto'],
    ['an amount as text', { action: 'overpay', amount_crypto: '1' }, 'amount_crypto'],
    ['an amount beyond numbers', '{"action":"overpay","amount_crypto":1e400}', 'amount_crypto'],
    ['an amount with too many decimals', { action: 'overpay', amount_crypto: 1e-9 }, null],
    ['an enormous amount', { action: 'overpay', amount_crypto: 1e300 }, null],
    ['an amount for pay', { action: 'pay', amount_crypto: 1 }, null],
    ['no seconds', { action: 'advance_clock' }, 'seconds'],
    ['two times', { action: 'advance_clock', seconds: 60, to: '2099-01-01' }, 'to'],
    ['a time in the past', { action: 'advance_clock', to: '2020-01-01' }, 'to'],
    ['a time for coins', { action: 'pay', to: '2099-01-01' }, 'to'],
    ['0 seconds', { action: 'advance_clock', seconds: 0 }, 'seconds'],
    ['half a second', { action: 'advance_clock', seconds: 0.5 }, 'seconds'],
    ['too many seconds', { action: 'advance_clock', seconds: 1e15 }, 'seconds'],
    ['a balance that drops on Litecoin', { action: 'drop_balance' }, null],
    ['no object', '[]', null],
  ])('a simulation with %s is rejected and writes nothing', async (_name, body, field) => {
    const { sk_test } = merchant().keys;
    const { transaction_id: id } = await app().create(sk_test);
    const before = await countWritten(app());
    const response = await app().call({ method: 'POST', path: `/transactions/${id}/simulate`, key: sk_test, body });
    const problem = expectProblem(response, 400, 'INVALID_REQUEST');
    if (field !== null) expect(problem.details).toMatchObject([{ field }]);
    expect(await countWritten(app())).toEqual(before);
  });

  test('an unknown path is not found, with any method', async () => {
    const { sk_test } = merchant().keys;
    for (const path of [
      '',
      '/',
      '/nothing',
      '/transactions',
      '/transactions/create/more',
      '/../health',
      '/v1/health',
    ]) {
      expectProblem(await app().call({ path, key: sk_test }), 404, 'NOT_FOUND');
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      expectProblem(await app().call({ method, path: '/transactions/list', key: sk_test }), 404, 'NOT_FOUND');
    }
    expectProblem(await app().call({ method: 'POST', path: '/health', key: null }), 404, 'NOT_FOUND');
  });
});
