import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  DEFAULT_SUBSCRIPTION,
  type EndpointChanges,
  findEndpoint,
  getEndpoint,
  listEndpoints,
  WEBHOOK_EVENT_TYPES,
  webhookEventId,
} from '../../../src/webhooks/index.ts';
import { insertWebhookEvents } from '../../../src/webhooks/store-events.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createMerchant, newEvent } from '../harness.ts';
import { endpointVerbs, NOW, secretBox } from './endpoint-verbs.ts';

describeDatabases('webhook endpoints', (database) => {
  const { create, change, regenerate, remove, rowOf, audit } = endpointVerbs(database);

  test('rule 62: a new one is subscribed to everything but payment.created, recurring events included', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    expect(endpoint).toMatchObject({ merchantId, enabled: true, events: DEFAULT_SUBSCRIPTION, description: '' });
    expect(await getEndpoint(database().db, { merchantId, endpointId: endpoint.id })).toEqual(endpoint);
    expect(WEBHOOK_EVENT_TYPES.filter((type) => !DEFAULT_SUBSCRIPTION.includes(type))).toEqual(['payment.created']);
    expect(DEFAULT_SUBSCRIPTION).toContain('recurring.payment.unpaid');
  });

  test('the secret is shown once and stored sealed, bound to its row', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint, secret } = await create({ merchantId });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const row = await rowOf(endpoint.id);
    expect(JSON.stringify([row, endpoint])).not.toContain(secret.slice(6, 20));
    expect(secretBox.open(row.sealed_secret, `webhook:${endpoint.id}`)).toBe(secret);
    expect(() => secretBox.open(row.sealed_secret, 'webhook:whk_other')).toThrow('belongs to another row');
  });

  test('one is found by every spelling of its URL, and only by its merchant', async () => {
    const [merchantId, otherMerchantId] = [await createMerchant(database()), await createMerchant(database())];
    const { endpoint } = await create({ merchantId, url: 'HTTPS://SHOP.example:443/x/../hooks' });
    const { db } = database();
    const url = 'https://shop.example/hooks';
    expect(await findEndpoint(db, { merchantId, url })).toEqual(endpoint);
    expect(await findEndpoint(db, { merchantId: otherMerchantId, url })).toBeNull();
    expect(await findEndpoint(db, { merchantId, url: 'not a url' })).toBeNull();
    expect(await listEndpoints(db, otherMerchantId)).toEqual([]);
    for (const attempt of [
      () => getEndpoint(db, { merchantId: otherMerchantId, endpointId: endpoint.id }),
      () => change(otherMerchantId, endpoint.id, { description: 'mine' }),
      () => regenerate(otherMerchantId, endpoint.id),
      () => remove(otherMerchantId, endpoint.id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    }
    expect(await findEndpoint(db, { merchantId, url })).toEqual(endpoint);
  });

  test('the same URL can be used once by one merchant, also concurrently and in a change', async () => {
    const [merchantId, otherMerchantId] = [await createMerchant(database()), await createMerchant(database())];
    const settled = await Promise.allSettled([1, 2, 3].map(() => create({ merchantId })));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rejections = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    for (const rejection of rejections) expect(rejection).toMatchObject({ code: 'WEBHOOK_ENDPOINT_EXISTS' });
    await expect(create({ merchantId: otherMerchantId })).resolves.toMatchObject({ secret: expect.any(String) });

    const others = await Promise.all(
      ['a', 'b'].map((path) => create({ merchantId, url: `https://shop.example/${path}` })),
    );
    const url = 'https://shop.example/wanted';
    const moved = await Promise.allSettled(others.map(({ endpoint }) => change(merchantId, endpoint.id, { url })));
    expect(moved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(
      change(merchantId, others[0]?.endpoint.id ?? '', { url: 'https://shop.example/hooks' }),
    ).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_EXISTS' });
  });

  test('everything but the secret can be changed, and the events reset to the default', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId, events: ['payment.completed', 'payment.completed'] });
    const { id } = endpoint;
    expect(endpoint.events).toEqual(['payment.completed']);
    const changed = await change(merchantId, id, {
      url: 'https://books.example/in?token=quiet',
      events: ['payment.expired', 'payment.created'],
      description: '  Books  ',
      disablesItself: true,
      disablesOnGone: true,
      maxPerSecond: 5,
    });
    expect(changed).toEqual({
      ...endpoint,
      url: 'https://books.example/in?token=quiet',
      events: ['payment.created', 'payment.expired'],
      description: 'Books',
      disablesItself: true,
      disablesOnGone: true,
      maxPerSecond: 5,
    });
    expect((await change(merchantId, id, { events: null })).events).toEqual(DEFAULT_SUBSCRIPTION);
    expect((await change(merchantId, id, { url: changed.url, description: 'Books' })).description).toBe('Books');
    expect(await audit(id)).toEqual([
      expect.objectContaining({ what: 'webhook_endpoint.created' }),
      {
        who: 'a test',
        what: 'webhook_endpoint.changed',
        occurred_at: NOW,
        details: {
          url: 'https://books.example/in',
          events: ['payment.created', 'payment.expired'],
          description: 'Books',
          disables_itself: true,
          disables_on_gone: true,
          max_per_second: 5,
        },
      },
      expect.objectContaining({ what: 'webhook_endpoint.changed', details: { events: [...DEFAULT_SUBSCRIPTION] } }),
    ]);
  });

  test('invalid input is rejected with the remedy and changes nothing', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    const wrong: [EndpointChanges, object][] = [
      [
        { events: ['payment.complete'] },
        { code: 'INVALID_WEBHOOK_EVENTS', message: expect.stringContaining('paid_late') },
      ],
      [{ events: [] }, { code: 'INVALID_WEBHOOK_EVENTS', message: expect.stringContaining('choose from') }],
      [{ url: 'http://shop.example/' }, { code: 'INVALID_WEBHOOK_URL' }],
      [{ url: 'https://127.0.0.1/' }, { code: 'INVALID_WEBHOOK_URL' }],
      [{ maxPerSecond: 0 }, { code: 'INVALID_REQUEST', field: 'max_per_second' }],
      [{ maxPerSecond: 1_001 }, { code: 'INVALID_REQUEST', field: 'max_per_second' }],
      [{ description: 'x'.repeat(201) }, { code: 'INVALID_REQUEST', field: 'description' }],
      [{ description: 'two\nlines' }, { code: 'INVALID_REQUEST', field: 'description' }],
    ];
    for (const [changes, rejection] of wrong) {
      await expect(change(merchantId, endpoint.id, changes)).rejects.toMatchObject(rejection);
      await expect(
        create({ merchantId, url: 'https://shop.example/other', ...changes } as never),
      ).rejects.toMatchObject(rejection);
    }
    expect(await listEndpoints(database().db, merchantId)).toEqual([endpoint]);
    expect(await audit(endpoint.id)).toHaveLength(1);
    expect((await change(merchantId, endpoint.id, { description: '🧾'.repeat(200) })).description).toHaveLength(400);
  });

  test('disabling and enabling stores the time and the reason, and enabling clears the failures', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    const off = await change(merchantId, endpoint.id, { enabled: false });
    expect(off).toMatchObject({ enabled: false, disabledAt: NOW, disabledBecause: 'merchant' });
    expect(await change(merchantId, endpoint.id, { enabled: false })).toEqual(off);
    await database()
      .db.updateTable('webhook_endpoint')
      .set({ failing_since: new Date(NOW), notices_sent: 2, disabled_because: 'failing' })
      .where('id', '=', endpoint.id)
      .execute();
    expect(await change(merchantId, endpoint.id, { enabled: true })).toEqual(endpoint);
    expect(await rowOf(endpoint.id)).toMatchObject({ notices_sent: 0 });
    expect((await audit(endpoint.id)).map(({ what }) => what)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
      'webhook_endpoint.enabled',
    ]);
    const born = await create({ merchantId, url: 'https://shop.example/later', enabled: false });
    expect(born.endpoint).toMatchObject({ enabled: false, disabledAt: NOW, disabledBecause: 'merchant' });
  });

  test('another URL is another receiver without failures; another description is not', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    const fail = () =>
      database()
        .db.updateTable('webhook_endpoint')
        .set({ failing_since: new Date(NOW), notices_sent: 1 })
        .where('id', '=', endpoint.id)
        .execute();
    await fail();
    expect(await change(merchantId, endpoint.id, { description: 'x' })).toMatchObject({ failingSince: NOW });
    await change(merchantId, endpoint.id, { url: 'https://shop.example/new' });
    expect(await rowOf(endpoint.id)).toMatchObject({ failing_since: null, notices_sent: 0 });
  });

  test('a regenerated secret replaces the old one in its row', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint, secret } = await create({ merchantId });
    await sql`update webhook_endpoint set secret_changed_at = '2026-01-01' where id = ${endpoint.id}`.execute(
      database().db,
    );
    const made = await regenerate(merchantId, endpoint.id);
    expect(made.secret).not.toBe(secret);
    expect(made.endpoint.secretChangedAt).toBe(NOW);
    expect(secretBox.open((await rowOf(endpoint.id)).sealed_secret, `webhook:${endpoint.id}`)).toBe(made.secret);
    const [, entry] = await audit(endpoint.id);
    expect(entry).toMatchObject({ what: 'webhook_endpoint.secret_regenerated', details: {} });
  });

  test('a deleted one is not found, frees its URL and keeps its row without a secret', async () => {
    const merchantId = await createMerchant(database());
    const { endpoint } = await create({ merchantId });
    await remove(merchantId, endpoint.id);
    const { db } = database();
    expect(await listEndpoints(db, merchantId)).toEqual([]);
    expect(await findEndpoint(db, endpoint)).toBeNull();
    expect(await rowOf(endpoint.id)).toMatchObject({ deleted_at: NOW, enabled: false, sealed_secret: '' });
    for (const attempt of [
      () => remove(merchantId, endpoint.id),
      () => regenerate(merchantId, endpoint.id),
      () => change(merchantId, endpoint.id, { enabled: true }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    }
    const again = await create({ merchantId });
    expect(again.endpoint.id).not.toBe(endpoint.id);
  });
});

describeDatabases('stored webhook events', (database) => {
  test('an event that is stored again keeps its first bytes, and the others are still stored', async () => {
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

  test('the id of an event follows from its actor, its sequence and its content', () => {
    const idOf = (actorId: string, sequence: number, event = 'payment.expired') =>
      webhookEventId(actorId, { sequence, event });
    expect(idOf('txn_1', 2)).toBe(idOf('txn_1', 2));
    const others = [idOf('txn_1', 3), idOf('txn_12', 3), idOf('txn_1', 2, 'payment.completed')];
    expect(new Set([idOf('txn_1', 2), ...others]).size).toBe(4);
    expect(idOf('txn_1', 2)).toMatch(/^evt_[0-9a-z]{26}$/);
  });
});

// Helpers

function rowOf({ id, merchantId, transactionId, event, mode, body, createdAt }: ReturnType<typeof newEvent>) {
  const row = { id, merchant_id: merchantId, transaction_id: transactionId, event, mode, body };
  return { ...row, is_test: false, created_at: createdAt };
}
