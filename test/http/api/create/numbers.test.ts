import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS, formatCoins } from '../../../../machines/index.ts';
import { compileJsonWriter } from '../../../../src/http/api/json-writer.ts';
import { SHARED_SCHEMAS } from '../../../../src/http/api/schemas/shared.ts';
import { plainDecimal } from '../../../../src/platform/decimal-text.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { assertAsyncProperty, assertProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import { useApp } from '../support.ts';

const SCHEMAS = new Map(SHARED_SCHEMAS.map((schema) => [(schema as { readonly $id?: string }).$id ?? '', schema]));
const writeAs = (id: string) => compileJsonWriter({ $ref: id }, (name) => SCHEMAS.get(name));

const crypto = fc.constantFrom(...CRYPTO_SYMBOLS);
/** Up to the largest amount an ERC-20 token can move. */
const baseUnits = fc.oneof(fc.bigInt(0n, 10n ** 20n), fc.bigInt(0n, 2n ** 256n - 1n));

describe('the text of a number', () => {
  test('is the decimal of the amount for every coin and every amount, digit for digit', () => {
    const write = writeAs('PaymentSplit');
    assertProperty(
      fc.property(crypto, baseUnits, (symbol, amount) => {
        const decimal = formatCoins(amount, ASSETS[symbol].decimals);
        const now = new Date(0).toISOString();
        const text = write({
          amount_crypto: decimal,
          confirmations: 0,
          status: 'detected',
          detected_at: now,
          confirmed_at: null,
        });
        expect(text).toContain(`"amount_crypto":${decimal},`);
        expect((JSON.parse(text) as { amount_crypto: number }).amount_crypto).toBe(Number(decimal));
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  test('parses to the same double and has no exponent, for any double', () => {
    assertProperty(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainDecimal(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        // JSON has only one zero.
        expect(Number(text) === value).toBe(true);
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  test.each([
    [1e-8, '0.00000001'],
    [-1.5e-7, '-0.00000015'],
    [1e21, '1000000000000000000000'],
    [1.25e25, '12500000000000000000000000'],
    [Number.MIN_VALUE, `0.${'0'.repeat(323)}5`],
    [0, '0'],
    [59.97, '59.97'],
  ])('of %d is %s', (value, text) => {
    expect(plainDecimal(value)).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('throws for %d', (value) => {
    expect(() => plainDecimal(value)).toThrow(RangeError);
  });
});

describe('the response serializer', () => {
  test('writes values without a schema like JSON.stringify, except for exponents', () => {
    const write = compileJsonWriter({}, () => undefined);
    assertProperty(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        // JSON has no negative zero.
        expect(JSON.parse(write(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(write({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  test('omits fields that the schema does not name, and keeps free-form objects whole', () => {
    const write = writeAs('LineItem');
    expect(write({ price: '1.5', name: 'Tea', quantity: 2, secret: 'x' })).toBe(
      '{"name":"Tea","quantity":2,"price":1.5}',
    );
    const open = compileJsonWriter(
      { type: ['object', 'null'], properties: { a: { type: 'number' } }, additionalProperties: true },
      () => undefined,
    );
    expect(open({ b: { c: 1e-7 }, a: '2' })).toBe('{"a":2,"b":{"c":0.0000001}}');
    expect(open(null)).toBe('null');
  });

  test('throws rather than respond with something that violates the schema', () => {
    const write = writeAs('LineItem');
    const item = { name: 'Tea', quantity: 1, price: '1' };
    expect(() => write({ ...item, price: undefined })).toThrow('"price" is required');
    for (const price of ['1e-8', '01', '.5', '1.', '', 'NaN', true, {}]) {
      expect(() => write({ ...item, price })).toThrow(/where a number belongs/);
    }
    expect(() => write('Tea')).toThrow('"name" is required');
    expect(() => compileJsonWriter({ type: 'array', items: {} }, () => undefined)({})).toThrow(
      /does not match schema definition/,
    );
    expect(() => compileJsonWriter({ $ref: 'Nothing' }, () => undefined)).toThrow(/does not exist/);
  });

  test('writes every view as it is: numbers digit for digit, texts unchanged, nothing more and nothing less', () => {
    const write = writeAs('TransactionListEnvelope');
    assertProperty(
      fc.property(fc.array(anyView, { maxLength: 5 }), (transactions) => {
        const page = { success: true, data: { transactions, pagination: { limit: 5, offset: 0, total: 7 } } };
        const written = JSON.parse(withNumbersAsText(write(page))) as unknown;
        expect(written).toEqual(JSON.parse(withNumbersAsText(JSON.stringify(page))));
      }),
      { numRuns: level.runs(300) },
    );
  });

  test('follows recursive schemas', () => {
    const tree = { type: 'object', properties: { size: { type: 'number' }, child: { $ref: 'Tree' } } };
    const write = compileJsonWriter({ $ref: 'Tree' }, () => tree);
    expect(write({ size: '1', child: { size: '0.1', other: 1 } })).toBe('{"size":1,"child":{"size":0.1}}');
  });
});

describeDatabases('numbers in responses', (database) => {
  const { app, merchant } = useApp(database);

  test('equal the decimal strings in the webhook of the same moment', async () => {
    const amount = fc.oneof(fc.integer({ min: 100, max: 10_000 }), fc.integer({ min: 100, max: 10 ** 9 }));
    await assertAsyncProperty(
      fc.asyncProperty(crypto, amount, fc.constantFrom('USD', 'EUR', 'GBP', 'PLN'), async (symbol, cents, currency) => {
        const body = { crypto: symbol, amount: cents / 25, currency_fiat: currency };
        const { sk_test: key } = merchant().keys;
        const response = await app().call({ method: 'POST', path: '/transactions/create', key, body });
        expect(response.status).toBe(201);
        const { data } = response.body as { data: { transaction_id: string } };
        const { body: webhook } = await database()
          .db.selectFrom('webhook_event')
          .select('body')
          .where('transaction_id', '=', data.transaction_id)
          .executeTakeFirstOrThrow();
        const sent = JSON.parse(webhook) as Readonly<Record<string, string>>;
        for (const field of ['amount_crypto', 'amount_fiat', 'amount_usd']) {
          expect(numberText(response.text, field)).toBe(sent[field]);
        }
        const rates = await database()
          .db.selectFrom('transaction')
          .select(['exchange_rate', 'fiat_to_usd_rate'])
          .where('id', '=', data.transaction_id)
          .executeTakeFirstOrThrow();
        expect(numberText(response.text, 'exchange_rate')).toBe(rates.exchange_rate);
        expect(numberText(response.text, 'fiat_to_usd_rate')).toBe(rates.fiat_to_usd_rate);
        const got = await app().call({ path: `/transactions/${data.transaction_id}`, key });
        expect(got.text).toBe(response.text);
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('have every digit of the paid amount, however small a part of a coin', async () => {
    const { sk_test } = merchant().keys;
    const { transaction_id: id } = await app().create(sk_test, { crypto: 'ETH', amount: 32_000 });
    await changeTransactions(database().db, { paid_base_units: '1000000000000000001' }, { id });
    const { text } = await app().call({ path: `/transactions/${id}`, key: sk_test });
    expect(numberText(text, 'amount_paid')).toBe('1.000000000000000001');
    expect(numberText(text, 'amount_remaining')).toBe('8.999999999999999999');
  });
});

// Helpers

const decimal = fc.tuple(crypto, baseUnits).map(([symbol, amount]) => formatCoins(amount, ASSETS[symbol].decimals));
const moment = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const text = fc.string({ unit: 'binary' });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const metadata = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)));

/** A view whose amounts are the texts of decimals; they are written as numbers. */
const anyView = fc.record({
  transaction_id: text,
  status: fc.constantFrom('pending', 'completed'),
  exception: fc.option(fc.constant('paid_late'), { nil: undefined }),
  type: fc.constantFrom('basic', 'detailed'),
  crypto,
  deposit_address: text,
  amount_crypto: decimal,
  amount_fiat: decimal,
  amount_usd: decimal,
  amount_paid: decimal,
  amount_remaining: decimal,
  currency_fiat: fc.constant('EUR'),
  fiat_to_usd_rate: decimal,
  exchange_rate: decimal,
  confirmations_required: fc.nat(),
  payment_url: fc.webUrl(),
  order_id: orNull(text),
  customer_email: orNull(text),
  items: orNull(fc.array(fc.record({ name: text, quantity: fc.nat(), price: decimal }))),
  payments: fc.array(
    fc.record({
      txid: fc.option(text, { nil: undefined }),
      amount_crypto: decimal,
      confirmations: fc.nat(),
      status: fc.constantFrom('detected', 'confirmed'),
      detected_at: moment,
      confirmed_at: orNull(moment),
    }),
  ),
  metadata: orNull(metadata),
  success_url: orNull(text),
  cancel_url: orNull(text),
  created_at: moment,
  updated_at: moment,
  expires_at: moment,
  amounts: fc.record({ crypto: decimal, fiat: decimal, usd: decimal, paid: decimal, remaining: decimal }),
  step: fc.nat(),
});

/** Writes the numbers of a JSON text as strings, so that parsing it loses no digit. */
function withNumbersAsText(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

function numberText(text: string, field: string): string | undefined {
  return new RegExp(`"${field}":([^,}]+)`).exec(text)?.[1];
}
