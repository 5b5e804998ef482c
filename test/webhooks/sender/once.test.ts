import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Bus, createNatsBus, type Subscription } from '../../../src/platform/bus/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { SEND_QUEUE } from '../../../src/webhooks/index.ts';
import type { ChildOrder } from '../../support/children/webhooks.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { bundle } from '../../support/run/bundled.ts';
import { describeWith } from '../../support/run/components.ts';
import { createDeadLetterPort } from '../../support/service/engine.ts';
import { provideNats } from '../../support/service/nats.ts';
import { silentLog } from '../../support/silent-log.ts';
import { addEndpoint, createMerchant, raiseEvent, startWebhookService, type WebhookService } from '../harness.ts';

const found = provideNats();
const describeWithNats = describeWith('nats');

/** Short, so that a test sees the broker redeliver. */
const ACK_WAIT_MS = 400;
const COMPILE_TIMEOUT_MS = 180_000;

describePostgres('without a kill, an answered webhook is not sent again', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let merchantId: string;
  const services: WebhookService[] = [];
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    database = await createPostgresDatabase();
    receiver = await startReceiver();
    merchantId = await createMerchant(database);
    const { secret } = await addEndpoint(database, { merchantId, url: receiver.url });
    receiver.trust(secret);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    child = undefined;
    receiver.release();
    for (const service of services.splice(0)) await service.stop();
    await receiver.close();
    await database.drop();
  });

  async function start(options: Partial<Parameters<typeof startWebhookService>[0]> = {}): Promise<WebhookService> {
    const service = await startWebhookService({ connection: database, ...options });
    services.push(service);
    return service;
  }

  async function delivered(): Promise<void> {
    await vi.waitFor(async () => {
      const [delivery, ...others] = await database.db.selectFrom('webhook_delivery').selectAll().execute();
      expect(others).toEqual([]);
      expect(delivery).toMatchObject({ state: 'delivered', attempt: 1, last_status: 200 });
    }, POLLING);
  }

  test.each(['before it is committed', 'after it was'])('although its report is lost %s', async (moment) => {
    let losses = 3;
    const service = await start({
      wrapEngine: (engine) => ({
        start: (command) => engine.start(command),
        async deliver(command) {
          losses -= 1;
          if (losses >= 0 && moment === 'before it is committed') throw lost();
          const outcome = await engine.deliver(command);
          if (losses >= 0) throw lost();
          return outcome;
        },
      }),
    });
    await raiseEvent(service, database, { merchantId });
    await vi.waitFor(() => expect(losses).toBeLessThan(0), POLLING);
    await delivered();
    expect(receiver.requests).toHaveLength(1);
  });

  describeWithNats('over NATS', () => {
    const nats = { url: found?.url ?? '', prefix: found?.prefix ?? '', ackWaitMs: ACK_WAIT_MS };
    let program = '';
    beforeAll(async () => {
      program = await bundle('test/support/children/webhooks.ts');
    }, COMPILE_TIMEOUT_MS);
    afterAll(() => found?.cleanUp());

    test('although its process is suspended until the broker has redelivered the message to another one', async () => {
      receiver.plan({ kind: 'hang' });
      const order: ChildOrder = {
        databaseUrl: database.url ?? '',
        merchantId,
        events: 1,
        clockStepMs: 0,
        crash: null,
        nats,
      };
      const slow = spawn(process.execPath, [program, JSON.stringify(order)], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      child = slow;
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
      slow.kill('SIGSTOP');

      const results: (string | null)[] = [];
      const bus = createNatsBus({ ...nats, deadLetter: createDeadLetterPort(database), log: silentLog });
      await start({ bus: watching(bus, results) });
      // The broker may deliver it more than once: what no copy may do is send it.
      await vi.waitFor(() => expect(results).toContain('ATTEMPT_HELD'), POLLING);
      expect(receiver.requests).toHaveLength(1);
      slow.kill('SIGCONT');
      receiver.release();
      await delivered();
      expect(receiver.requests).toHaveLength(1);
      slow.kill('SIGKILL');
      await once(slow, 'exit');
    });

    test('although it is returned to the broker while it is in progress', async () => {
      receiver.plan({ kind: 'hang' });
      const open = () => createNatsBus({ ...nats, deadLetter: createDeadLetterPort(database), log: silentLog });
      const subscriptions: Subscription[] = [];
      const slow = await start({ bus: keeping(open(), subscriptions) });
      await raiseEvent(slow, database, { merchantId });
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);

      const results: (string | null)[] = [];
      await start({ bus: watching(open(), results) });
      await Promise.all(subscriptions.map((subscription) => subscription.stop(0)));
      // The broker may deliver it more than once: what no copy may do is send it.
      await vi.waitFor(() => expect(results).toContain('ATTEMPT_HELD'), POLLING);
      expect(receiver.requests).toHaveLength(1);
      receiver.release();
      await delivered();
      expect(receiver.requests).toHaveLength(1);
    });
  });
});

// Helpers

function lost(): RetryableError {
  return new RetryableError('DATABASE_UNAVAILABLE', 'gone', { retryAfterMs: 1 });
}

/** Collects the subscriptions to attempts, to stop only those. */
function keeping(bus: Bus, subscriptions: Subscription[]): Bus {
  return {
    ...bus,
    async subscribe(options, handle) {
      const subscription = await bus.subscribe(options, handle);
      if (options.queue === SEND_QUEUE) subscriptions.push(subscription);
      return subscription;
    },
  };
}

/** Records the result of each attempt message: null when it was settled, else the error code. */
function watching(bus: Bus, results: (string | null)[]): Bus {
  return {
    ...bus,
    subscribe: (options, handle) =>
      bus.subscribe(options, async (message) => {
        const isWatched = options.queue === SEND_QUEUE;
        try {
          await handle(message);
          if (isWatched) results.push(null);
        } catch (error) {
          if (isWatched) results.push(error instanceof RetryableError ? error.code : String(error));
          throw error;
        }
      }),
  };
}
