import { type Kysely, sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/platform/db/index.ts';
import type { PollLoop } from '../../src/platform/poll-loop.ts';
import { raiseWebhookEvents, requestReplay } from '../../src/webhooks/index.ts';
import { MAX_OWED_ROWS } from '../../src/webhooks/owed-deliveries.ts';
import { getReplay } from '../../src/webhooks/redelivery/follow-replay.ts';
import { createReplayWorker } from '../../src/webhooks/redelivery/replay-worker.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { silentLog } from '../support/silent-log.ts';
import { type FakeSender, startFakeSender } from './fake-sender.ts';
import { addEndpoint, createMerchant, deliveriesOf, newEvent } from './harness.ts';

const HOUR_MS = 3_600_000;
/** As many as a merchant may have. */
const ENDPOINTS = 200;

describeDatabases('raised webhook events', (database) => {
  const raise = (...events: readonly ReturnType<typeof newEvent>[]) =>
    database()
      .db.transaction()
      .execute((trx) => raiseWebhookEvents(trx, events));

  test('are owed to the endpoints that are enabled at that moment, and to no later ones', async () => {
    const { db } = database();
    const merchantId = await createMerchant(database());
    const add = (name: string) => addEndpoint(database(), { merchantId, url: `https://shop.example/${name}` });
    const [early, disabled, deleted] = [await add('early'), await add('disabled'), await add('deleted')];
    const turnOff = (id: string, deleted_at: Date | null) =>
      db.updateTable('webhook_endpoint').set({ enabled: false, deleted_at }).where('id', '=', id).execute();
    await turnOff(disabled.id, null);
    await turnOff(deleted.id, new Date());
    const [first, second] = ['payment.pending', 'payment.completed'].map((event) =>
      newEvent({ merchantId, event, at: Date.now() }),
    );
    if (first === undefined || second === undefined) throw new Error('two events were made');

    const hints = await raise(first, second);
    const late = await add('late');
    for (const event of [first, second]) {
      const stored = await deliveriesOf(database(), event.id);
      expect(stored).toMatchObject([{ endpoint_id: early.id, event: event.event, state: 'sending', is_owed: true }]);
      expect(stored[0]?.created_at).toBe(event.createdAt);
      const request = { deliveryId: stored[0]?.id, endpointId: early.id, attempt: 1 };
      expect(hints.filter(({ actorId }) => actorId === event.actorId)).toMatchObject([
        { queue: 'webhook-send', isHint: true, data: request },
      ]);
    }
    expect(late.id).not.toBe(early.id);
    // Raised again, as by an actor from a backup, an event is owed to the new endpoint alone.
    expect(await raise(first)).toHaveLength(1);
    expect(await raise(first)).toEqual([]);
    expect((await deliveriesOf(database(), first.id)).map((each) => each.endpoint_id).sort()).toEqual(
      [early.id, late.id].sort(),
    );
    expect(await db.selectFrom('outbox_message').select('id').execute()).toEqual([]);
  });

  test('with very many deliveries are stored in statements of bounded size, all or none', async () => {
    const { db } = database();
    const merchantId = await createMerchant(database());
    await addEndpoint(database(), { merchantId, url: 'https://shop.example/0' });
    await sql`
      insert into webhook_endpoint (id, merchant_id, url, events, sealed_secret)
      select id || index, merchant_id, url || index, events, sealed_secret
      from webhook_endpoint cross join generate_series(1, ${ENDPOINTS - 1}::int4) as index
      where merchant_id = ${merchantId}`.execute(db);
    const events = Array.from({ length: Math.ceil(MAX_OWED_ROWS / ENDPOINTS) + 1 }, () =>
      newEvent({ merchantId, event: 'payment.completed', at: Date.now() }),
    );
    const total = events.length * ENDPOINTS;
    const stored = () =>
      db
        .selectFrom('webhook_delivery')
        .select('id')
        .where(
          'webhook_event_id',
          'in',
          events.map(({ id }) => id),
        )
        .execute();
    await sql`create table insert_size (rows int4 not null)`.execute(db);
    await sql`
      create function note_size() returns trigger language plpgsql as $$
      begin insert into insert_size select count(*) from fresh; return null; end $$`.execute(db);
    await sql`
      create trigger note_size after insert on webhook_delivery referencing new table as fresh
      for each statement execute function note_size()`.execute(db);
    try {
      const stopped = new Error('the rest of the commit fails');
      const failing = db.transaction().execute(async (trx) => {
        await raiseWebhookEvents(trx, events);
        throw stopped;
      });
      await expect(failing).rejects.toBe(stopped);
      expect(await stored()).toEqual([]);

      expect(await raise(...events)).toHaveLength(total);
      expect(await stored()).toHaveLength(total);
      const { rows: sizes } = await sql<{ rows: number }>`select rows from insert_size order by rows`.execute(db);
      expect(sizes).toEqual([{ rows: total - MAX_OWED_ROWS }, { rows: MAX_OWED_ROWS }]);
    } finally {
      await sql`drop trigger note_size on webhook_delivery`.execute(db);
      await sql`drop function note_size`.execute(db);
      await sql`drop table insert_size`.execute(db);
    }
  });

  test('without an endpoint are only stored', async () => {
    const merchantId = await createMerchant(database());
    const event = newEvent({ merchantId, event: 'payment.completed', at: Date.now() });
    expect(await raise(event)).toEqual([]);
    const stored = database().db.selectFrom('webhook_event').select('body').where('id', '=', event.id);
    expect(await stored.execute()).toEqual([{ body: event.body }]);
  });
});

describePostgres('a replay that is requested while a commit is in progress', () => {
  let database: TestDatabase;
  let sender: FakeSender;
  let worker: PollLoop | undefined;
  afterEach(async () => {
    await worker?.stop();
    await sender?.stop();
    await database?.drop();
  });

  test('includes its event, which was raised while the endpoint was disabled', async () => {
    database = await createPostgresDatabase();
    const { db } = database;
    sender = await startFakeSender(database);
    const { clock } = sender;
    const shop = async (name: string) => {
      const merchantId = await createMerchant(database);
      const { id: endpointId } = await addEndpoint(database, { merchantId, url: `https://shop.example/${name}` });
      return { merchantId, endpointId };
    };
    // A round of the worker takes replays in the order of their endpoints: the witness comes
    // second.
    const mine = await shop('mine');
    const witness = await shop('witness');
    expect(mine.endpointId < witness.endpointId).toBe(true);
    const ask = (each: typeof mine) => requestReplay({ db, clock }, { ...each, since: clock.now() - HOUR_MS });
    const turn = (enabled: boolean) =>
      db.updateTable('webhook_endpoint').set({ enabled }).where('id', '=', mine.endpointId).execute();
    const ended = (each: typeof mine, replayId: string) =>
      vi.waitFor(async () => {
        const replay = await getReplay(database, { merchantId: each.merchantId, replayId });
        expect(replay.state).toBe('done');
        return replay;
      }, POLLING);

    await turn(false);
    const before = await ask(witness);
    const event = newEvent({ merchantId: mine.merchantId, event: 'payment.completed', at: clock.now() });
    const replayId = await db.transaction().execute(async (trx) => {
      expect(await raiseWebhookEvents(trx, [event])).toEqual([]);
      await turn(true);
      const { id } = await ask(mine);
      const { engine } = sender.runtime;
      worker = createReplayWorker({ db, engine, clock, log: silentLog, pollEveryMs: 10 });
      worker.start();
      await ended(witness, before.id);
      return id;
    });
    expect(await ended(mine, replayId)).toMatchObject({ eventsSeen: 1, eventsSent: 1 });
    expect(await deliveriesOf(database, event.id)).toMatchObject([{ endpoint_id: mine.endpointId }]);
  });

  test('reaches to the time at which its endpoint was found enabled', async () => {
    database = await createPostgresDatabase();
    const { db } = database;
    sender = await startFakeSender(database);
    const { clock } = sender;
    const merchantId = await createMerchant(database);
    const { id: endpointId } = await addEndpoint(database, { merchantId, url: 'https://shop.example/mine' });
    const set = (trx: Kysely<Database>, enabled: boolean) =>
      trx.updateTable('webhook_endpoint').set({ enabled }).where('id', '=', endpointId).execute();
    await set(db, false);
    const range = { since: clock.now() - HOUR_MS };
    const { requesting, event } = await db.transaction().execute(async (trx) => {
      await sql`lock table webhook_endpoint in access exclusive mode`.execute(trx);
      const requested = requestReplay({ db, clock }, { merchantId, endpointId, ...range });
      // Awaited after the commit, which it waits for.
      requested.catch(() => {});
      await vi.waitFor(async () => {
        const waiting = sql`select from pg_locks where relation = 'webhook_endpoint'::regclass and not granted`;
        expect((await waiting.execute(trx)).rows).toHaveLength(1);
      }, POLLING);
      clock.advance(1);
      const missed = newEvent({ merchantId, event: 'payment.completed', at: clock.now() });
      expect(await raiseWebhookEvents(trx, [missed])).toEqual([]);
      await set(trx, true);
      return { requesting: requested, event: missed };
    });
    const { id: replayId, until } = await requesting;
    expect(until).toBe(event.createdAt);
    worker = createReplayWorker({ db, engine: sender.runtime.engine, clock, log: silentLog, pollEveryMs: 10 });
    worker.start();
    await vi.waitFor(
      async () => expect(await getReplay(database, { merchantId, replayId })).toMatchObject({ eventsSent: 1 }),
      POLLING,
    );
  });
});
