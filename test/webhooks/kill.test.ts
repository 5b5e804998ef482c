import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import { CRASH_POINTS, type CrashPoint } from '../../src/platform/engine/index.ts';
import type { ChildOrder } from '../support/children/webhooks.ts';
import { createTestClock, START_MS } from '../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { bundle } from '../support/run/bundled.ts';
import { level } from '../support/run/level.ts';
import { checkDeliveries, endClaims, nextTimerAt, type SeenRequest, seenOf } from './delivery-record.ts';
import { addEndpoint, createMerchant, startWebhookService, type WebhookService } from './harness.ts';
import { startHttpReceiver } from './sender/http-receiver.ts';

describePostgres('a process killed between its POST and the commit of the response', () => {
  let database: TestDatabase | undefined;
  let receiver: Receiver | undefined;
  let child: ChildProcess | undefined;
  let successor: WebhookService | undefined;

  afterEach(async () => {
    child?.kill('SIGKILL');
    await successor?.stop();
    await receiver?.close();
    await database?.drop();
  });

  test('is followed by another that sends the same attempt with the same id and bytes', async () => {
    const program = await bundle('test/support/children/webhooks.ts');
    const connection = await createPostgresDatabase();
    database = connection;
    receiver = await startReceiver();
    receiver.plan({ kind: 'hang' });
    const { requests, url } = receiver;
    const merchantId = await createMerchant(connection);
    const { secret } = await addEndpoint(connection, { merchantId, url });
    receiver.trust(secret);
    const order: ChildOrder = {
      databaseUrl: connection.url ?? '',
      merchantId,
      events: 1,
      clockStepMs: 0,
      crash: null,
    };
    const running = spawn(process.execPath, [program, JSON.stringify(order)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child = running;
    await vi.waitFor(() => expect(requests).toHaveLength(1), POLLING);
    running.kill('SIGKILL');
    await once(running, 'exit');
    const before = await connection.db.selectFrom('webhook_delivery').selectAll().executeTakeFirstOrThrow();
    expect(before).toMatchObject({ state: 'sending', attempt: 1 });
    // Its process cannot have been dead for longer, but another process cannot know that it is.
    expect((before.claimed_until ?? 0) - Date.now()).toBeGreaterThan(0);
    await endClaims(connection);

    successor = await startWebhookService({ connection });
    await vi.waitFor(async () => {
      const after = await connection.db.selectFrom('webhook_delivery').selectAll().executeTakeFirstOrThrow();
      expect(after).toMatchObject({ state: 'delivered', attempt: 1 });
    }, POLLING);
    const [first, second] = requests;
    expect(requests).toHaveLength(2);
    expect(second).toMatchObject({ body: first?.body, isServiceSignatureValid: true, isStandardSignatureValid: true });
    for (const name of ['webhook-id', 'x-service-attempt', 'x-service-signature', 'x-webhook-id']) {
      expect(second?.headers[name]).toBe(first?.headers[name]);
    }
  });
});

const EVENTS = 4;
/**
 * Crash points of successive processes. At the quick level test/platform/engine/crashes.test.ts
 * covers the other points.
 */
const LIVES: readonly (readonly CrashPoint[])[] = level.pick({
  quick: [['timers.after_lease', 'receive.after_commit']],
  full: CRASH_POINTS.map((point) => [point]),
});

describePostgres('a process that dies while it sends webhooks', () => {
  let program = '';
  beforeAll(async () => {
    program = await bundle('test/support/children/webhooks.ts');
  }, COMPILE_TIMEOUT_MS);

  test.each(LIVES.map((points) => [points]))(
    'at %s leaves deliveries that its successor ends once each',
    async (points) => {
      const database = await createPostgresDatabase({ poolSize: 4 });
      const seen: SeenRequest[] = [];
      const receivers = await Promise.all([startFlakyReceiver(seen, 2), startFlakyReceiver(seen, Infinity)]);
      let successor: WebhookService | undefined;
      try {
        const merchantId = await createMerchant(database);
        for (const { url } of receivers) await addEndpoint(database, { merchantId, url });
        for (const point of points) {
          const order: ChildOrder = {
            databaseUrl: database.url ?? '',
            merchantId,
            events: EVENTS,
            clockStepMs: CLOCK_STEP_MS,
            crash: { point, pass: 2 },
          };
          const child = spawn(process.execPath, [program, JSON.stringify(order)], {
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
          // Leases and claims of the dead process would otherwise last for up to a minute.
          await endClaims(database);
        }
        const clock = createTestClock(START_MS + DAY_MS / 4);
        successor = await startWebhookService({ connection: database, clock });
        await vi.waitFor(async () => {
          const due = await nextTimerAt(database);
          if (due !== null && due > clock.now()) clock.advance(due - clock.now());
          const { db } = database;
          expect(await db.selectFrom('outbox_message').select('id').execute()).toEqual([]);
          const open = await db.selectFrom('webhook_delivery').select('id').where('ended_at', 'is', null).execute();
          expect(open).toEqual([]);
        }, POLLING);
        const events = await database.db.selectFrom('webhook_event').select('id').execute();
        expect(events.length).toBeGreaterThan(0);
        await checkDeliveries(database, { count: 2 * events.length, seen });
      } finally {
        await successor?.stop();
        await Promise.all(receivers.map((each) => each.close()));
        await database.drop();
      }
    },
  );
});

// Helpers

const COMPILE_TIMEOUT_MS = 180_000;
const CLOCK_STEP_MS = 5_000;

/** A receiver that rejects every event `rejections` times and then accepts it. */
function startFlakyReceiver(seen: SeenRequest[], rejections: number) {
  const rejected = new Map<string, number>();
  return startHttpReceiver((response, _, request, body) => {
    const eventId = String(request.headers['webhook-id']);
    const before = rejected.get(eventId) ?? 0;
    const responded = before < rejections ? 500 : 200;
    if (responded === 500) rejected.set(eventId, before + 1);
    seen.push({ ...seenOf(request, body), responded });
    response.writeHead(responded).end();
  });
}
