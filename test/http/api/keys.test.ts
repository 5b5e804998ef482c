import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import {
  type AuditedChange,
  allowAddresses,
  createKey,
  INTERFACE_TERMS,
  type IssuedKey,
  type PlanCache,
  revokeKey,
  rotateKey,
} from '../../../src/merchants/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../../support/database/test-database.ts';
import { startApp, type TestApp, type TestMerchant } from '../../support/service/app.ts';
import { countWritten, expectProblem, useApp } from './support.ts';

const LIST = '/transactions/list';
const PLANS: PlanCache = {
  anonymous: { perMinute: 1_000, perHour: 1_000 },
  termsOf: async () => ({ requests: { perMinute: 4, perHour: 1_000 }, ipWhitelist: true }),
};

describeDatabases('a key restricted to addresses', (database) => {
  const { app, merchant } = useApp(database, { trustedProxies: ['10.0.0.0/8'], plans: PLANS });

  async function tiedKey(...cidrs: readonly string[]): Promise<IssuedKey> {
    const issued = await newKey(app(), merchant());
    const input = { merchantId: merchant().id, keyId: issued.id };
    await changing(app(), (change) => allowAddresses(change, { ...input, terms: INTERFACE_TERMS.professional, cidrs }));
    return issued;
  }

  test('works from there only, for any use', async () => {
    const { key } = await tiedKey('203.0.113.0/24', '2001:db8::/48');
    for (const remoteAddress of ['203.0.113.255', '::ffff:203.0.113.1', '2001:db8:0:ffff::1']) {
      expect((await app().call({ path: LIST, key, remoteAddress })).status).toBe(200);
    }
    const before = await countWritten(app());
    for (const remoteAddress of ['203.0.114.1', '127.0.0.1', '2001:db8:1::1']) {
      const create = { method: 'POST', path: '/transactions/create', body: '{' } as const;
      const { message } = expectProblem(await app().call({ ...create, key, remoteAddress }), 403, 'FORBIDDEN');
      expect(message).toContain(remoteAddress);
      expect(message).toContain('add this address to those the key allows');
      expect(message).not.toContain('203.0.113');
    }
    expect(await countWritten(app())).toEqual(before);
  });

  test('is checked against the client address from a trusted proxy', async () => {
    const { key } = await tiedKey('203.0.113.7');
    const ask = (remoteAddress: string, forwarded: string) =>
      app().call({ path: LIST, key, remoteAddress, headers: { 'x-forwarded-for': forwarded } });
    expect((await ask('10.0.0.1', '203.0.113.7')).status).toBe(200);
    expectProblem(await ask('10.0.0.1', '203.0.113.8'), 403, 'FORBIDDEN');
    expectProblem(await ask('198.51.100.1', '203.0.113.7'), 403, 'FORBIDDEN');
    expectProblem(await ask('10.0.0.1', '203.0.113.7, 203.0.113.8'), 403, 'FORBIDDEN');
  });

  test('loses no requests when another client tries it from elsewhere', async () => {
    const { key } = await tiedKey('203.0.113.7');
    const elsewhere = { path: LIST, key, remoteAddress: '198.51.100.1' };
    for (let tried = 0; tried < 4; tried += 1) expectProblem(await app().call(elsewhere), 403, 'FORBIDDEN');
    expectProblem(await app().call(elsewhere), 429, 'RATE_LIMIT_EXCEEDED');
    const own = await app().call({ path: LIST, key, remoteAddress: '203.0.113.7' });
    expect(own).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '3' } });
  });
});

describePostgres('keys on two processes', () => {
  test('are valid, overlap and expire for both at the same moment', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 2 });
    const here = await startApp({ connection: database });
    const there = await startApp({ connection: other, clock: here.clock });
    try {
      const shop = await here.addMerchant();
      const statuses = (key: string) =>
        Promise.all([here, there].map(async (app) => (await app.call({ path: LIST, key })).status));

      const first = await newKey(here, shop);
      expect(await statuses(first.key)).toEqual([200, 200]);
      const keyId = first.id;
      const second = await changing(here, (change) =>
        rotateKey(change, { merchantId: shop.id, keyId, overlapMs: HOUR_MS }),
      );
      expect([await statuses(first.key), await statuses(second.key)].flat()).toEqual([200, 200, 200, 200]);
      here.clock.advance(HOUR_MS - 1);
      expect(await statuses(first.key)).toEqual([200, 200]);
      here.clock.advance(1);
      expect(await statuses(first.key)).toEqual([401, 401]);

      const third = await changing(there, (change) =>
        rotateKey(change, { merchantId: shop.id, keyId: second.id, overlapMs: 0 }),
      );
      expect([await statuses(second.key), await statuses(third.key)].flat()).toEqual([401, 401, 200, 200]);
      await changing(there, (change) => revokeKey(change, { merchantId: shop.id, keyId: third.id }));
      expect(await statuses(third.key)).toEqual([401, 401]);
      // The merchant's other keys stay valid.
      expect(await statuses(shop.keys.sk_test)).toEqual([200, 200]);
    } finally {
      await there.stop();
      await here.stop();
      await other.close();
      await database.drop();
    }
  });

  test('see the same merchant and share its actions, but not its request limits', async () => {
    const database = await createPostgresDatabase();
    const app = await startApp({ connection: database, plans: PLANS });
    try {
      const shop = await app.addMerchant();
      const [one, two] = [await newKey(app, shop), await newKey(app, shop)];
      const { transaction_id: id } = await app.create(one.key);
      expect((await app.call({ path: `/transactions/${id}`, key: two.key })).status).toBe(200);
      for (let sent = 0; sent < 4; sent += 1) await app.call({ path: LIST, key: one.key });
      expect((await app.call({ path: LIST, key: one.key })).status).toBe(429);
      expect((await app.call({ path: LIST, key: two.key })).status).toBe(200);
      app.clock.advance(MINUTE_MS);
      expect((await app.call({ path: LIST, key: one.key })).status).toBe(200);
    } finally {
      await app.stop();
      await database.drop();
    }
  });
});

// Helpers

function newKey(app: TestApp, { id: merchantId }: TestMerchant): Promise<IssuedKey> {
  const spec = { merchantId, kind: 'secret', mode: 'test', name: '', oneOpenPaymentPerIp: false } as const;
  return changing(app, (change) => createKey(change, spec));
}

function changing<T>({ connection, clock }: TestApp, work: (change: AuditedChange) => Promise<T>): Promise<T> {
  return connection.db.transaction().execute((trx) => work({ trx, who: 'a test', now: clock.now() }));
}
