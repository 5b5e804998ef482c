import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { transactionViolations } from '../../../contract/transaction-violations.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import type { ApiResponse, TestMerchant } from '../../../support/service/app.ts';
import { shownToCustomer } from '../../../support/service/shown-to-customer.ts';
import { countWritten, expectProblem, useApp } from '../support.ts';

interface Envelope {
  readonly data: TransactionView;
}
type Body = Readonly<Record<string, unknown>>;

const TEA = { name: 'Earl Grey, 250 g', quantity: 3, price: 19.99 };
const BODY = { crypto: 'LTC', items: [TEA, { name: 'Postage', price: 4.5 }], order_id: '2026/1042' };

describeDatabases('itemized transactions', (database) => {
  const { app, merchant } = useApp(database);
  let key: string;

  beforeAll(async () => {
    key = merchant().keys.sk_test;
    await givePlan(merchant(), 'professional');
  });

  async function givePlan({ id }: TestMerchant, plan: string): Promise<void> {
    await database().db.updateTable('merchant').set({ plan }).where('id', '=', id).execute();
  }

  function create(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse<Envelope>> {
    return app().call({ method: 'POST', path: '/transactions/create-detailed', key, body, headers });
  }

  test('cost the sum of their items, and return items and order id', async () => {
    const { status, body, text } = await create(BODY);
    expect(status).toBe(201);
    expect(transactionViolations(body.data)).toEqual([]);
    expect(body.data).toMatchObject({
      type: 'detailed',
      amount_fiat: 64.47,
      amount_usd: 64.47,
      order_id: '2026/1042',
      items: [TEA, { name: 'Postage', quantity: 1, price: 4.5 }],
    });
    const got = await app().call<Envelope>({ path: `/transactions/${body.data.transaction_id}`, key });
    expect(got.text).toBe(text);
    const shown = await shownToCustomer(app(), body.data.transaction_id);
    expect(shown.items).toEqual([
      { ...TEA, price: '19.99' },
      { name: 'Postage', quantity: 1, price: '4.5' },
    ]);
  });

  test('rule 25: cost the exact sum, for any items', async () => {
    const item = fc.record({
      name: fc.constant('thing'),
      quantity: fc.integer({ min: 1, max: 1_000 }),
      cents: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 10_000_000 })),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 100 }), async (items) => {
        const sum = items.reduce((cents, each) => cents + BigInt(each.quantity * each.cents), 0n);
        const inputs = items.map(({ cents, ...rest }) => ({ ...rest, price: cents / 100 }));
        const response = await create({ ...BODY, crypto: 'USDC', items: inputs });
        if (sum < 100n) {
          expectProblem(response, 400, 'AMOUNT_TOO_LOW');
          return;
        }
        expect(response.status).toBe(201);
        const exact = `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`.replace(/\.?0+$/, '');
        expect(/"amount_fiat":([^,]+)/.exec(response.text)?.[1]).toBe(sum % 100n === 0n ? `${sum / 100n}` : exact);
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('send the items in the webhook, with prices as decimal strings', async () => {
    const { body } = await create(BODY);
    const { transaction_id: id } = body.data;
    await app().simulate(key, id, 'pay');
    const events = await database()
      .db.selectFrom('webhook_event')
      .select(['event', 'body'])
      .where('transaction_id', '=', id)
      .orderBy('created_at')
      .execute();
    expect(events.map(({ event }) => event).sort()).toEqual(['payment.created', 'payment.pending']);
    for (const event of events) {
      expect(JSON.parse(event.body)).toMatchObject({
        order_id: '2026/1042',
        items: [
          { name: TEA.name, quantity: 3, price: '19.99' },
          { name: 'Postage', quantity: 1, price: '4.5' },
        ],
      });
    }
  });

  test.each<[string, Body, string, string]>([
    ['no items', { items: undefined }, 'MISSING_ITEMS', 'items'],
    ['items that are null', { items: null }, 'MISSING_ITEMS', 'items'],
    ['an empty list of items', { items: [] }, 'MISSING_ITEMS', 'items'],
    ['items that are no list', { items: TEA }, 'MISSING_ITEMS', 'items'],
    ['no order id', { order_id: undefined }, 'MISSING_ORDER_ID', 'order_id'],
    ['an order id that is null', { order_id: null }, 'MISSING_ORDER_ID', 'order_id'],
    ['an empty order id', { order_id: '' }, 'MISSING_ORDER_ID', 'order_id'],
    ['a blank order id', { order_id: ' ' }, 'INVALID_REQUEST', 'order_id'],
    ['an order id of two lines', { order_id: 'a\nb' }, 'INVALID_REQUEST', 'order_id'],
    ['an order id with U+0000', { order_id: 'a\u0000' }, 'INVALID_REQUEST', 'order_id'],
    ['an order id with half a character', { order_id: 'a\ud83d' }, 'INVALID_REQUEST', 'order_id'],
    ['an order id that is too long', { order_id: 'x'.repeat(256) }, 'INVALID_REQUEST', 'order_id'],
    ['too many items', { items: Array(101).fill(TEA) }, 'INVALID_REQUEST', 'items'],
    ['an item without a name', { items: [{ price: 5 }] }, 'INVALID_REQUEST', 'items.0.name'],
    ['an item with an empty name', { items: [TEA, { name: '', price: 5 }] }, 'INVALID_REQUEST', 'items.1.name'],
    ['a name that is too long', { items: [{ name: 'x'.repeat(201), price: 5 }] }, 'INVALID_REQUEST', 'items.0.name'],
    ['a name with a direction', { items: [TEA, { name: 'a\u202eb', price: 5 }] }, 'INVALID_REQUEST', 'items.1.name'],
    ['an item without a price', { items: [{ name: 'Tea' }] }, 'INVALID_REQUEST', 'items.0.price'],
    ['a price as text', { items: [{ name: 'Tea', price: '5' }] }, 'INVALID_REQUEST', 'items.0.price'],
    ['a negative price', { items: [TEA, { name: 'Tea', price: -5 }] }, 'INVALID_REQUEST', 'items.1.price'],
    ['a price with 3 decimals', { items: [TEA, { name: 'Tea', price: 1.005 }] }, 'INVALID_AMOUNT', 'items.1.price'],
    ['half a piece', { items: [{ ...TEA, quantity: 0.5 }] }, 'INVALID_REQUEST', 'items.0.quantity'],
    ['no piece', { items: [{ ...TEA, quantity: 0 }] }, 'INVALID_REQUEST', 'items.0.quantity'],
    ['too many pieces', { items: [{ ...TEA, quantity: 1_000_001 }] }, 'INVALID_REQUEST', 'items.0.quantity'],
    ['an unknown field in an item', { items: [{ ...TEA, vat: 20 }] }, 'INVALID_REQUEST', 'items.0.vat'],
    ['an amount', { amount: 5 }, 'INVALID_REQUEST', 'amount'],
    ['only gifts', { items: [{ name: 'Tea', price: 0 }] }, 'AMOUNT_TOO_LOW', 'items'],
    ['items worth too little', { items: [{ name: 'Tea', quantity: 9, price: 0.11 }] }, 'AMOUNT_TOO_LOW', 'items'],
    ['items worth too much', { items: [{ ...TEA, quantity: 1_000_000, price: 1e12 }] }, 'INVALID_AMOUNT', 'items'],
    ['an unknown coin', { crypto: 'XMR' }, 'INVALID_CRYPTO', 'crypto'],
  ])('with %s are rejected and write nothing', async (_name, change, code, field) => {
    const before = await countWritten(app());
    const problem = expectProblem(await create({ ...BODY, ...change }), 400, code);
    expect(problem.details?.map((detail) => detail.field)).toEqual([field]);
    expect(await countWritten(app())).toEqual(before);
  });

  test('may use the maximum of every limit', async () => {
    const items = Array.from({ length: 100 }, () => ({ name: 'ß'.repeat(200), quantity: 1_000_000, price: 0.01 }));
    const { status, body } = await create({ ...BODY, crypto: 'USDC', items, order_id: '😀'.repeat(255) });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ amount_fiat: 1_000_000, items });
  });

  test('share their idempotency keys with plain ones', async () => {
    const headers = { 'x-idempotency-key': 'shared' };
    const first = await create(BODY, headers);
    const again = await create({ ...BODY, items: [TEA, { name: 'Postage', quantity: 1, price: 4.5 }] }, headers);
    expect(again.status).toBe(201);
    expect(again.headers['x-idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expectProblem(await create({ ...BODY, order_id: '1043' }, headers), 409, 'IDEMPOTENCY_CONFLICT');
    expectProblem(await create({ ...BODY, items: [TEA] }, headers), 409, 'IDEMPOTENCY_CONFLICT');
    const plain = { crypto: 'LTC', amount: 64.47 };
    const create2 = { method: 'POST', path: '/transactions/create', key, body: plain, headers } as const;
    expectProblem(await app().call(create2), 409, 'IDEMPOTENCY_CONFLICT');
    await app().call({ ...create2, headers: { 'x-idempotency-key': 'plain' } });
    expectProblem(await create(BODY, { 'x-idempotency-key': 'plain' }), 409, 'IDEMPOTENCY_CONFLICT');
  });

  test('need a plan that includes them; existing ones are still returned', async () => {
    const other = await app().addMerchant();
    const request = (headers: Readonly<Record<string, string>>) =>
      app().call<Envelope>({
        method: 'POST',
        path: '/transactions/create-detailed',
        key: other.keys.sk_test,
        body: BODY,
        headers,
      });
    for (const plan of ['starter', 'business']) {
      await givePlan(other, plan);
      expectProblem(await request({}), 403, 'PLAN_UPGRADE_REQUIRED');
    }
    await givePlan(other, 'enterprise');
    const created = await request({ 'x-idempotency-key': 'kept' });
    expect(created.status).toBe(201);
    await givePlan(other, 'starter');
    expect((await request({ 'x-idempotency-key': 'kept' })).text).toBe(created.text);
    expectProblem(await request({ 'x-idempotency-key': 'new' }), 403, 'PLAN_UPGRADE_REQUIRED');
  });
});
