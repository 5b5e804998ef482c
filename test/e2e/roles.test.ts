import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { findFreePort } from '../support/free-port.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { deleteStream, provideNats, type TestNats, uniquePrefix } from '../support/service/nats.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { statusOf } from './restarts/rolling-processes.ts';
import { createShopClient } from './shop-process.ts';

const SINGLE = ['api', 'worker', 'watcher'];
/** A combination does what its roles do, so the quick level tests each role alone. */
const MIXES = level.pick({
  quick: SINGLE,
  full: [...SINGLE, 'api,worker', 'api,watcher', 'worker,watcher', 'api,worker,watcher'],
});

const describeRoles = describeWith('postgres', 'natsServer');

describeRoles('a process with a mix of roles', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let receiver: Receiver;
  let services: RunningService[] = [];
  let prefix = '';

  beforeAll(async () => {
    database = await createPostgresDatabase();
    nats = provideNats();
  });
  afterAll(async () => {
    await database?.drop();
    await nats?.cleanUp();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.remove()));
    services = [];
    await receiver.close();
    await deleteStream(nats.url, prefix);
  });

  /** Starts a process with these roles on the test's stream. */
  async function start(roles: string, merchants: readonly unknown[]): Promise<RunningService> {
    const service = await createTestService({
      env: {
        PORT: String(await findFreePort()),
        MONITOR_PORT: '0',
        ROLES: roles,
        DATABASE_URL: database.url ?? '',
        NATS_URL: nats.url,
        NATS_PREFIX: prefix,
        SECRETS_KEY: 'ef'.repeat(32),
        PLANS: 'off',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        // The lease shows which process watches; no node has to answer.
        ...(roles.includes('watcher') ? { LTC_NETWORK: 'regtest', LTC_RPC_URL: 'http://127.0.0.1:1' } : {}),
      },
      ...(merchants.length === 0 ? {} : { provisioning: { merchants } }),
    });
    services.push(service);
    await service.start();
    return service;
  }

  test.each(MIXES)('%s: starts, is ready, does its part and nothing else', async (mix) => {
    prefix = uniquePrefix();
    receiver = await startReceiver();
    const webhooks = [{ url: receiver.url, events: ['payment.created'] }];
    const service = await start(mix, [{ name: mix, email: `${mix.replaceAll(',', '.')}@shop.example`, webhooks }]);
    expect(await statusOf(`${service.monitorUrl}/ready`)).toBe(200);
    expect(await statusOf(`${service.url}/v1/health`)).toBe(mix.includes('api') ? 200 : null);
    const expected = { worker: mix.includes('worker'), watcher: mix.includes('watcher') };
    // The service takes the watcher lease in the background; all other roles have started when the
    // start resolves.
    if (expected.watcher) await watches(database);
    await waitFor(
      async () => (await queuesWorkedOn(nats.url, prefix)).watcher === expected.watcher || null,
      () => 'no process answers checks of depth',
    );
    expect(await queuesWorkedOn(nats.url, prefix)).toEqual(expected);
    const [secrets] = await service.secrets();
    // A combination without the API role gets its payment through another process.
    const api = mix.includes('api') ? service : await start('api', []);
    const { transaction_id: id } = await createShopClient(api.url, secrets?.keys?.sk_test ?? '').create();
    await waitFor(
      async () => (await leftInOutbox(database)) === 0 || null,
      () => 'the messages of the payment were not published',
    );
    // Messages without a worker wait until one starts.
    if (!mix.includes('worker')) {
      expect(receiver.requests).toEqual([]);
      await start('worker', []);
    }
    await waitFor(
      async () => receiver.requests.length > 0 || null,
      () => 'no webhook came',
    );
    expect(receiver.requests.map(({ body }) => (JSON.parse(body) as TransactionView).transaction_id)).toEqual([id]);
    await service.stop();
    expect(await database.db.selectFrom('chain_lease').selectAll().execute()).toEqual([]);
  });
});

// Helpers

/** Resolves when a process holds the lease. */
async function watches({ db }: TestDatabase): Promise<void> {
  const find = async () => {
    const leases = await db.selectFrom('chain_lease').selectAll().execute();
    return leases.length > 0 || null;
  };
  await waitFor(find, () => 'no process took the lease');
}

/** Which roles have subscribed at the broker, by the existing consumers. */
async function queuesWorkedOn(url: string, prefix: string): Promise<{ worker: boolean; watcher: boolean }> {
  const connection = await connectNats({ servers: url.replace('nats://', '') });
  try {
    const manager = await jetstreamManager(connection);
    const names: string[] = [];
    for await (const { name } of manager.consumers.list(prefix)) names.push(name);
    return {
      worker: names.some((name) => name.startsWith('actor-')),
      watcher: names.some((name) => name.startsWith('verify-litecoin')),
    };
  } finally {
    await connection.close();
  }
}

/**
 * Number of messages waiting to be published; those of queues without a subscriber stay in the
 * outbox until they are settled.
 */
async function leftInOutbox({ db }: TestDatabase): Promise<number> {
  return (await db.selectFrom('outbox_message').select('id').where('published_at', 'is', null).execute()).length;
}
