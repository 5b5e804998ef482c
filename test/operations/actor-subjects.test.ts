import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getActor, listActors } from '../../src/operations/index.ts';
import { insertPayments, PLAIN } from '../payments/search/rows.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { newActorId } from '../support/service/engine.ts';
import { createInstallation, type Installation } from './installation.ts';

describeDatabases('what listed actors are about', (database) => {
  const subjectsOf = async (all: Installation, kind: string) => {
    const { actors } = await listActors(all, { filter: { kind }, cursor: null, limit: 50 });
    return new Map(actors.map(({ id, subject }) => [id, subject]));
  };

  test('payments: merchant, mode, price, coin and order; also on the page of the actor', async () => {
    const all = createInstallation(database());
    const [shop, id, other, named, unknown] = [await addShop(all), ...(await startPayments(all, 4))];
    if (id === undefined || other === undefined || named === undefined || unknown === undefined)
      throw new Error('four were started');
    await insertPayments(all.db, [
      { ...PLAIN, id, merchantId: shop, amountFiat: '25', orderId: 'order-7' },
      { ...PLAIN, id: other, merchantId: shop, mode: 'test' },
      { ...PLAIN, id: named, merchantId: shop, metadata: { order: 2003 } },
    ]);
    const subjects = await subjectsOf(all, 'transaction');
    expect(subjects.get(id)).toEqual({
      merchantName: `Shop ${shop}`,
      mode: 'live',
      amountFiat: '25',
      currencyFiat: expect.any(String),
      amountCrypto: '0.5',
      crypto: 'LTC',
      label: 'order-7',
    });
    expect(subjects.get(other)).toMatchObject({ mode: 'test', amountFiat: '40', label: null });
    expect(subjects.get(named)).toMatchObject({ label: '2003' });
    expect(subjects.get(unknown)).toBeNull();
    expect((await getActor(all, id)).subject).toEqual(subjects.get(id));
  });

  test('deliveries: event and host, never the path or query of the URL, which may hold a token', async () => {
    const all = createInstallation(database());
    const [shop, id] = [await addShop(all), await all.startDelivery()];
    const url = 'https://hooks.shop.example:8443/secret-path?token=secret';
    const endpoint = { id: `whk_${shop}`, merchant_id: shop, url, events: '[]', sealed_secret: '', enabled: true };
    await all.db.insertInto('webhook_endpoint').values(endpoint).execute();
    const now = new Date(all.clock.now());
    const event = { id: `evt_${shop}`, merchant_id: shop, event: 'payment.completed', mode: 'live' as const };
    await all.db
      .insertInto('webhook_event')
      .values({ ...event, transaction_id: null, body: '{}', created_at: now })
      .execute();
    await sql`
      insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, created_at)
      values (${id}, ${event.id}, ${endpoint.id}, ${event.event}, 'sending', 1, ${now})`.execute(all.db);
    const subjects = await subjectsOf(all, 'delivery');
    expect(subjects.get(id)).toMatchObject({
      merchantName: `Shop ${shop}`,
      mode: 'live',
      amountFiat: null,
      label: 'payment.completed to hooks.shop.example:8443',
    });
    expect(JSON.stringify([...subjects])).not.toContain('secret');
  });

  test('recurring requests: price and reference, or the description without one, and no address of a customer', async () => {
    const all = createInstallation(database());
    const [shop, named, plain] = [await addShop(all), await all.startSchedule(), await all.startSchedule()];
    for (const [id, reference] of [
      [named, 'contract-3'],
      [plain, null],
    ]) {
      await sql`
        insert into schedule (id, merchant_id, mode, reference, customer_email, description, amount_fiat, currency_fiat,
          interval, status, confirmations_sent, last_period_no, created_at, updated_at)
        values (${id}, ${shop}, 'test', ${reference}, 'customer@example.com', 'Rent', '10.00', 'EUR', 'monthly',
          'pending_confirmation', 1, 0, now(), now())`.execute(all.db);
    }
    const subjects = await subjectsOf(all, 'schedule');
    expect(subjects.get(named)).toMatchObject({ amountFiat: '10.00', currencyFiat: 'EUR', label: 'contract-3' });
    expect(subjects.get(plain)).toMatchObject({ merchantName: `Shop ${shop}`, crypto: null, label: 'Rent' });
    expect(JSON.stringify([...subjects])).not.toContain('customer@');
  });

  // Helpers

  async function addShop({ db }: Installation): Promise<string> {
    const id = newActorId();
    const shop = { id, name: `Shop ${id}`, email: 'a@shop.test', plan: 'starter', settings: '{}' } as const;
    await db.insertInto('merchant').values(shop).execute();
    return id;
  }

  function startPayments(all: Installation, count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => all.startTransaction()));
  }
});
