import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { addEndpoint, createMerchant, raiseEvent, startWebhookService, type WebhookService } from '../harness.ts';
import { type HttpReceiver, startHttpReceiver } from './http-receiver.ts';

const PER_SECOND = 8;
const EVENTS = 16;
/** So many may arrive late in the second of others, and as many more as this process was stalled. */
const LATE = 2;
/** Timers and the clocks of service and database may differ by so much. */
const CLOCK_TOLERANCE_MS = 5;

describePostgres('an endpoint with a rate limit', () => {
  let database: TestDatabase;
  let receiver: HttpReceiver;
  const arrivals: number[] = [];
  const services: WebhookService[] = [];
  beforeEach(async () => {
    database = await createPostgresDatabase();
    receiver = await startHttpReceiver((response) => {
      arrivals.push(performance.now());
      response.writeHead(204).end();
    });
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
    await receiver.close();
    await database.drop();
  });

  test('gets no more attempts a second than that from all processes together, and every event once', async () => {
    const merchantId = await createMerchant(database);
    const { id } = await addEndpoint(database, { merchantId, url: receiver.url });
    const limited = database.db.updateTable('webhook_endpoint').set({ max_per_second: PER_SECOND });
    await limited.where('id', '=', id).execute();
    for (let process = 0; process < 2; process += 1) {
      services.push(await startWebhookService({ connection: database }));
    }
    const stalls = monitorEventLoopDelay();
    stalls.enable();
    const began = performance.now();
    const raised = services.flatMap((service) =>
      Array.from({ length: EVENTS / services.length }, () => raiseEvent(service, database, { merchantId })),
    );
    await Promise.all(raised);
    await vi.waitFor(async () => {
      const rows = await database.db.selectFrom('webhook_delivery').select(['state', 'attempt']).execute();
      expect(rows).toEqual(Array.from({ length: EVENTS }, () => ({ state: 'delivered', attempt: 1 })));
    }, POLLING);
    expect(arrivals).toHaveLength(EVENTS);
    // Each has a turn of its own, however late a busy machine makes it: none comes before its turn.
    const early = arrivals.filter((at, index) => at < began + (index * 1_000) / PER_SECOND - CLOCK_TOLERANCE_MS);
    expect(early).toEqual([]);
    const stalled = Math.floor((stalls.max / 1e9) * PER_SECOND);
    const counts = arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(PER_SECOND + LATE + stalled);
    stalls.disable();
  });
});
