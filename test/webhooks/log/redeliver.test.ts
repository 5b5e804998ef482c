import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../machines/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { redeliver, retryWaiting } from '../../../src/webhooks/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { type FakeSender, startFakeSender } from '../fake-sender.ts';
import { addEndpoint, createMerchant, deliveriesOf, deliveryOf, raiseEvent } from '../harness.ts';

describeDatabases('redelivery', (database) => {
  let service: FakeSender | undefined;
  afterEach(() => service?.stop());

  async function start(): Promise<FakeSender> {
    service = await startFakeSender(database());
    return service;
  }
  async function shop() {
    const merchantId = await createMerchant(database());
    const url = `https://shop.example/${randomBytes(8).toString('hex')}`;
    const { id: endpointId } = await addEndpoint(database(), { merchantId, url });
    return { merchantId, endpointId };
  }
  const depsOf = ({ runtime: { engine } }: FakeSender) => ({ db: database().db, engine });
  const requested = (sender: FakeSender, deliveryId: string) =>
    vi.waitFor(() => expect(sender.waiting().some((each) => each.deliveryId === deliveryId)).toBe(true), POLLING);

  test('a waiting delivery makes its next attempt now, and its schedule continues from there', async () => {
    const sender = await start();
    const { merchantId } = await shop();
    const { id } = await raiseEvent(sender, database(), { merchantId });
    const { id: deliveryId } = await deliveryOf(database(), id);
    await requested(sender, deliveryId);
    await sender.respond('refused', deliveryId);
    expect(await redeliver(depsOf(sender), { merchantId, deliveryId })).toEqual({ outcome: 'requested', deliveryId });
    await requested(sender, deliveryId);
    expect(sender.waiting().find((each) => each.deliveryId === deliveryId)).toMatchObject({
      attempt: 2,
      isRequested: true,
    });
    await sender.respond('taken', deliveryId);
    expect(await deliveryOf(database(), id)).toMatchObject({ state: 'delivered', attempt: 2 });
  });

  test('all waiting ones make their next attempt now, except late attempts of the last half hour', async () => {
    const sender = await start();
    const { merchantId, endpointId } = await shop();
    const fail = async (deliveryId: string) => {
      await requested(sender, deliveryId);
      await sender.respond('refused', deliveryId);
    };
    const raise = async () => {
      const { id } = await raiseEvent(sender, database(), { merchantId });
      const delivery = await deliveryOf(database(), id);
      await fail(delivery.id);
      return delivery.id;
    };
    const [early, late] = [await raise(), await raise()];
    for (let attempt = 2; attempt <= 6; attempt += 1) {
      await redeliver(depsOf(sender), { merchantId, deliveryId: late });
      await fail(late);
    }
    const deps = { ...depsOf(sender), clock: sender.clock };
    const retry = () =>
      retryWaiting(deps, { merchantId, endpointId, author: { who: 'test', now: sender.clock.now() } });
    expect(await retry()).toEqual({ retried: 1, hasMore: false });
    await requested(sender, early);
    expect(await retry()).toEqual({ retried: 0, hasMore: false });
    sender.clock.advance(HOUR_MS / 2);
    expect(await retry()).toEqual({ retried: 1, hasMore: false });
    await requested(sender, late);
  });

  test('a delivered one gets one further delivery, however many requests come at once', async () => {
    const sender = await start();
    const { merchantId } = await shop();
    const event = await raiseEvent(sender, database(), { merchantId });
    const { id: deliveryId } = await deliveryOf(database(), event.id);
    await requested(sender, deliveryId);
    await sender.respond('taken', deliveryId);
    const engines = [sender.runtime.engine, sender.otherEngine];
    const clicks = await Promise.all(
      engines.flatMap((engine) =>
        [1, 2].map(() => redeliver({ db: database().db, engine }, { merchantId, deliveryId })),
      ),
    );
    const ids = new Set(clicks.map((each) => each.deliveryId));
    const [next = ''] = ids;
    expect(ids.size).toBe(1);
    expect(clicks.map(({ outcome }) => outcome)).toContain('started');
    const others = (await deliveriesOf(database(), event.id)).filter((each) => each.id !== deliveryId);
    expect(others).toMatchObject([{ id: next, state: 'sending', attempt: 2, event: 'payment.completed' }]);

    await requested(sender, next);
    await sender.respond('taken', next);
    // The request names the first delivery; the state of the last one counts.
    expect(await redeliver(depsOf(sender), { merchantId, deliveryId })).toMatchObject({ outcome: 'started' });
    const attempts = (await deliveriesOf(database(), event.id)).map(({ attempt }) => attempt);
    expect(attempts.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(new Set(sender.posts.filter(({ eventId }) => eventId === event.id).map(({ body }) => body))).toEqual(
      new Set([event.body]),
    );
  });

  test('one that was held back until its end, without an attempt, can be sent again', async () => {
    const sender = await start();
    const { merchantId } = await shop();
    const { id } = await raiseEvent(sender, database(), { merchantId });
    const { id: deliveryId } = await deliveryOf(database(), id);
    const holdBack = async (held: string) => {
      await requested(sender, held);
      sender.clock.advance(DAY_MS + HOUR_MS);
      await sender.respond('deferred', held);
    };
    await holdBack(deliveryId);
    expect(await deliveryOf(database(), id)).toMatchObject({ state: 'failed', attempt: 0 });
    const second = await redeliver(depsOf(sender), { merchantId, deliveryId });
    expect(second.outcome).toBe('started');
    await requested(sender, second.deliveryId);
    await sender.respond('refused', second.deliveryId);
    expect(sender.posts.at(-1)).toMatchObject({ deliveryId: second.deliveryId, attempt: 1 });
  });

  test('is rejected for a disabled or deleted endpoint, and for other merchants', async () => {
    const sender = await start();
    const { merchantId, endpointId } = await shop();
    const { id } = await raiseEvent(sender, database(), { merchantId });
    const { id: deliveryId } = await deliveryOf(database(), id);
    const rejection = async (merchant: string, delivery: string) =>
      redeliver(depsOf(sender), { merchantId: merchant, deliveryId: delivery }).catch((error: unknown) => error);
    const otherMerchantId = await createMerchant(database());
    for (const [merchant, delivery] of [
      [otherMerchantId, deliveryId],
      [merchantId, newId('dlv')],
    ] as const) {
      expect(await rejection(merchant, delivery)).toMatchObject({ code: 'WEBHOOK_DELIVERY_NOT_FOUND' });
    }
    const { db } = database();
    const change = (set: { enabled: boolean; deleted_at?: Date }) =>
      db.updateTable('webhook_endpoint').set(set).where('id', '=', endpointId).execute();
    await change({ enabled: false });
    expect(await rejection(merchantId, deliveryId)).toMatchObject({ code: 'INVALID_STATE', message: /enable it/ });
    await change({ enabled: false, deleted_at: new Date() });
    expect(await rejection(merchantId, deliveryId)).toMatchObject({ code: 'INVALID_STATE', message: /was deleted/ });
    expect(await deliveriesOf(database(), id)).toHaveLength(1);
  });

  test('in any order, by any number of users at once: same id and bytes, no number twice, one delivery at a time', async () => {
    const sender = await start();
    const move = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('redeliver' as const), people: fc.integer({ min: 1, max: 4 }) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constantFrom('taken' as const, 'refused' as const, 'deferred' as const) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('time' as const),
          ms: fc.constantFrom(11_000, HOUR_MS, 12 * HOUR_MS),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('race' as const) }) },
    );
    const property = fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 30 }), async (moves) => {
      const { merchantId, endpointId } = await shop();
      const event = await raiseEvent(sender, database(), { merchantId });
      const { db } = database();
      const click = async (engine: FakeSender['otherEngine']) => {
        const all = await deliveriesOf(database(), event.id);
        const named = all[all.length >> 1]?.id ?? '';
        return redeliver({ db, engine }, { merchantId, deliveryId: named });
      };
      const engines = [sender.runtime.engine, sender.otherEngine];
      const mine = () => sender.waiting().find((each) => each.endpointId === endpointId)?.deliveryId;
      const respond = async (how: 'taken' | 'refused' | 'deferred') => {
        const deliveryId = mine();
        if (deliveryId !== undefined) await sender.respond(how, deliveryId);
      };
      for (const each of moves) {
        if (each.kind === 'time') sender.clock.advance(each.ms);
        else if (each.kind === 'redeliver') {
          const clicks = Array.from({ length: each.people }, (_, index) =>
            click(engines[index % 2] ?? sender.otherEngine),
          );
          expect(new Set((await Promise.all(clicks)).map(({ deliveryId }) => deliveryId)).size).toBeLessThanOrEqual(2);
        } else if (each.kind === 'race')
          await Promise.all([respond('taken'), click(sender.otherEngine), click(sender.runtime.engine)]);
        else await respond(each.kind);
        const running = (await deliveriesOf(database(), event.id)).filter(({ ended_at }) => ended_at === null);
        expect(running.length).toBeLessThanOrEqual(1);
      }
      const posts = sender.posts.filter((each) => each.endpointId === endpointId);
      expect(new Set(posts.map(({ attempt }) => attempt)).size).toBe(posts.length);
      for (const each of posts) expect([each.eventId, each.body]).toEqual([event.id, event.body]);
      // Leaves nothing behind for the next example.
      while (mine() !== undefined) await respond('taken');
    });
    await assertAsyncProperty(property, { numRuns: level.runs(25) });
  });
});
