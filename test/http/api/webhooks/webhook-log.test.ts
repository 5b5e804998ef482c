import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../machines/index.ts';
import { newId } from '../../../../src/platform/ids.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { OK, type Receiver, type ReceiverResponse, startReceiver } from '../../../support/outside/receiver.ts';
import { POLLING } from '../../../support/polling.ts';
import type { TestMerchant } from '../../../support/service/app.ts';
import { LOOPBACK } from '../../../webhooks/harness.ts';
import { expectProblem, useApp } from '../support.ts';

interface Delivery {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event: string;
  readonly state: string;
  readonly attempt: number;
  readonly transaction_id: string;
  readonly next_attempt_at: string | null;
}

interface Replay {
  readonly replay_id: string;
  readonly state: string;
  readonly events_seen: number;
  readonly events_sent: number;
}

const DOWN: ReceiverResponse = { kind: 'status', status: 503, body: 'down for maintenance' };

describeDatabases('the log of webhook deliveries', (database) => {
  const { app, merchant } = useApp(database, { webhooks: LOOPBACK, plansEnabled: false });
  let receiver: Receiver;
  let otherReceiver: Receiver;
  beforeEach(async () => {
    [receiver, otherReceiver] = await Promise.all([startReceiver(), startReceiver()]);
  });
  afterEach(() => Promise.all([receiver.close(), otherReceiver.close()]));

  async function ask<T>(of: TestMerchant, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> {
    const response = await app().call<{ data: T }>({ method, path, key: of.keys.sk_live, body });
    if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${response.text}`);
    return response.body.data;
  }
  async function addEndpoint(of: TestMerchant, to = receiver): Promise<string> {
    const made = await ask<{ endpoint: { endpoint_id: string }; secret: string }>(of, 'POST', '/webhooks/endpoints', {
      url: to.url,
      modes: ['test'],
    });
    to.trust(made.secret);
    return made.endpoint.endpoint_id;
  }
  /**
   * Adds an endpoint that stays enabled, and returns a function that waits until it has `count`
   * deliveries. One query finds all subscribers of an event, so by then an endpoint that is
   * disabled has missed those events: nothing but a replay brings them.
   */
  async function watchFanOut(of: TestMerchant): Promise<(count: number) => Promise<void>> {
    const endpointId = await addEndpoint(of, otherReceiver);
    return (count) =>
      vi.waitFor(async () => {
        expect((await list(of, endpointId, '?limit=100')).deliveries).toHaveLength(count);
      }, POLLING);
  }
  /** A test-key payment, which raises payment.pending and payment.completed. */
  async function pay(of: TestMerchant): Promise<string> {
    const { transaction_id: id } = await app().create(of.keys.sk_test);
    await app().simulate(of.keys.sk_test, id, 'pay');
    await app().simulate(of.keys.sk_test, id, 'confirm');
    return id;
  }
  const list = async (of: TestMerchant, endpointId: string, query = '') =>
    ask<{ deliveries: Delivery[]; has_more: boolean }>(
      of,
      'GET',
      `/webhooks/endpoints/${endpointId}/deliveries${query}`,
    );
  const settled = (of: TestMerchant, endpointId: string, count: number, state: string) =>
    vi.waitFor(async () => {
      const { deliveries } = await list(of, endpointId, `?state=${state}&limit=100`);
      expect(deliveries).toHaveLength(count);
      return deliveries;
    }, POLLING);

  test('filters by state, type, transaction and time, in pages, and shows every attempt', async () => {
    const mine = await app().addMerchant();
    const endpointId = await addEndpoint(mine);
    const since = new Date(app().clock.now()).toISOString();
    const transactions = [await pay(mine), await pay(mine)];
    await settled(mine, endpointId, 4, 'delivered');
    app().clock.advance(HOUR_MS);
    const until = new Date(app().clock.now()).toISOString();
    receiver.plan(DOWN);
    transactions.push(await pay(mine));
    await settled(mine, endpointId, 1, 'waiting');
    await settled(mine, endpointId, 5, 'delivered');

    const all = await list(mine, endpointId);
    expect(all).toMatchObject({ has_more: false });
    expect(all.deliveries).toHaveLength(6);
    const ids = all.deliveries.map((each) => each.delivery_id);
    const pages: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const before = pages.length === 0 ? '' : `&before=${pages.at(-1)}`;
      const page = await list(mine, endpointId, `?limit=4${before}`);
      pages.push(...page.deliveries.map((each) => each.delivery_id));
      hasMore = page.has_more;
    }
    expect(pages).toEqual(ids);
    const kinds = async (query: string) => (await list(mine, endpointId, query)).deliveries.map(({ event }) => event);
    expect(await kinds('?event=payment.completed')).toEqual(Array.from({ length: 3 }, () => 'payment.completed'));
    expect((await kinds(`?transaction_id=${transactions[0]}`)).sort()).toEqual([
      'payment.completed',
      'payment.pending',
    ]);
    expect(await kinds(`?transaction_id=${transactions[0]}&event=payment.pending&state=delivered`)).toEqual([
      'payment.pending',
    ]);
    expect(await kinds(`?transaction_id=${transactions[0]}&state=failed`)).toEqual([]);
    expect(await kinds('?transaction_id=%00')).toEqual([]);
    expect(await kinds(`?since=${since}&until=${until}`)).toHaveLength(4);
    expect(await kinds(`?since=${until}`)).toHaveLength(2);
    expect(await kinds('?event=payment.expired')).toEqual([]);

    const [waiting] = (await list(mine, endpointId, '?state=waiting')).deliveries;
    expect(waiting).toMatchObject({ attempt: 1, last_status: 503, last_failure: 'status', is_test: false });
    expect(Date.parse(waiting?.next_attempt_at ?? '')).toBeGreaterThan(app().clock.now());
    const shown = await ask<{ body: string; attempts: object[] }>(
      mine,
      'GET',
      `/webhooks/deliveries/${waiting?.delivery_id}`,
    );
    expect(receiver.requests.map(({ body }) => body)).toContain(shown.body);
    expect(shown.attempts).toMatchObject([
      {
        attempt: 1,
        status: 503,
        failure: 'status',
        is_probe: false,
        request_headers: { 'webhook-id': waiting?.event_id },
        response_body: 'down for maintenance',
        peer_address: '127.0.0.1',
      },
    ]);
  });

  test('sends one again immediately, the same bytes under the same id', async () => {
    const mine = await app().addMerchant();
    const endpointId = await addEndpoint(mine);
    receiver.usually(DOWN);
    await pay(mine);
    const [first] = await settled(mine, endpointId, 2, 'waiting');
    receiver.usually(OK);
    const path = `/webhooks/deliveries/${first?.delivery_id}/redeliver`;
    expect(await ask(mine, 'POST', path)).toEqual({ outcome: 'requested', delivery_id: first?.delivery_id });
    await settled(mine, endpointId, 1, 'delivered');
    const again = await ask<{ outcome: string; delivery_id: string }>(mine, 'POST', path);
    expect(again.outcome).toBe('started');
    expect(again.delivery_id).not.toBe(first?.delivery_id);
    await settled(mine, endpointId, 2, 'delivered');
    const sent = receiver.requests.filter(({ headers }) => headers['webhook-id'] === first?.event_id);
    expect(sent.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(sent.every(({ isServiceSignatureValid }) => isServiceSignatureValid)).toBe(true);
  });

  test('a receiver that was down, then disabled, then is up again receives every event under its old id, once', async () => {
    const mine = await app().addMerchant();
    const endpointId = await addEndpoint(mine);
    const fannedOut = await watchFanOut(mine);
    receiver.usually(DOWN);
    const since = new Date(app().clock.now()).toISOString();
    const transactions = [await pay(mine), await pay(mine)];
    const open = async () => (await list(mine, endpointId, '?limit=100')).deliveries;
    await vi.waitFor(async () => expect((await open()).filter(({ attempt }) => attempt > 0)).toHaveLength(4), POLLING);
    await vi.waitFor(async () => {
      // Whether tried or held back, a delivery is given up at the end of its day.
      app().clock.advance(HOUR_MS);
      expect((await open()).map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'failed'));
    }, POLLING);
    await ask(mine, 'PATCH', `/webhooks/endpoints/${endpointId}`, { enabled: false });
    transactions.push(await pay(mine));
    await fannedOut(6);
    expectProblem(
      await app().call({
        method: 'POST',
        path: `/webhooks/endpoints/${endpointId}/replay`,
        key: mine.keys.sk_live,
        body: { since },
      }),
      409,
      'INVALID_STATE',
    );
    await ask(mine, 'PATCH', `/webhooks/endpoints/${endpointId}`, { enabled: true });
    receiver.usually(OK);
    const whileDown = receiver.requests.length;

    app().clock.advance(1_000);
    const replay = await ask<Replay>(mine, 'POST', `/webhooks/endpoints/${endpointId}/replay`, { since });
    await vi.waitFor(async () => {
      const now = await ask<Replay>(mine, 'GET', `/webhooks/replays/${replay.replay_id}`);
      expect(now).toMatchObject({ state: 'done', events_seen: 9, events_sent: 6 });
    }, POLLING);
    await vi.waitFor(async () => {
      // Deliveries held back until the first had arrived wait for their own timer.
      app().clock.advance(60_000);
      expect((await list(mine, endpointId, '?state=delivered')).deliveries).toHaveLength(6);
    }, POLLING);
    const arrived = receiver.requests.slice(whileDown);
    const ids = arrived.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    const { db } = database();
    const stored = await db
      .selectFrom('webhook_event')
      .select(['id', 'body'])
      .where('transaction_id', 'in', transactions)
      .where('event', '!=', 'payment.created')
      .execute();
    expect(new Map(arrived.map(({ headers, body }) => [headers['webhook-id'], body]))).toEqual(
      new Map(stored.map(({ id, body }) => [id, body])),
    );
  });

  test('a replay includes the events of test payments and test schedules with an advanced clock', async () => {
    const mine = await app().addMerchant();
    const endpointId = await addEndpoint(mine);
    const fannedOut = await watchFanOut(mine);
    const since = new Date(app().clock.now()).toISOString();
    await ask(mine, 'PATCH', `/webhooks/endpoints/${endpointId}`, { enabled: false });
    const { transaction_id: id } = await app().create(mine.keys.sk_test);
    await app().simulate(mine.keys.sk_test, id, 'advance_clock', { seconds: (30 * DAY_MS) / 1_000 });
    const schedule = { customer_email: 'jo@example.com', amount: 25, interval: 'weekly', description: 'Climbing hall' };
    const test = { ...mine, keys: { ...mine.keys, sk_live: mine.keys.sk_test } };
    const { schedule_id: scheduleId } = await ask<{ schedule_id: string }>(test, 'POST', '/recurring/create', schedule);
    const simulate = (body: object) => ask(test, 'POST', `/recurring/${scheduleId}/simulate`, body);
    await simulate({ action: 'confirm' });
    await simulate({ action: 'advance_clock', to: new Date(app().clock.now() + 15 * DAY_MS).toISOString() });

    const stored = await database()
      .db.selectFrom('webhook_event')
      .select(['id', 'event', 'body', 'created_at'])
      .where('merchant_id', '=', mine.id)
      .where('event', '!=', 'payment.created')
      .execute();
    const now = app().clock.now();
    const ahead = stored.filter(({ body }) => Date.parse(JSON.parse(body).timestamp) > now).map(({ event }) => event);
    expect(ahead.sort()).toEqual(['payment.expired', 'recurring.payment.unpaid', 'recurring.payment.unpaid']);
    // Retention treats them by their real age.
    expect(stored.filter(({ created_at: createdAt }) => createdAt > now)).toEqual([]);

    await fannedOut(stored.length);
    await ask(mine, 'PATCH', `/webhooks/endpoints/${endpointId}`, { enabled: true });
    const replay = await ask<Replay>(mine, 'POST', `/webhooks/endpoints/${endpointId}/replay`, { since });
    await vi.waitFor(async () => {
      const { state, events_sent: sent } = await ask<Replay>(mine, 'GET', `/webhooks/replays/${replay.replay_id}`);
      expect({ state, sent }).toEqual({ state: 'done', sent: stored.length });
    }, POLLING);
    await settled(mine, endpointId, stored.length, 'delivered');
    const byId = (one: { id: unknown }, other: { id: unknown }) => String(one.id).localeCompare(String(other.id));
    const arrived = receiver.requests.map(({ headers, body }) => ({ id: headers['webhook-id'], body }));
    expect(arrived.sort(byId)).toEqual(stored.map(({ id: eventId, body }) => ({ id: eventId, body })).sort(byId));
  });

  describe('belongs to its merchant', () => {
    test('other merchants, test keys and publishable keys see nothing, and change nothing', async () => {
      const mine = await app().addMerchant();
      const endpointId = await addEndpoint(mine);
      receiver.usually(DOWN);
      await pay(mine);
      const [delivery] = await settled(mine, endpointId, 2, 'waiting');
      const { replay_id: replayId } = await ask<Replay>(mine, 'POST', `/webhooks/endpoints/${endpointId}/replay`, {
        since: new Date(app().clock.now()).toISOString(),
      });
      const id = delivery?.delivery_id ?? '';
      const since = { since: new Date(app().clock.now()).toISOString() };
      const before = await database()
        .db.selectFrom('webhook_delivery')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .orderBy('id')
        .execute();
      const requests = [
        ['GET', `/webhooks/endpoints/${endpointId}/deliveries`, undefined, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
        ['GET', `/webhooks/deliveries/${id}`, undefined, 'WEBHOOK_DELIVERY_NOT_FOUND'],
        ['POST', `/webhooks/deliveries/${id}/redeliver`, undefined, 'WEBHOOK_DELIVERY_NOT_FOUND'],
        ['POST', `/webhooks/endpoints/${endpointId}/replay`, since, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
        ['GET', `/webhooks/replays/${replayId}`, undefined, 'WEBHOOK_REPLAY_NOT_FOUND'],
        ['POST', `/webhooks/replays/${replayId}/cancel`, undefined, 'WEBHOOK_REPLAY_NOT_FOUND'],
      ] as const;
      const otherMerchant = merchant();
      for (const [method, path, body, code] of requests) {
        const call = (key: string | null) => app().call({ method, path, key, ...(body === undefined ? {} : { body }) });
        const rejected = expectProblem(await call(otherMerchant.keys.sk_live), 404, code);
        expect(expectProblem(await call(mine.keys.sk_test), 403, 'FORBIDDEN').message).toContain('sk_live_');
        expectProblem(await call(mine.keys.pk_live), 403, 'USE_PAY_ENDPOINT');
        expectProblem(await call(null), 401, 'UNAUTHORIZED');
        // Objects that never existed get the same response.
        const unknown = path
          .replace(endpointId, newId('whk'))
          .replace(id, newId('dlv'))
          .replace(replayId, newId('rpl'));
        const never = await app().call({
          method,
          path: unknown,
          key: mine.keys.sk_live,
          ...(body === undefined ? {} : { body }),
        });
        expect(expectProblem(never, 404, code).message.replace(/ [a-z]{3}_\w+/, '')).toBe(
          rejected.message.replace(/ [a-z]{3}_\w+/, ''),
        );
        const garbled = await app().call({
          method,
          path: path.replace(/(whk|dlv|rpl)_\w+/, '%00'),
          key: mine.keys.sk_live,
          ...(body === undefined ? {} : { body }),
        });
        expectProblem(garbled, 404, code);
      }
      const rows = await database()
        .db.selectFrom('webhook_delivery')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .orderBy('id')
        .execute();
      expect(rows).toEqual(before);
    });

    test('a delivery of another endpoint is not a valid cursor', async () => {
      const mine = await app().addMerchant();
      const endpointId = await addEndpoint(mine);
      for (const before of [newId('dlv'), 'nothing', '%00']) {
        const path = `/webhooks/endpoints/${endpointId}/deliveries?before=${before}`;
        const response = await app().call({ path, key: mine.keys.sk_live });
        expect(expectProblem(response, 400, 'INVALID_REQUEST').details).toMatchObject([{ field: 'before' }]);
      }
    });

    test.each([
      ['no moment', {}, 'since'],
      ['text that is no moment', { since: 'yesterday' }, 'since'],
      ['a day there is not', { since: '2026-02-30' }, 'since'],
      ['a moment to come', { since: '2999-01-01' }, 'since'],
      ['more than 60 days', { since: '2020-01-01' }, 'since'],
      ['an end to come', { since: '2026-11-21', until: '2999-01-01' }, 'until'],
      ['a field there is not', { since: '2026-11-21', before: '2026-11-22' }, 'before'],
    ])('a replay with %s is rejected by name', async (_, body, field) => {
      const mine = await app().addMerchant();
      const endpointId = await addEndpoint(mine);
      const path = `/webhooks/endpoints/${endpointId}/replay`;
      const response = await app().call({ method: 'POST', path, key: mine.keys.sk_live, body });
      expect(expectProblem(response, 400, 'INVALID_REQUEST').details).toMatchObject([{ field }]);
      const replays = await database()
        .db.selectFrom('webhook_replay')
        .select('id')
        .where('endpoint_id', '=', endpointId)
        .execute();
      expect(replays).toEqual([]);
    });

    test('a cancel ends a running replay, and does not change one that has ended', async () => {
      const mine = await app().addMerchant();
      const endpointId = await addEndpoint(mine);
      const since = new Date(app().clock.now() - DAY_MS).toISOString();
      const { replay_id: id } = await ask<Replay>(mine, 'POST', `/webhooks/endpoints/${endpointId}/replay`, { since });
      const over = await vi.waitFor(async () => {
        const replay = await ask<Replay>(mine, 'GET', `/webhooks/replays/${id}`);
        expect(replay.state).toBe('done');
        return replay;
      }, POLLING);
      expect(await ask(mine, 'POST', `/webhooks/replays/${id}/cancel`)).toEqual(over);
    });
  });
});
