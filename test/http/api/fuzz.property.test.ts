import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../machines/index.ts';
import { SIMULATE_ACTIONS, type TransactionView } from '../../../src/payments/index.ts';
import { transactionViolations } from '../../contract/transaction-violations.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { assertAsyncProperty, textOfAnyCharacters } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import type { ApiRequest, ApiResponse } from '../../support/service/app.ts';
import { countWritten, expectDocumented, expectProblem, useApp } from './support.ts';

/*
 * Properties that depend on what a request means: that a payment is as requested, that a payment
 * survives any sequence of events, and which idempotency keys are valid. What a single request
 * shows is in test/fuzz.
 */

/** Enough for every kind of field to meet every kind of value. */
const RUNS = 400;

const strangeText = fc.oneof(
  fc.string(),
  textOfAnyCharacters(),
  fc.string({ unit: fc.constantFrom('\u0000', '\ud800', '\udfff', '\u202e', '"', '\\', '%', "'", 'é', '𝄞') }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'NaN', 'Infinity', 'null', '1e400', '0x10', '$1', ''),
);
const strangeValue = fc.oneof(strangeText, fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue());
/** Mostly valid, so that enough requests pass the first check. */
const mostly = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: strangeValue });

const createBody = fc
  .record(
    {
      crypto: mostly(fc.constantFrom(...CRYPTO_SYMBOLS)),
      amount: mostly(fc.oneof(fc.integer({ min: 1, max: 50_000 }), fc.double({ min: 0.5, max: 2e12 }))),
      currency_fiat: mostly(fc.constantFrom(...FIAT_CURRENCIES)),
      metadata: mostly(fc.dictionary(strangeText, fc.jsonValue(), { maxKeys: 22 })),
      customer_email: mostly(fc.oneof(fc.emailAddress(), fc.constant(null))),
      success_url: mostly(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.constant(null))),
      cancel_url: mostly(fc.constant(null)),
    },
    { requiredKeys: ['crypto', 'amount'] },
  )
  .chain((body) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant<object>(body) },
      { weight: 1, arbitrary: fc.dictionary(strangeText, strangeValue).map((extra) => ({ ...body, ...extra })) },
    ),
  );

const simulateBody = fc.record(
  {
    action: mostly(fc.constantFrom(...SIMULATE_ACTIONS)),
    amount_crypto: mostly(fc.oneof(fc.double({ min: 0, max: 10 }), fc.integer({ min: 1, max: 10 }))),
    seconds: mostly(fc.integer({ min: 1, max: 100_000 })),
  },
  { requiredKeys: ['action'] },
);

describePostgres('for any input', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  const { app, merchant } = useApp(() => database);
  afterAll(() => database.drop());

  /**
   * Checks that no request fails with a 5xx, responses match the description, and rejected requests
   * write nothing.
   */
  async function checked(name: string, request: ApiRequest): Promise<ApiResponse<{ data: TransactionView }>> {
    const before = await countWritten(app());
    const response = await app().call<{ data: TransactionView }>(request);
    expectDocumented(name, response);
    if (response.status >= 400) {
      const { error } = response.body as unknown as { error: string };
      expectProblem(response, response.status, error);
      expect(await countWritten(app())).toEqual(before);
    }
    return response;
  }

  test('create never fails with a server error, responds as documented, and returns what it accepted', async () => {
    const name = 'POST /transactions/create';
    const outcomes = new Map<number, number>();
    await assertAsyncProperty(
      fc.asyncProperty(createBody, async (body) => {
        const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
        const response = await checked(name, {
          method: 'POST',
          path: '/transactions/create',
          key: merchant().keys.sk_test,
          body,
        });
        outcomes.set(response.status, (outcomes.get(response.status) ?? 0) + 1);
        if (response.status !== 201) return;
        const { data } = response.body;
        expect(transactionViolations(data)).toEqual([]);
        expect(data).toMatchObject({ crypto: sent.crypto, currency_fiat: sent.currency_fiat ?? 'USD' });
        expect(data.metadata).toEqual(sent.metadata ?? null);
        expect(data.customer_email).toBe(sent.customer_email ?? null);
        expect(data.success_url).toBe(sent.success_url ?? null);
      }),
      // The examples are needed because a few random requests may all be rejected.
      { numRuns: level.runs(RUNS), examples: [[{ crypto: 'LTC', amount: 25 }], [{ crypto: 'LTC', amount: '25' }]] },
    );
    // Otherwise the generator made only one kind.
    expect(outcomes.get(201)).toBeGreaterThan(0);
    expect(outcomes.get(400)).toBeGreaterThan(0);
  });

  test('simulate never fails with a server error and responds as documented, in any order', async () => {
    const steps = fc.array(simulateBody, { minLength: 1, maxLength: 8 });
    await assertAsyncProperty(
      fc.asyncProperty(fc.constantFrom('LTC', 'ETH'), steps, async (crypto, bodies) => {
        const { sk_test: key } = merchant().keys;
        const { transaction_id: id } = await app().create(key, { crypto });
        for (const body of bodies) {
          const request = { method: 'POST', path: `/transactions/${id}/simulate`, key, body } as const;
          const response = await app().call<{ data: TransactionView }>(request);
          expectDocumented('POST /transactions/{transaction_id}/simulate', response);
          if (response.status === 200) expect(transactionViolations(response.body.data)).toEqual([]);
        }
      }),
      { numRuns: level.runs(100) },
    );
  });

  test('any headers are handled', async () => {
    const latin1 = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
    await assertAsyncProperty(
      fc.asyncProperty(latin1, latin1, async (authorization, idempotencyKey) => {
        const path = '/transactions/create';
        const rejected = await app().call({ method: 'POST', path, key: null, headers: { authorization } });
        expectProblem(rejected, 401, 'UNAUTHORIZED');
        const { sk_test: key } = merchant().keys;
        const headers = { 'x-idempotency-key': idempotencyKey };
        const response = await app().call({ method: 'POST', path, key, headers, body: { crypto: 'LTC', amount: 5 } });
        const isGood = /^[ -~]{1,255}$/.test(idempotencyKey);
        expect(response.status, response.text).toBe(isGood ? 201 : 400);
      }),
      { numRuns: level.runs(150) },
    );
  });
});
