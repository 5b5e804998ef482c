import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { PollLoop } from '../../../src/platform/poll-loop.ts';
import { cancelReplay, createReplayWorker, getReplay, redeliver, requestReplay } from '../../../src/webhooks/index.ts';
import { advanceReplay, type ReplayCrashPoint } from '../../../src/webhooks/redelivery/advance-replay.ts';
import { REPLAY_PACE } from '../../../src/webhooks/redelivery/replay-capacity.ts';
import { insertWebhookEvents } from '../../../src/webhooks/store-events.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type FakeSender, startFakeSender } from '../fake-sender.ts';
import { addEndpoint, createMerchant, deliveriesOf, deliveryOf, newEvent, raiseEvent } from '../harness.ts';

class Killed extends Error {}

/** Several times more than a replay may have in flight. */
const MANY_EVENTS = level.pick({ quick: 16, full: 40 });

describeDatabases('a replay', (database) => {
  let service: FakeSender | undefined;
  const workers: PollLoop[] = [];
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    await service?.stop();
    await database().db.deleteFrom('webhook_replay').execute();
  });

  async function start(): Promise<FakeSender> {
    service = await startFakeSender(database());
    return service;
  }
  async function shop(events?: readonly string[]) {
    const merchantId = await createMerchant(database());
    const url = `https://shop.example/${randomBytes(8).toString('hex')}`;
    const { id: endpointId } = await addEndpoint(database(), {
      merchantId,
      url,
      ...(events === undefined ? {} : { events }),
    });
    return { merchantId, endpointId };
  }
  type Shop = Awaited<ReturnType<typeof shop>>;

  function work({ runtime: { engine }, clock }: FakeSender, pace = REPLAY_PACE): PollLoop {
    const worker = createReplayWorker({ db: database().db, engine, clock, log: silentLog, pollEveryMs: 20, pace });
    workers.push(worker);
    worker.start();
    return worker;
  }
  function ask({ clock }: FakeSender, { merchantId, endpointId }: Shop, backMs = HOUR_MS) {
    return requestReplay({ db: database().db, clock }, { merchantId, endpointId, since: clock.now() - backMs });
  }
  const follow = (merchantId: string, replayId: string) => getReplay(database(), { merchantId, replayId });
  const ended = (merchantId: string, replayId: string) =>
    vi.waitFor(async () => {
      const replay = await follow(merchantId, replayId);
      expect(replay.state).not.toBe('running');
      return replay;
    }, POLLING);
  const turn = (endpointId: string, enabled: boolean) =>
    database()
      .db.updateTable('webhook_endpoint')
      .set({ enabled, disabled_at: enabled ? null : new Date() })
      .where('id', '=', endpointId)
      .execute();
  async function respondToAll(
    sender: FakeSender,
    how: 'taken' | 'refused',
    deliveryIds: readonly string[],
  ): Promise<void> {
    for (const id of deliveryIds)
      await vi.waitFor(async () => expect(await sender.respond(how, id)).toBe(true), POLLING);
  }

  test('sends what was held while the endpoint was off, what failed, and nothing else', async () => {
    const sender = await start();
    const mine = await shop(['payment.completed', 'payment.expired']);
    const { merchantId, endpointId } = mine;
    const taken = await raiseEvent(sender, database(), { merchantId });
    await respondToAll(sender, 'taken', [(await deliveryOf(database(), taken.id)).id]);
    const failed = await raiseEvent(sender, database(), { merchantId });
    const lost = (await deliveryOf(database(), failed.id)).id;
    sender.clock.advance(DAY_MS);
    await respondToAll(sender, 'refused', [lost]);
    expect((await deliveryOf(database(), failed.id)).state).toBe('failed');
    const waiting = await raiseEvent(sender, database(), { merchantId });
    await respondToAll(sender, 'refused', [(await deliveryOf(database(), waiting.id)).id]);
    await turn(endpointId, false);
    const held = await raiseEvent(sender, database(), { merchantId, event: 'payment.expired' });
    const unsubscribed = await raiseEvent(sender, database(), { merchantId, event: 'payment.partial' });
    const sample = newEvent({ merchantId, event: 'payment.completed', at: sender.clock.now() });
    const { db } = database();
    await db.transaction().execute((trx) => insertWebhookEvents(trx, [sample]));
    await db.updateTable('webhook_event').set({ is_test: true }).where('id', '=', sample.id).execute();
    expect(await deliveriesOf(database(), held.id)).toEqual([]);
    await turn(endpointId, true);

    work(sender);
    const { id } = await ask(sender, mine, 2 * DAY_MS);
    expect(await ended(merchantId, id)).toMatchObject({ state: 'done', eventsSeen: 6, eventsSent: 2 });
    expect(await deliveryOf(database(), held.id)).toMatchObject({ state: 'sending', attempt: 1 });
    const again = (await deliveriesOf(database(), failed.id)).find((each) => each.id !== lost);
    expect(again).toMatchObject({ state: 'sending', attempt: 2 });
    for (const [event, count] of [
      [taken, 1],
      [waiting, 1],
      [unsubscribed, 0],
      [sample, 0],
    ] as const) {
      expect(await deliveriesOf(database(), event.id)).toHaveLength(count);
    }
  });

  test('starts with the requested time, and ends a minute after the request, because clocks differ', async () => {
    const sender = await start();
    const mine = await shop();
    await turn(mine.endpointId, false);
    const moments: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      moments.push((await raiseEvent(sender, database(), { merchantId: mine.merchantId })).id);
      sender.clock.advance(MINUTE_MS);
    }
    await turn(mine.endpointId, true);
    const { db } = database();
    const since = sender.clock.now() - 4 * MINUTE_MS;
    const { id } = await requestReplay({ db, clock: sender.clock }, { ...mine, since });
    sender.clock.advance(MINUTE_MS + 1);
    const later = newEvent({ merchantId: mine.merchantId, event: 'payment.completed', at: sender.clock.now() });
    await db.transaction().execute((trx) => insertWebhookEvents(trx, [later]));
    work(sender);
    expect(await ended(mine.merchantId, id)).toMatchObject({ state: 'done', eventsSeen: 4, eventsSent: 4 });
    const counts = await Promise.all(
      [...moments, later.id].map(async (each) => (await deliveriesOf(database(), each)).length),
    );
    expect(counts).toEqual([0, 1, 1, 1, 1, 0]);
  });

  test('has no more in progress than its pace allows, and continues as the endpoint responds', async () => {
    const sender = await start();
    const mine = await shop();
    await turn(mine.endpointId, false);
    const events = await Promise.all(
      Array.from({ length: MANY_EVENTS }, () => raiseEvent(sender, database(), { merchantId: mine.merchantId })),
    );
    await turn(mine.endpointId, true);
    work(sender, { maxSending: 3, maxUnfinished: 5 });
    const { id } = await ask(sender, mine);
    const { db } = database();
    const unfinished = () =>
      db
        .selectFrom('webhook_delivery')
        .select(['id', 'state'])
        .where('endpoint_id', '=', mine.endpointId)
        .where('ended_at', 'is', null)
        .execute();
    // Two remain as failed attempts that wait for a retry, which leaves room for three.
    for (let responded = 0; responded < events.length - 3; responded += 1) {
      await vi.waitFor(
        async () => expect(await unfinished()).toHaveLength(Math.min(5, 3 + Math.min(responded, 2))),
        POLLING,
      );
      const rows = await unfinished();
      expect(rows.filter(({ state }) => state === 'sending').length).toBeLessThanOrEqual(3);
      const next = rows.find(({ state }) => state === 'sending')?.id ?? '';
      await respondToAll(sender, responded < 2 ? 'refused' : 'taken', [next]);
    }
    expect(await ended(mine.merchantId, id)).toMatchObject({
      state: 'done',
      eventsSeen: MANY_EVENTS,
      eventsSent: MANY_EVENTS,
    });
    for (const event of events) expect(await deliveriesOf(database(), event.id)).toHaveLength(1);
  });

  test('runs once per endpoint: a second request returns it', async () => {
    const sender = await start();
    const mine = await shop();
    const twins = await Promise.all([HOUR_MS, DAY_MS, 1].map((back) => ask(sender, mine, back)));
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1);
    work(sender);
    await ended(mine.merchantId, twins[0]?.id ?? '');
    const next = await ask(sender, mine);
    expect(next.id).not.toBe(twins[0]?.id);
  });

  test('ends when it is cancelled, once, and when its endpoint is disabled', async () => {
    const sender = await start();
    const mine = await shop();
    const { db } = database();
    const first = await ask(sender, mine);
    const cancelled = await cancelReplay({ db, clock: sender.clock }, { ...mine, replayId: first.id });
    expect(cancelled).toMatchObject({ state: 'cancelled', endedAt: sender.clock.now() });
    sender.clock.advance(1_000);
    expect(await cancelReplay({ db, clock: sender.clock }, { ...mine, replayId: first.id })).toEqual(cancelled);

    const second = await ask(sender, mine);
    await turn(mine.endpointId, false);
    work(sender);
    expect(await ended(mine.merchantId, second.id)).toMatchObject({ state: 'cancelled', eventsSeen: 0, eventsSent: 0 });
    await expect(ask(sender, mine)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('rejects a start too far back, in the future, and another merchant’s endpoint', async () => {
    const sender = await start();
    const mine = await shop();
    const otherMerchantId = await createMerchant(database());
    const rejected = { code: 'INVALID_REQUEST', field: 'since' };
    await expect(ask(sender, mine, 60 * DAY_MS + 1)).rejects.toMatchObject(rejected);
    await expect(ask(sender, mine, -1)).rejects.toMatchObject(rejected);
    await expect(ask(sender, { ...mine, merchantId: otherMerchantId })).rejects.toMatchObject({
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
    const { id: replayId } = await ask(sender, mine, 60 * DAY_MS);
    const notFound = { code: 'WEBHOOK_REPLAY_NOT_FOUND' };
    const { db } = database();
    await expect(getReplay({ db }, { merchantId: otherMerchantId, replayId })).rejects.toMatchObject(notFound);
    await expect(getReplay({ db }, { ...mine, replayId: newId('rpl') })).rejects.toMatchObject(notFound);
    await expect(
      cancelReplay({ db, clock: sender.clock }, { merchantId: otherMerchantId, replayId }),
    ).rejects.toMatchObject(notFound);
    expect((await follow(mine.merchantId, replayId)).state).toBe('running');
  });

  test('tries the first event while the endpoint is held back, and the others wait for it', async () => {
    const sender = await start();
    const mine = await shop();
    await turn(mine.endpointId, false);
    for (let index = 0; index < 3; index += 1) await raiseEvent(sender, database(), { merchantId: mine.merchantId });
    await turn(mine.endpointId, true);
    work(sender);
    const { id } = await ask(sender, mine);
    await ended(mine.merchantId, id);
    const sent = () => sender.waiting().filter(({ endpointId }) => endpointId === mine.endpointId);
    await vi.waitFor(() => expect(sent()).toHaveLength(3), POLLING);
    expect(sent().filter(({ isRequested }) => isRequested)).toHaveLength(1);
  });

  test('killed anywhere, with several workers and manual redeliveries: every event once, and counted once', async () => {
    const sender = await start();
    const { db } = database();
    const point = fc.constantFrom<ReplayCrashPoint>('after_reserve', 'half_started', 'after_start');
    const step = fc.record({ workers: fc.integer({ min: 1, max: 3 }), dies: fc.option(point), byHand: fc.boolean() });
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (steps, maxSending) => {
        const mine = await shop();
        await turn(mine.endpointId, false);
        const events = await Promise.all(
          Array.from({ length: 12 }, () => raiseEvent(sender, database(), { merchantId: mine.merchantId })),
        );
        await turn(mine.endpointId, true);
        sender.clock.advance(1);
        const { id } = await ask(sender, mine);
        const pace = { maxSending, maxUnfinished: 1_000 };
        const advance = (engine: FakeSender['otherEngine'], dies: ReplayCrashPoint | null) => {
          const crash = (at: ReplayCrashPoint) => {
            if (at === dies) throw new Killed();
          };
          return advanceReplay({ db, engine, clock: sender.clock, pace, crash }, id).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            return true;
          });
        };
        const takeAll = async () => {
          await vi.waitFor(async () => {
            const open = await db
              .selectFrom('webhook_delivery')
              .select('id')
              .where('endpoint_id', '=', mine.endpointId)
              .where('state', '=', 'sending')
              .execute();
            for (const each of open) await sender.respond('taken', each.id);
            expect(open).toEqual([]);
          }, POLLING);
        };
        for (const { workers: count, dies, byHand } of steps) {
          const engines = [sender.runtime.engine, sender.otherEngine];
          await Promise.all([
            ...Array.from({ length: count }, (_, index) =>
              advance(engines[index % 2] ?? sender.otherEngine, index === 0 ? dies : null),
            ),
            ...(byHand ? [redeliverOne(sender, mine)] : []),
          ]);
          await takeAll();
        }
        while ((await follow(mine.merchantId, id)).state === 'running') {
          await advance(sender.runtime.engine, null);
          await takeAll();
        }
        expect(await follow(mine.merchantId, id)).toMatchObject({ state: 'done', eventsSeen: 12, eventsSent: 12 });
        const byHand = new Set(handMade.splice(0));
        for (const event of events) {
          const deliveries = (await deliveriesOf(database(), event.id)).filter((each) => !byHand.has(each.id));
          expect(deliveries).toMatchObject([{ state: 'delivered', attempt: 1 }]);
        }
        const posts = sender.posts.filter(({ endpointId }) => endpointId === mine.endpointId);
        const numbers = posts.map(({ eventId, attempt }) => `${eventId}:${attempt}`);
        expect(new Set(numbers).size).toBe(numbers.length);
      },
    );
    await assertAsyncProperty(property, { numRuns: level.pick({ quick: 5, full: 12 }) });
  });

  const handMade: string[] = [];
  /** What a person does who does not wait for the replay. */
  async function redeliverOne({ runtime: { engine } }: FakeSender, { merchantId, endpointId }: Shop): Promise<void> {
    const { db } = database();
    const one = await db
      .selectFrom('webhook_delivery')
      .select('id')
      .where('endpoint_id', '=', endpointId)
      .orderBy('id')
      .executeTakeFirst();
    if (one === undefined) return;
    const { outcome, deliveryId } = await redeliver({ db, engine }, { merchantId, deliveryId: one.id });
    if (outcome === 'started') handMade.push(deliveryId);
  }
});
