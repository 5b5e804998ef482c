import { expect, test } from 'vitest';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { connect } from '../../../../src/platform/db/index.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
} from '../../../support/database/test-database.ts';
import { level } from '../../../support/run/level.ts';
import { type ApiResponse, startApp, type TestApp } from '../../../support/service/app.ts';
import { countWritten, expectProblem, useApp } from '../support.ts';

/** Concurrent requests. */
const TWINS = level.pick({ quick: 20, full: 200 });
const ROUNDS = level.pick({ quick: 5, full: 20 });

interface Envelope {
  readonly data: TransactionView;
}

const BODY = { crypto: 'LTC', amount: 25, metadata: { order: '1042', lines: [{ sku: 'a', count: 2 }] } };

function create(
  app: TestApp,
  key: string,
  idempotencyKey: string,
  body: unknown = BODY,
): Promise<ApiResponse<Envelope>> {
  const headers = { 'x-idempotency-key': idempotencyKey };
  return app.call({ method: 'POST', path: '/transactions/create', key, body, headers });
}

/** Retries what a busy service postpones, as its clients do. */
async function createAtLast(app: TestApp, key: string, idempotencyKey: string): Promise<ApiResponse<Envelope>> {
  const response = await create(app, key, idempotencyKey);
  if (response.status !== 500) return response;
  expectProblem(response, 500, 'UPSTREAM_ERROR');
  expect(response.headers).toHaveProperty('retry-after');
  return createAtLast(app, key, idempotencyKey);
}

describeDatabases('an idempotency key', (database) => {
  const { app, merchant } = useApp(database);

  test('rule 69: makes a repeated create return the original and write nothing', async () => {
    const { sk_test } = merchant().keys;
    const first = await create(app(), sk_test, 'order-1');
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('x-idempotency-replayed');
    const before = await countWritten(app());
    const again = await create(app(), sk_test, 'order-1');
    expect(again.status).toBe(201);
    expect(again.headers['x-idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await countWritten(app())).toEqual(before);
  });

  test('returns the current state of the transaction', async () => {
    const { sk_test } = merchant().keys;
    const first = await create(app(), sk_test, 'order-now');
    const id = first.body.data.transaction_id;
    await app().simulate(sk_test, id, 'pay');
    const again = await create(app(), sk_test, 'order-now');
    expect(again.body.data).toMatchObject({ transaction_id: id, status: 'awaiting_confirmation' });
  });

  test('ignores the order of fields and explicit defaults', async () => {
    const { sk_test } = merchant().keys;
    const first = await create(app(), sk_test, 'order-2');
    const shuffled = {
      metadata: { lines: [{ count: 2, sku: 'a' }], order: '1042' },
      currency_fiat: 'USD',
      customer_email: null,
      amount: 25.0,
      crypto: 'LTC',
    };
    const again = await create(app(), sk_test, 'order-2', shuffled);
    expect(again.headers['x-idempotency-replayed']).toBe('true');
    expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
  });

  test.each([
    ['amount', { ...BODY, amount: 26 }],
    ['coin', { ...BODY, crypto: 'BTC' }],
    ['currency', { ...BODY, currency_fiat: 'EUR' }],
    ['metadata', { ...BODY, metadata: { order: '1043' } }],
    ['order of a list', { ...BODY, metadata: { ...BODY.metadata, lines: [{ sku: 'a', count: 2 }, 1] } }],
    ['email address', { ...BODY, customer_email: 'jo@example.com' }],
    ['URL', { ...BODY, success_url: 'https://shop.example.com' }],
  ])('conflicts with another %s', async (what, body) => {
    const { sk_test } = merchant().keys;
    await create(app(), sk_test, `conflict-${what}`);
    const before = await countWritten(app());
    expectProblem(await create(app(), sk_test, `conflict-${what}`, body), 409, 'IDEMPOTENCY_CONFLICT');
    expect(await countWritten(app())).toEqual(before);
  });

  test('is scoped to one merchant', async () => {
    const other = await app().addMerchant();
    const mine = await create(app(), merchant().keys.sk_test, 'shared');
    const theirs = await create(app(), other.keys.sk_test, 'shared');
    expect(theirs.status).toBe(201);
    expect(theirs.headers).not.toHaveProperty('x-idempotency-replayed');
    expect(theirs.body.data.transaction_id).not.toBe(mine.body.data.transaction_id);
  });

  test('is not used up by a failed create', async () => {
    const { sk_test } = merchant().keys;
    expectProblem(await create(app(), sk_test, 'failed-1', { ...BODY, amount: 0.5 }), 400, 'AMOUNT_TOO_LOW');
    const second = await create(app(), sk_test, 'failed-1');
    expect(second.status).toBe(201);
    expect(second.headers).not.toHaveProperty('x-idempotency-replayed');
  });

  test('may be any printable text of up to 255 characters', async () => {
    const { sk_test } = merchant().keys;
    for (const key of ['x', 'x'.repeat(255), `'; drop table "transaction" -- %_\\`, 'create:a:b:c']) {
      const first = await create(app(), sk_test, key);
      expect(first.status).toBe(201);
      expect((await create(app(), sk_test, key)).body).toEqual(first.body);
    }
  });

  test(`lets one of ${TWINS} concurrent requests create; the others get its transaction`, async () => {
    const { sk_test } = merchant().keys;
    const before = await countWritten(app());
    const responses = await Promise.all(Array.from({ length: TWINS }, () => createAtLast(app(), sk_test, 'twins')));
    expect(responses.map(({ status }) => status)).toEqual(Array(TWINS).fill(201));
    expect(new Set(responses.map(({ body }) => body.data.transaction_id)).size).toBe(1);
    const created = responses.filter(({ headers }) => headers['x-idempotency-replayed'] === undefined);
    expect(created.length).toBeLessThanOrEqual(1);
    const after = await countWritten(app());
    expect(after.transaction).toBe(before.transaction + 1);
    expect(after.addresses_taken).toBe(before.addresses_taken + 1);
  });

  test('rule 69: lets one of many concurrent requests with different bodies create; the others conflict', async () => {
    const { sk_test } = merchant().keys;
    const bodies = Array.from({ length: 20 }, (_, index) => ({ ...BODY, amount: 10 + index }));
    const responses = await Promise.all(bodies.map((body) => create(app(), sk_test, 'rivals', body)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses) if (response.status !== 201) expectProblem(response, 409, 'IDEMPOTENCY_CONFLICT');
  });

  test('is kept when the service restarts', async () => {
    const { sk_test } = merchant().keys;
    const first = await create(app(), sk_test, 'restart');
    const restarted = await startApp({ connection: database(), clock: app().clock });
    try {
      const again = await create(restarted, sk_test, 'restart');
      expect(again.headers['x-idempotency-replayed']).toBe('true');
      expect(again.body).toEqual(first.body);
      expectProblem(await create(restarted, sk_test, 'restart', { ...BODY, amount: 1 }), 409, 'IDEMPOTENCY_CONFLICT');
    } finally {
      await restarted.stop();
    }
  });
});

describePostgres('two processes and one idempotency key', () => {
  test(`create one transaction for ${TWINS} creates at once`, async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const apps = [await startApp({ connection: database }), await startApp({ connection: other })] as const;
    try {
      const { keys } = await apps[0].addMerchant();
      const responses = await Promise.all(
        Array.from({ length: TWINS }, (_, index) =>
          createAtLast(apps[index % 2] ?? apps[0], keys.sk_test, 'one order'),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(TWINS).fill(201));
      expect(new Set(responses.map(({ body }) => body.data.transaction_id)).size).toBe(1);
      const created = responses.filter(({ headers }) => headers['x-idempotency-replayed'] === undefined);
      expect(created.length).toBeLessThanOrEqual(1);
      expect(await countWritten(apps[0])).toMatchObject({ transaction: 1, addresses_taken: 1 });
    } finally {
      await apps[1].stop();
      await apps[0].stop();
      await other.close();
      await database.drop();
    }
  });

  test('create one transaction between them', async () => {
    const database = await createPostgresDatabase();
    const apps = [await startApp({ connection: database }), await startApp({ connection: database })] as const;
    try {
      const { keys } = await apps[0].addMerchant();
      for (let round = 0; round < ROUNDS; round += 1) {
        const racing = [...apps, ...apps].map((app) => create(app, keys.sk_test, `round-${round}`));
        const responses = await Promise.all(racing);
        expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
        expect(new Set(responses.map(({ body }) => body.data.transaction_id)).size).toBe(1);
        expect(responses.filter(({ headers }) => headers['x-idempotency-replayed'] === undefined)).toHaveLength(1);
      }
      expect(await countWritten(apps[0])).toMatchObject({ transaction: ROUNDS, addresses_taken: ROUNDS });
    } finally {
      for (const app of apps) await app.stop();
      await database.drop();
    }
  });
});
