import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import { createKindRegistry, readJournal, replay } from '../../src/platform/engine/index.ts';
import { createDeliveryKind, raiseWebhookEvents, redeliver } from '../../src/webhooks/index.ts';
import { createSteadyCheck } from '../../src/webhooks/sender/stranded.ts';
import { START_MS } from '../support/clock.ts';
import { counting } from '../support/database/count-statements.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { endClaims, nextTimerAt } from './delivery-record.ts';
import {
  addEndpoint,
  attemptsOf,
  createMerchant,
  deliveriesOf,
  deliveryOf,
  newEvent,
  raiseEvent,
  startWebhookService,
  type WebhookService,
} from './harness.ts';

describePostgres('a delivery before the outcome of its first attempt', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let merchantId: string;
  let service: WebhookService | undefined;

  beforeEach(async () => {
    database = await createPostgresDatabase();
    receiver = await startReceiver();
    merchantId = await createMerchant(database);
    const { secret } = await addEndpoint(database, { merchantId, url: receiver.url });
    receiver.trust(secret);
  });
  afterEach(async () => {
    receiver.release();
    await service?.stop();
    service = undefined;
    await receiver.close();
    await database.drop();
  });

  const actors = () => database.db.selectFrom('actor').select('id').execute();
  const kinds = createKindRegistry([createDeliveryKind()]);

  async function ended(eventId: string, state: string) {
    return vi.waitFor(async () => {
      const delivery = await deliveryOf(database, eventId);
      expect(delivery.state).toBe(state);
      return delivery;
    }, POLLING);
  }

  test('is a row, and becomes an actor with one journal entry when it succeeds', async () => {
    receiver.plan({ kind: 'hang' });
    service = await startWebhookService({ connection: database });
    const event = await raiseEvent(service, database, { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    expect(await deliveryOf(database, event.id)).toMatchObject({ state: 'sending', attempt: 1, is_owed: true });
    expect(await actors()).toEqual([]);
    expect(await redeliver({ db: database.db, engine: service.runtime.engine }, await named(event.id))).toMatchObject({
      outcome: 'under_way',
    });
    receiver.release();
    const { id } = await ended(event.id, 'delivered');
    expect(await deliveryOf(database, event.id)).toMatchObject({
      is_owed: false,
      last_status: 200,
      last_failure: null,
    });
    expect(await attemptsOf(database, id)).toMatchObject([{ attempt: 1, status: 200 }]);
    const journal = await readJournal(database.db, id);
    expect(journal.map(({ outcome, state }) => [outcome, state])).toEqual([['started', 'delivered']]);
    expect((await replay(database.db, kinds, id))?.equal).toBe(true);
    expect(await database.db.selectFrom('timer').selectAll().execute()).toEqual([]);
    expect(await database.db.selectFrom('outbox_message').selectAll().execute()).toEqual([]);
  });

  test('starts its actor with the failure, and is retried by it', async () => {
    receiver.plan({ kind: 'status', status: 500 });
    service = await startWebhookService({ connection: database });
    const event = await raiseEvent(service, database, { merchantId });
    const { id } = await ended(event.id, 'waiting');
    expect(await attemptsOf(database, id)).toMatchObject([{ attempt: 1, status: 500 }]);
    service.clock.advance(((await nextTimerAt(database)) ?? 0) - service.clock.now());
    await ended(event.id, 'delivered');
    expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    expect((await replay(database.db, kinds, id))?.equal).toBe(true);
  });

  test('is sent although the request for its attempt was lost days ago, and by one of two processes', async () => {
    const event = newEvent({ merchantId, event: 'payment.completed', at: START_MS - 3 * DAY_MS });
    for (const expected of [1, 0]) {
      const lost = await database.db.transaction().execute((trx) => raiseWebhookEvents(trx, [event]));
      expect(lost).toHaveLength(expected);
    }
    expect(await deliveriesOf(database, event.id)).toMatchObject([{ is_owed: true, claimed_by: null }]);
    await endClaims(database);

    const limits = { settledAfterMs: 0 };
    service = await startWebhookService({ connection: database, limits });
    const other = await startWebhookService({ connection: database, limits });
    try {
      await ended(event.id, 'delivered');
      expect(receiver.requests).toHaveLength(1);
      expect(receiver.requests[0]?.headers['x-service-attempt']).toBe('1');
    } finally {
      await other.stop();
    }
  });

  test('is not taken from a sender that has it', async () => {
    receiver.plan({ kind: 'hang' });
    const { db, statements: sweeps } = counting(database.db, 'where is_owed and');
    service = await startWebhookService({ connection: { ...database, db }, limits: { settledAfterMs: 0 } });
    const event = await raiseEvent(service, database, { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    // As if no renewal had come through for the length of a claim: this process still has it.
    await sql`update webhook_delivery set claimed_until = clock_timestamp()`.execute(database.db);
    // The second sweep from now begins when the first, which saw the row, has ended.
    const before = sweeps();
    await vi.waitFor(() => expect(sweeps()).toBeGreaterThan(before + 1), POLLING);
    expect(await actors()).toEqual([]);
    receiver.release();
    await ended(event.id, 'delivered');
    expect(receiver.requests).toHaveLength(1);
  });

  async function named(eventId: string): Promise<{ merchantId: string; deliveryId: string }> {
    return { merchantId, deliveryId: (await deliveryOf(database, eventId)).id };
  }
});

test('first attempts are passed on once the database has answered for a while without a pause', () => {
  const hasSettled = createSteadyCheck(10_000);
  const responses = [0, 2_000, 9_999, 10_000, 12_000, 20_000, 22_000, 29_999, 30_000].map((now) => [
    now,
    hasSettled(now),
  ]);
  expect(responses).toEqual([
    [0, false],
    [2_000, false],
    // A pause of 7 s: it begins anew.
    [9_999, false],
    [10_000, false],
    [12_000, false],
    // Another one.
    [20_000, false],
    [22_000, false],
    [29_999, false],
    [30_000, false],
  ]);
  const steady = createSteadyCheck(10_000);
  expect([0, 4_000, 8_000, 9_999, 10_000, 14_000, 20_000].map(steady)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    false,
  ]);
});
