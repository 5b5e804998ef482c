import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { HOUR_MS, RESPONSE_OVERDUE_MS } from '../../machines/index.ts';
import { createReplayWorker, getReplay, requestReplay } from '../../src/webhooks/index.ts';
import { insertWebhookEvents } from '../../src/webhooks/store-events.ts';
import type { ChildOrder } from '../support/children/webhooks.ts';
import { createTestClock } from '../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { bundle } from '../support/run/bundled.ts';
import { silentLog } from '../support/silent-log.ts';
import { endClaims } from './delivery-record.ts';
import { addEndpoint, createMerchant, newEvent, startWebhookService, type WebhookService } from './harness.ts';

const EVENTS = 300;
/** Kills the processes when the receiver has got this many more requests. */
const LIVES = [1, 20, 45, 3, 60];

/** At the quick level test/webhooks/replay.test.ts covers this inside one process. */
describePostgres('processes killed during a replay', () => {
  let database: TestDatabase | undefined;
  let receiver: Receiver | undefined;
  let successor: WebhookService | undefined;
  const children: ChildProcess[] = [];

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await successor?.stop();
    await receiver?.close();
    await database?.drop();
  });

  test('leave it to others, which send every event as its first attempt and count it once', async () => {
    const program = await bundle('test/support/children/webhooks.ts');
    const connection = await createPostgresDatabase();
    database = connection;
    const { db } = connection;
    const clock = createTestClock();
    receiver = await startReceiver();
    const { requests, url } = receiver;
    const merchantId = await createMerchant(connection);
    const { id: endpointId, secret } = await addEndpoint(connection, { merchantId, url });
    receiver.trust(secret);
    const events = Array.from({ length: EVENTS }, (_, index) =>
      newEvent({ merchantId, event: 'payment.completed', at: clock.now() - index }),
    );
    await db.transaction().execute((trx) => insertWebhookEvents(trx, events));
    const since = clock.now() - HOUR_MS;
    const { id: replayId } = await requestReplay({ db, clock }, { merchantId, endpointId, since });

    const databaseUrl = connection.url ?? '';
    const order: ChildOrder = { databaseUrl, merchantId, events: 0, replays: true, clockStepMs: 0, crash: null };
    const spawnOne = () => {
      const child = spawn(process.execPath, [program, JSON.stringify(order)], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      children.push(child);
      return child;
    };
    for (const more of LIVES) {
      const before = requests.length;
      // Two at once, possibly in the middle of the same page.
      const running = [spawnOne(), spawnOne()];
      await vi.waitFor(() => expect(requests.length).toBeGreaterThanOrEqual(Math.min(EVENTS, before + more)), POLLING);
      for (const child of running) {
        child.kill('SIGKILL');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await endClaims(connection);
    }

    successor = await startWebhookService({ connection, clock });
    const worker = createReplayWorker({ db, engine: successor.runtime.engine, clock, log: silentLog, pollEveryMs: 5 });
    worker.start();
    // Attempts that waited in a dead process are requested again when their response is overdue.
    clock.advance(RESPONSE_OVERDUE_MS);
    await vi.waitFor(async () => {
      const replay = await getReplay({ db }, { merchantId, replayId });
      expect(replay).toMatchObject({ state: 'done', eventsSeen: EVENTS, eventsSent: EVENTS });
      const columns = ['state', 'attempt', 'last_failure', 'claimed_until'] as const;
      const open = await db.selectFrom('webhook_delivery').select(columns).where('state', '<>', 'delivered').execute();
      expect(open).toEqual([]);
    }, POLLING);
    await worker.stop();
    expect(await db.selectFrom('webhook_delivery').select('id').execute()).toHaveLength(EVENTS);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(events.map(({ id }) => id)));
    expect(new Set(requests.map(({ headers }) => headers['x-service-attempt']))).toEqual(new Set(['1']));
    expect(requests.every(({ isServiceSignatureValid }) => isServiceSignatureValid)).toBe(true);
  }, 120_000);
});
