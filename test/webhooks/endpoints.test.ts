import { expect, test } from 'vitest';
import { createSecretBox } from '../../src/secrets/index.ts';
import {
  DEFAULT_SUBSCRIPTION,
  findEndpoint,
  insertWebhookEvents,
  registerEndpoint,
  updateEndpointEvents,
  WEBHOOK_EVENT_TYPES,
  webhookEventId,
} from '../../src/webhooks/index.ts';
import { describeBothDatabases } from '../support/database.ts';
import { createMerchant, newEvent, PUBLIC_ONLY, TEST_KEY } from './harness.ts';

const secretBox = createSecretBox(TEST_KEY);

describeBothDatabases('webhook endpoints', (database) => {
  function register(merchantId: string, url: string, events: readonly string[] | null = null) {
    return database()
      .db.transaction()
      .execute((trx) => registerEndpoint(trx, { merchantId, url, events, secretBox, urls: PUBLIC_ONLY }));
  }

  test('a new endpoint is told everything but payment.created, recurring events included', async () => {
    const merchantId = await createMerchant(database());
    const { id } = await register(merchantId, 'https://shop.example/hooks');
    const found = await findEndpoint(database().db, { merchantId, url: 'https://shop.example/hooks' });
    expect(found).toMatchObject({ id, merchantId, enabled: true, events: DEFAULT_SUBSCRIPTION });
    expect(WEBHOOK_EVENT_TYPES.filter((type) => !DEFAULT_SUBSCRIPTION.includes(type))).toEqual(['payment.created']);
    expect(DEFAULT_SUBSCRIPTION).toContain('recurring.payment.unpaid');
  });

  test('its secret is shown once and rests sealed, bound to its row', async () => {
    const merchantId = await createMerchant(database());
    const { id, secret } = await register(merchantId, 'https://shop.example/a');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const row = await database()
      .db.selectFrom('webhook_endpoint')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret.slice(6, 20));
    expect(secretBox.open(row.sealed_secret, `webhook:${id}`)).toBe(secret);
    expect(() => secretBox.open(row.sealed_secret, 'webhook:whk_other')).toThrow('belongs to another row');
  });

  test('it is found by every spelling of its URL, and only by its merchant', async () => {
    const [merchantId, stranger] = [await createMerchant(database()), await createMerchant(database())];
    const { id } = await register(merchantId, 'HTTPS://SHOP.example:443/x/../hooks');
    const { db } = database();
    expect(await findEndpoint(db, { merchantId, url: 'https://shop.example/hooks' })).toMatchObject({ id });
    expect(await findEndpoint(db, { merchantId: stranger, url: 'https://shop.example/hooks' })).toBeNull();
    expect(await findEndpoint(db, { merchantId, url: 'not a url' })).toBeNull();
  });

  test('the same URL cannot be registered twice by one merchant, not even at the same moment', async () => {
    const [merchantId, stranger] = [await createMerchant(database()), await createMerchant(database())];
    const url = 'https://shop.example/hooks';
    const settled = await Promise.allSettled([1, 2, 3].map(() => register(merchantId, url)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'WEBHOOK_ENDPOINT_EXISTS' });
    await expect(register(stranger, url)).resolves.toMatchObject({ secret: expect.any(String) });
  });

  test('its events can be changed, and set back to the default', async () => {
    const merchantId = await createMerchant(database());
    const url = 'https://shop.example/hooks';
    const { id } = await register(merchantId, url, ['payment.completed', 'payment.completed']);
    const { db } = database();
    expect((await findEndpoint(db, { merchantId, url }))?.events).toEqual(['payment.completed']);
    await updateEndpointEvents(db, { endpointId: id, events: ['payment.expired', 'payment.created'] });
    expect((await findEndpoint(db, { merchantId, url }))?.events).toEqual(['payment.created', 'payment.expired']);
    await updateEndpointEvents(db, { endpointId: id, events: null });
    expect((await findEndpoint(db, { merchantId, url }))?.events).toEqual(DEFAULT_SUBSCRIPTION);
    await expect(updateEndpointEvents(db, { endpointId: 'whk_none', events: null })).rejects.toMatchObject({
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
  });

  test('unknown event types and an empty list are refused with the choices', async () => {
    const merchantId = await createMerchant(database());
    for (const events of [['payment.complete'], []]) {
      await expect(register(merchantId, 'https://shop.example/', events)).rejects.toMatchObject({
        code: 'INVALID_WEBHOOK_EVENTS',
        message: expect.stringContaining('payment.paid_late'),
      });
    }
    await expect(register(merchantId, 'http://shop.example/')).rejects.toMatchObject({ code: 'INVALID_WEBHOOK_URL' });
  });
});

describeBothDatabases('stored webhook events', (database) => {
  test('an event that is stored again keeps its first bytes, and its neighbours are stored all the same', async () => {
    const merchantId = await createMerchant(database());
    const { db } = database();
    const store = (events: readonly ReturnType<typeof newEvent>[]) =>
      db.transaction().execute((trx) => insertWebhookEvents(trx, events));
    const [first, second] = ['payment.pending', 'payment.completed'].map((event) => {
      return newEvent({ merchantId, event, at: 1_700_000_000_123 });
    });
    if (first === undefined || second === undefined) throw new Error('two events were made');
    await store([]);
    await store([first]);
    await store([
      { ...first, body: '{}' },
      { ...second, transactionId: null },
    ]);
    const rows = await db.selectFrom('webhook_event').selectAll().where('merchant_id', '=', merchantId).execute();
    expect(new Map(rows.map((row) => [row.id, row]))).toEqual(
      new Map([
        [first.id, rowOf(first)],
        [second.id, { ...rowOf(second), transaction_id: null }],
      ]),
    );
  });

  test('the id of an event follows from its actor and sequence', () => {
    expect(webhookEventId('txn_1', 2)).toBe(webhookEventId('txn_1', 2));
    expect(new Set([webhookEventId('txn_1', 2), webhookEventId('txn_1', 3), webhookEventId('txn_12', 3)]).size).toBe(3);
    expect(webhookEventId('txn_1', 2)).toMatch(/^evt_[0-9a-z]{26}$/);
  });
});

// Helpers

function rowOf({ id, merchantId, transactionId, event, body, createdAt }: ReturnType<typeof newEvent>) {
  const row = { id, merchant_id: merchantId, transaction_id: transactionId, event, body };
  return { ...row, is_test: false, created_at: createdAt };
}
