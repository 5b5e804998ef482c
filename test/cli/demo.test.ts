import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { upsertMerchant } from '../../src/merchants/index.ts';
import type { CreateDeps } from '../../src/payments/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createDemo } from '../../src/service/demo/demo.ts';
import { deleteEndpoint, listEndpoints } from '../../src/webhooks/index.ts';
import { createTestClock } from '../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';

describePostgres('the demo', () => {
  let database: TestDatabase;
  let dataDir = '';

  beforeEach(async () => {
    database = await createPostgresDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'quittance-demo-'));
  });
  afterEach(async () => {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (port = 8080) =>
    createDemo({
      db: database.db,
      clock: createTestClock(),
      dataDir,
      // Only an open demo creates payments.
      create: {} as CreateDeps,
      endpoints: {
        secretBox: createSecretBox(new Uint8Array(32)),
        urls: { allowCidrs: [], allowHttp: false, allowPorts: [], allowLoopback: true },
        plansEnabled: false,
      },
      publicUrl: 'https://pay.example',
      receiverUrl: `http://127.0.0.1:${port}/demo/receiver`,
    });

  async function addMerchant(merchant: { readonly name: string; readonly email: string }): Promise<void> {
    await database.db
      .transaction()
      .execute((trx) => upsertMerchant(trx, { ...merchant, plan: 'starter', settings: {} }));
  }

  test('is open without a merchant, and closed by a real one, immediately and after the next start', async () => {
    const demo = start();
    expect(await demo.merchantId()).toBeNull();
    expect(await demo.prepare()).toBe(true);
    expect(await demo.merchantId()).toMatch(/^mer_/);
    expect(await readdir(dataDir)).toEqual(['demo-keys.json']);
    expect(await demo.secrets()).toMatchObject({ console: { owner: { email: 'owner@example.com' } } });
    const [, shown = ''] = /\/\?show=(\S+)/.exec(demo.invitation()) ?? [];
    expect([shown, shown.slice(1), `${shown}x`, '', undefined, [shown]].map(demo.mayShowSecrets)).toEqual([
      true,
      ...Array.from({ length: 5 }, () => false),
    ]);
    expect(start().mayShowSecrets(shown)).toBe(false);
    const again = start();
    expect(await again.prepare()).toBe(true);
    expect(await again.merchantId()).toBe(await demo.merchantId());

    await addMerchant({ name: 'Corner shop', email: 'owner@shop.example' });
    const next = start();
    expect(await next.prepare()).toBe(false);
    for (const each of [demo, again, next]) expect([await each.merchantId(), await each.pay()]).toEqual([null, null]);
  });

  test('moves its endpoint to another port, and leaves a deleted one deleted', async () => {
    const { db } = database;
    const prepared = async (port: number) => {
      const demo = start(port);
      expect(await demo.prepare()).toBe(true);
      const merchantId = (await demo.merchantId()) ?? '';
      return { merchantId, endpoints: await listEndpoints(db, merchantId) };
    };
    const first = await prepared(8080);
    const [made] = first.endpoints;
    expect(first.endpoints).toMatchObject([{ url: 'http://127.0.0.1:8080/demo/receiver', modes: ['test'] }]);
    const second = await prepared(8081);
    expect(second.endpoints).toMatchObject([{ id: made?.id, url: 'http://127.0.0.1:8081/demo/receiver' }]);

    const endpoint = { merchantId: second.merchantId, endpointId: made?.id ?? '' };
    await db.transaction().execute((trx) => deleteEndpoint({ trx, who: 'user usr_1', now: Date.now() }, endpoint));
    for (const port of [8081, 8082]) expect((await prepared(port)).endpoints).toEqual([]);
  });

  test('opens without its endpoint at a port that webhooks never go to', async () => {
    const demo = start(81);
    expect(await demo.prepare()).toBe(true);
    expect(await listEndpoints(database.db, (await demo.merchantId()) ?? '')).toEqual([]);
  });

  test.each([
    { name: 'Demo shop', email: 'owner@shop.example' },
    { name: 'Corner shop', email: 'demo@example.com' },
  ])('never uses the real merchant $name with $email', async (merchant) => {
    await addMerchant(merchant);
    const demo = start();
    expect(await demo.prepare()).toBe(false);
    expect([await demo.merchantId(), await demo.pay()]).toEqual([null, null]);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
