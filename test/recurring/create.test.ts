import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import type { Schedule } from '../../src/client/index.ts';
import { requestHashOf } from '../../src/platform/require-same-request.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { NO_SERVER_RESPONDS } from '../support/outside/smtp.ts';
import { level } from '../support/run/level.ts';
import { startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';
import { errorOf, MONTHLY } from './requests.ts';

describeDatabases('creating a schedule', (database) => {
  let app: TestApp;
  let merchant: TestMerchant;
  beforeAll(async () => {
    app = await startApp({
      connection: database(),
      liveRates: { LTC: '80', EUR: '1.08' },
      mail: NO_SERVER_RESPONDS,
    });
    merchant = await app.addMerchant();
    await app.addLiveWallet(merchant);
  });
  afterAll(() => app?.stop());

  const create = (body: object, key = merchant.keys.sk_test, idempotencyKey?: string) =>
    app.call<{ data: Schedule }>({
      method: 'POST',
      path: '/recurring/create',
      key,
      body: { ...MONTHLY, ...body },
      ...(idempotencyKey === undefined ? {} : { headers: { 'x-idempotency-key': idempotencyKey } }),
    });
  const total = async (key: string) => {
    const response = await app.call<{ data: { pagination: { total: number } } }>({ path: '/recurring/list', key });
    return response.body.data.pagination.total;
  };

  test('a schedule that could not be paid later is rejected immediately, and nothing is stored', async () => {
    const { sk_live: live, sk_test: key } = merchant.keys;
    const before = [await total(live), await total(key)];
    const soon = app.clock.now();
    const rejected: readonly (readonly [object, string, string, string])[] = [
      [{ amount: 0.5 }, key, 'AMOUNT_TOO_LOW', 'amount'],
      [{ amount: -1 }, key, 'INVALID_AMOUNT', 'amount'],
      [{ crypto: 'BTC' }, live, 'WALLET_NOT_CONFIGURED', 'BTC'],
      [{ start_at: new Date(soon - DAY_MS).toISOString() }, key, 'INVALID_REQUEST', 'start_at'],
      [{ start_at: new Date(soon + 2_000 * DAY_MS).toISOString() }, key, 'INVALID_REQUEST', 'start_at'],
      [{ metadata: { schedule_id: 'mine' } }, key, 'INVALID_METADATA', 'schedule_id'],
      [{ customer_email: 'nobody' }, key, 'INVALID_REQUEST', 'customer_email'],
      [{ interval: 'daily' }, key, 'INVALID_REQUEST', 'interval'],
    ];
    for (const [body, sentWith, code, named] of rejected) {
      const response = await create(body, sentWith);
      expect([JSON.stringify(body), ...errorOf(response)]).toEqual([JSON.stringify(body), 400, code]);
      expect(response.text).toContain(named);
    }
    expect([await total(live), await total(key)]).toEqual(before);
  });

  test('a merchant without any wallet gets an error', async () => {
    const poor = await app.addMerchant();
    expect(errorOf(await create({}, poor.keys.sk_live))).toEqual([400, 'WALLET_NOT_CONFIGURED']);
    expect((await create({}, poor.keys.sk_test)).status).toBe(201);
  });

  test('a new request is rejected when the plan has ended and its 7 days of grace are over', async () => {
    const { id, keys } = await app.addMerchant();
    const { sk_live: live, sk_test: key } = keys;
    await app.addLiveWallet({ id, keys });
    const kept = (await create({}, key, 'before the end')).body.data.schedule_id;
    const setEnd = (endedAt: number) =>
      database()
        .db.updateTable('merchant')
        .set({ plan_expires_at: new Date(endedAt) })
        .where('id', '=', id)
        .execute();
    await setEnd(app.clock.now() - 7 * DAY_MS + 1);
    expect((await create({}, key)).status).toBe(201);
    await setEnd(app.clock.now() - 7 * DAY_MS);
    for (const rejected of [await create({}, key), await create({}, live)]) {
      expect(errorOf(rejected)).toEqual([403, 'NO_ACTIVE_PLAN']);
      expect(rejected.text).toContain('POST /billing/checkout');
    }
    expect([await total(key), await total(live)]).toEqual([2, 0]);
    // A retry returns the first result, and existing schedules continue.
    expect((await create({}, key, 'before the end')).body.data.schedule_id).toBe(kept);
    expect((await app.call({ path: `/recurring/${kept}`, key })).status).toBe(200);
    expect((await app.call({ method: 'POST', path: `/recurring/${kept}/cancel`, key })).status).toBe(200);
    // Others of the same batch are not rejected with it.
    const together = await Promise.all([create({}, key), create({}), create({}, live), create({})]);
    expect(together.map(({ status }) => status)).toEqual([403, 201, 403, 201]);
  });

  test('one idempotency key creates one schedule, under many concurrent requests', async () => {
    const requests = level.pick({ quick: 50, full: 200 });
    const before = await total(merchant.keys.sk_test);
    const responses = await Promise.all(
      Array.from({ length: requests }, () => create({ reference: 'twin' }, merchant.keys.sk_test, 'one of many')),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => body.data.schedule_id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['x-idempotency-replayed'] === 'true')).toHaveLength(requests - 1);
    expect(await total(merchant.keys.sk_test)).toBe(before + 1);
    const other = await create({ reference: 'another' }, merchant.keys.sk_test, 'one of many');
    expect(errorOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  test('the stored hash of a request has its start as ISO text, so that retries outlive an update', async () => {
    const start_at = new Date(app.clock.now() + DAY_MS).toISOString();
    const created = await create({ start_at }, merchant.keys.sk_test, 'with a start');
    const { request_hash: hash } = await database()
      .db.selectFrom('schedule')
      .select('request_hash')
      .where('id', '=', created.body.data.schedule_id)
      .executeTakeFirstOrThrow();
    const { currency_fiat: currencyFiat, customer_email: customerEmail, ...terms } = MONTHLY;
    const absent = { reference: null, crypto: null, maxPeriods: null, metadata: null, successUrl: null };
    expect(hash).toBe(requestHashOf({ ...terms, ...absent, currencyFiat, customerEmail, startAt: start_at }));
  });

  describe('mails to one address are limited', () => {
    test('rule 53: one merchant: five unanswered requests, of fifty at once', async () => {
      const customer_email = 'flooded@example.com';
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => create({ customer_email }, merchant.keys.sk_live)),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
      const rejected = responses.filter(({ status }) => status !== 201);
      expect(new Set(rejected.map((response) => String(errorOf(response))))).toEqual(
        new Set(['429,RECIPIENT_LIMIT_REACHED']),
      );
      // The same mailbox in another spelling.
      for (const customer_email of ['Flooded@Example.com', 'flooded+news@example.com', 'FLOODED+a+b@example.com']) {
        expect(errorOf(await create({ customer_email }, merchant.keys.sk_live))[0]).toBe(429);
      }
      expect((await create({ customer_email: 'another@example.com' }, merchant.keys.sk_live)).status).toBe(201);
    });

    test('rule 53: many merchants: ten emails a day, and again the next day', async () => {
      const customer_email = 'popular@example.com';
      const shops = await Promise.all(Array.from({ length: 4 }, () => app.addMerchant()));
      for (const shop of shops) await app.addLiveWallet(shop);
      const round = () =>
        Promise.all(
          shops.flatMap(({ keys }) => Array.from({ length: 4 }, () => create({ customer_email }, keys.sk_live))),
        );
      const responses = await round();
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
      const [created] = responses.filter(({ status }) => status === 201);
      const id = created?.body.data.schedule_id;
      const owner = shops.find((_, index) =>
        responses.slice(index * 4, index * 4 + 4).some(({ body }) => body.data?.schedule_id === id),
      );
      const again = await app.call({
        method: 'POST',
        path: `/recurring/${id}/resend-confirmation`,
        key: owner?.keys.sk_live ?? null,
      });
      expect(errorOf(again)).toEqual([429, 'RECIPIENT_LIMIT_REACHED']);
      app.clock.advance(DAY_MS + 1);
      expect((await round()).some(({ status }) => status === 201)).toBe(true);
    });

    test('rule 53: one merchant: a number of emails a day to unconfirmed customers, across all processes', async () => {
      const limits = {
        connection: database(),
        clock: app.clock,
        liveRates: { LTC: '80', EUR: '1.08' },
        mail: NO_SERVER_RESPONDS,
        maxUnconfirmed: 6,
      };
      const apps = [await startApp(limits), await startApp(limits)];
      try {
        const { id: merchantId, keys } = await app.addMerchant();
        const { sk_live: key } = keys;
        await app.addLiveWallet({ id: merchantId, keys });
        const post = (path: string, body: object, sentWith = key, index = 0) =>
          (apps[index % 2] ?? app).call<{ data: Schedule }>({ method: 'POST', path, key: sentWith, body });
        let customers = 0;
        const ask = (sentWith = key) => {
          customers += 1;
          const customer_email = `customer-${customers}@bounded.example`;
          return post('/recurring/create', { ...MONTHLY, customer_email }, sentWith, customers);
        };
        const isCreated = ({ status }: { status: number }) => status === 201;
        const first = (await ask()).body.data.schedule_id;
        expect((await post(`/recurring/${first}/resend-confirmation`, {})).status).toBe(200);
        const responses = await Promise.all(Array.from({ length: 12 }, () => ask()));
        expect(responses.filter(isCreated)).toHaveLength(4);
        for (const rejected of [
          ...responses.filter((response) => !isCreated(response)),
          await post(`/recurring/${first}/resend-confirmation`, {}),
        ]) {
          expect(errorOf(rejected)).toEqual([429, 'RECIPIENT_LIMIT_REACHED']);
          expect(rejected.text).toContain('RECURRING_MAX_UNCONFIRMED');
        }
        expect(await total(key)).toBe(5);
        // Emails of test keys go to no customer, and other merchants have their own limit.
        expect((await ask(keys.sk_test)).status).toBe(201);
        expect((await ask(merchant.keys.sk_live)).status).toBe(201);
        // A confirmation frees quota: both emails of the first schedule no longer count.
        await database()
          .db.updateTable('schedule')
          .set({ status: 'active', confirmed_at: new Date(app.clock.now()) })
          .where('id', '=', first)
          .execute();
        expect([await ask(), await ask(), await ask()].map(({ status }) => status)).toEqual([201, 201, 429]);
        app.clock.advance(DAY_MS + 1);
        expect((await ask()).status).toBe(201);
      } finally {
        for (const each of apps) await each.stop();
      }
    });

    test('rule 53: one merchant that resends many emails at the same moment', async () => {
      const limited = await startApp({
        connection: database(),
        liveRates: { LTC: '80', EUR: '1.08' },
        mail: NO_SERVER_RESPONDS,
        maxUnconfirmed: 4,
      });
      try {
        const owner = await limited.addMerchant();
        await limited.addLiveWallet(owner);
        const key = owner.keys.sk_live;
        const ask = (customer_email: string) =>
          limited.call<{ data: Schedule }>({
            method: 'POST',
            path: '/recurring/create',
            key,
            body: { ...MONTHLY, customer_email },
          });
        const ids: string[] = [];
        for (const name of ['a', 'b', 'c']) ids.push((await ask(`${name}@resent.example`)).body.data.schedule_id);
        await Promise.all(
          [...ids, ...ids].map((id) =>
            limited.call({ method: 'POST', path: `/recurring/${id}/resend-confirmation`, key }),
          ),
        );
        const mails = await database()
          .db.selectFrom('mail')
          .select('state')
          .where('recipient', 'like', '%@resent.example')
          .where('state', '<>', 'stored')
          .execute();
        expect(mails).toHaveLength(4);
      } finally {
        await limited.stop();
      }
    });

    test('test schedules, whose emails are stored and not sent', async () => {
      const customer_email = 'other@example.com';
      for (let count = 0; count < 7; count += 1) expect((await create({ customer_email })).status).toBe(201);
      const mails = await app.connection.db
        .selectFrom('mail')
        .select(['state', 'recipient'])
        .where('recipient', '=', customer_email)
        .execute();
      expect(mails.map(({ state }) => state)).toEqual(Array(7).fill('stored'));
    });
  });

  test('lists are filtered, complete, and newest first', async () => {
    const shop = await app.addMerchant();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      app.clock.advance(1_000);
      const response = await create({ reference: index % 2 === 0 ? 'even' : 'odd' }, shop.keys.sk_test);
      ids.unshift(response.body.data.schedule_id);
    }
    const list = async (query: string) => {
      const path = `/recurring/list${query}`;
      const response = await app.call<{ data: { schedules: Schedule[]; pagination: { total: number } } }>({
        path,
        key: shop.keys.sk_test,
      });
      const { schedules, pagination } = response.body.data;
      return [schedules.map(({ schedule_id: id }) => ids.indexOf(id)), pagination.total];
    };
    expect(await list('')).toEqual([[0, 1, 2, 3, 4], 5]);
    expect(await list('?limit=2&offset=2')).toEqual([[2, 3], 5]);
    expect(await list('?reference=odd')).toEqual([[1, 3], 2]);
    expect(await list('?status=active')).toEqual([[], 0]);
    expect(await list('?status=pending_confirmation&offset=9')).toEqual([[], 5]);
  });
});
