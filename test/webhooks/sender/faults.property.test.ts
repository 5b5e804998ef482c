import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RetryableError } from '../../../src/platform/errors.ts';
import type { SenderDeps } from '../../../src/webhooks/index.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { checkDeliveries, nextTimerAt, type SeenRequest, seenOf } from '../delivery-record.ts';
import { addEndpoint, createMerchant, raiseEvent, startWebhookService, type WebhookService } from '../harness.ts';
import { startHttpReceiver } from './http-receiver.ts';

/** Faults, consumed in order by whatever comes next; once used up, nothing fails any more. */
interface Plan {
  readonly events: number;
  /** Statuses; 0 disconnects. The last one repeats forever. */
  readonly responses: readonly number[];
  /** The report of an attempt is lost on its way, or the reply to it is. */
  readonly reports: readonly ('received' | 'lost' | 'answer_lost')[];
  /** Between two polls of the timers. */
  readonly between: readonly ('nothing' | 'restart' | 'repeat' | 'too_late')[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  events: fc.integer({ min: 1, max: 4 }),
  responses: fc.array(fc.constantFrom(200, 500, 500, 500, 429, 302, 0), { minLength: 1, maxLength: 30 }),
  reports: fc.array(fc.constantFrom('received', 'received', 'lost', 'answer_lost'), { maxLength: 12 }),
  between: fc.array(fc.constantFrom('nothing', 'restart', 'repeat', 'too_late'), { maxLength: 12 }),
});

describePostgres('under any losses, repeats and restarts', () => {
  test('every delivery ends once, with one id and one body under non-decreasing attempt numbers', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(plan, async (faults) => {
        const database = await createPostgresDatabase({ poolSize: 4 });
        try {
          await carryOut(faults, database);
        } finally {
          await database.drop();
        }
      }),
      { numRuns: level.pick({ quick: 4, full: 8 }) },
    );
  });
});

// Helpers

async function carryOut(faults: Plan, database: TestDatabase): Promise<void> {
  const { responses, reports, between } = {
    responses: [...faults.responses],
    reports: [...faults.reports],
    between: faults.between,
  };
  const seen: SeenRequest[] = [];
  const clock = createTestClock();
  const receiver = await startHttpReceiver((response, _, request, body) => {
    const status = responses.length > 1 ? responses.shift() : responses[0];
    seen.push({ ...seenOf(request, body), responded: status === 0 ? null : (status ?? null) });
    if (status === 0) request.socket.resetAndDestroy();
    else response.writeHead(status ?? 500).end();
  });
  const start = () =>
    startWebhookService({ connection: database, clock, random: () => 0.5, wrapEngine: losing(reports) });
  let service = await start();
  try {
    const merchantId = await createMerchant(database);
    await addEndpoint(database, { merchantId, url: receiver.url });
    for (let count = 0; count < faults.events; count += 1) await raiseEvent(service, database, { merchantId });
    for (let look = 0; !(await isOver(database, faults.events)); look += 1) {
      const disturbance = between[look] ?? 'nothing';
      if (disturbance === 'restart') {
        await service.stop();
        service = await start();
      }
      if (disturbance === 'repeat') await repeatEverything(service, database);
      await vi.waitFor(() => advance(database, clock, disturbance === 'too_late'), POLLING);
    }
    await checkDeliveries(database, { count: faults.events, seen });
    // Nothing was killed.
    const attempts = seen.map(({ eventId, attempt }) => `${eventId}:${attempt}`);
    expect(attempts).toEqual([...new Set(attempts)]);
  } finally {
    await service.stop();
    await receiver.close();
  }
}

/** An engine for the sender on which reports get lost. */
function losing(
  reports: Plan['reports'][number][],
): (engine: WebhookService['runtime']['engine']) => SenderDeps['engine'] {
  const gone = () => new RetryableError('DATABASE_UNAVAILABLE', 'gone', { retryAfterMs: 1 });
  return (engine) => ({
    start: (command) => engine.start(command),
    async deliver(command) {
      const fate = reports.shift() ?? 'received';
      if (fate === 'lost') throw gone();
      const delivered = await engine.deliver(command);
      if (fate === 'answer_lost') throw gone();
      return delivered;
    },
  });
}

async function isOver({ db }: TestDatabase, count: number): Promise<boolean> {
  const ended = await db.selectFrom('webhook_delivery').select('id').where('ended_at', 'is not', null).execute();
  return ended.length === count;
}

/** Advances to the next timer once all before it is done; far beyond it when `isTooLate`. */
async function advance(database: TestDatabase, clock: TestClock, isTooLate: boolean): Promise<void> {
  const due = await nextTimerAt(database);
  if (due === null) return;
  expect(due).toBeGreaterThan(clock.now());
  const sending = await database.db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('state', '=', 'sending')
    .execute();
  expect(sending).toEqual([]);
  clock.advance(due - clock.now() + (isTooLate ? TOO_LATE_MS : 0));
}

const TOO_LATE_MS = 400_000;

/** Redelivers the message of every possible attempt, as a bus may. */
async function repeatEverything({ sender }: WebhookService, { db }: TestDatabase): Promise<void> {
  const deliveries = await db.selectFrom('webhook_delivery').select(['id', 'endpoint_id', 'attempt']).execute();
  const messages = deliveries.flatMap(({ id, endpoint_id, attempt }) =>
    Array.from({ length: attempt + 1 }, (_, index) => ({
      deliveryId: id,
      endpointId: endpoint_id,
      attempt: index + 1,
    })),
  );
  const handled = messages.map((data, index) =>
    sender.handle({ queue: 'webhook-send', partition: 0, id: `repeat:${index}`, attempt: 1, data }),
  );
  // After a lost report the bus would redeliver, but these messages come from none.
  await Promise.allSettled(handled);
}
