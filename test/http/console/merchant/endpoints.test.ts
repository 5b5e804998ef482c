import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type {
  DeliveryDetail,
  DeliveryInfo,
  DeliveryPage,
  EndpointDetail,
  EndpointSecret,
  TestEventInfo,
} from '../../../../src/http/console/merchant/endpoints/schemas.ts';
import { OK, type Receiver, startReceiver } from '../../../support/outside/receiver.ts';
import { POLLING } from '../../../support/polling.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const MINUTE_MS = 60_000;

describeConsole('the webhook endpoints of a merchant in the console', {}, (console) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await receiver?.close();
  });
  beforeEach(() => receiver.usually(OK));

  let made = 0;
  /** One more endpoint at the receiver, under its own path. */
  async function add(body: object = {}): Promise<EndpointSecret> {
    made += 1;
    const url = `http://127.0.0.1:${receiver.port}/hooks/${made}`;
    const response = await post('', { url, modes: ['live', 'test'], ...body });
    expect([response.status, response.message]).toEqual([201, undefined]);
    return response.data;
  }
  function get(path: string, who: Who = 'owner') {
    return console.call(who, { path: `/merchant/webhooks${path}` });
  }
  function post(path: string, body?: object, who: Who = 'owner') {
    const request = { method: 'POST', path: `/merchant/webhooks${path}` } as const;
    return console.call(who, body === undefined ? request : { ...request, body });
  }
  function patch(id: string, body: object) {
    return console.call('owner', { method: 'PATCH', path: `/merchant/webhooks/${id}`, body });
  }
  function remove(id: string) {
    return console.call('owner', { method: 'DELETE', path: `/merchant/webhooks/${id}` });
  }
  async function detail(id: string): Promise<EndpointDetail> {
    return (await get(`/${id}`)).data;
  }
  /** Sends a test event and waits until its first attempt was answered. */
  async function tested(id: string, event = 'payment.completed', who: Who = 'owner'): Promise<DeliveryDetail> {
    const sent = await post(`/${id}/test`, { event }, who);
    expect(sent.status).toBe(201);
    const { deliveryId }: TestEventInfo = sent.data;
    return ended(deliveryId);
  }
  async function ended(deliveryId: string): Promise<DeliveryDetail> {
    await expect
      .poll(async () => {
        const { state, attempts } = (await get(`/deliveries/${deliveryId}`)).data as DeliveryDetail;
        return state !== 'sending' && attempts.length > 0;
      }, POLLING)
      .toBe(true);
    return (await get(`/deliveries/${deliveryId}`)).data;
  }
  /** Raises an event as a payment does, with a simulated one of the test key. */
  async function createPayment(): Promise<string> {
    const response = await console.api({
      method: 'POST',
      path: '/transactions/create',
      body: { crypto: 'LTC', amount: 25, currency_fiat: 'EUR' },
    });
    expect([response.status, response.message]).toEqual([201, undefined]);
    return response.data.transaction_id;
  }

  test('are created, shown without their secret, changed, and deleted by an owner', async () => {
    const { id, secret } = await add({ description: 'the shop', events: ['payment.failed', 'payment.completed'] });
    expect(secret).toMatch(/^whsec_/);
    const shown = await get(`/${id}`, 'staff');
    expect(shown.text).not.toContain(secret);
    expect(shown.data).toMatchObject({
      endpoint: {
        id,
        description: 'the shop',
        events: ['payment.completed', 'payment.failed'],
        enabled: true,
        disablesItself: false,
        health: { lastSuccessAt: null, lastFailure: null, failuresInARow: 0 },
      },
      counts: { delivered: 0, failed: 0, waiting: 0, held: 0 },
      replay: null,
      maxReplayDays: 60,
    });
    expect(shown.text).not.toContain('merchantId');
    await patch(id, { enabled: false, disablesItself: true, description: '', events: ['payment.expired'] });
    await patch(id, { disablesOnGone: true, maxPerSecond: 5 });
    expect((await detail(id)).endpoint).toMatchObject({ disablesOnGone: true, maxPerSecond: 5 });
    await patch(id, { maxPerSecond: 0 });
    expect((await detail(id)).endpoint).toMatchObject({
      enabled: false,
      disabledBecause: 'merchant',
      disablesItself: true,
      disablesOnGone: true,
      maxPerSecond: null,
      description: '',
      events: ['payment.expired'],
    });
    expect((await remove(id)).status).toBe(204);
    expect(await get(`/${id}`)).toMatchObject({ status: 404, error: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    expect(JSON.stringify(console.logLines())).not.toContain(secret);
  });

  test('have their secret rotated with an overlap by an owner: both sign', async () => {
    const { id, secret: old } = await add();
    const rotate = (body: object) => post(`/${id}/rotate-secret`, body);
    for (const overlapHours of [0, 25, 1.5, 'x', null]) {
      expect((await rotate({ overlapHours })).error).toBe('INVALID_REQUEST');
    }
    const { status, data } = await rotate({ overlapHours: 1 });
    expect([status, data.id]).toEqual([200, id]);
    const { endpoint } = (await get(`/${id}`)).data;
    expect(endpoint.previousSecretUntil - endpoint.secretChangedAt).toBe(3_600_000);
    for (const secret of [old, data.secret]) {
      receiver.trust(secret);
      await tested(id, 'payment.completed', 'staff');
      expect(receiver.requests.at(-1)).toMatchObject({
        isStandardSignatureValid: true,
        isServiceSignatureValid: secret === data.secret,
      });
    }
    expect(JSON.stringify(console.logLines())).not.toContain(data.secret);
  });

  test('receive a test event signed with the secret that was shown', async () => {
    const { id, secret } = await add();
    receiver.trust(secret);
    receiver.plan({ kind: 'status', status: 202, body: 'welcome' });
    const delivery = await tested(id, 'payment.paid_late', 'staff');
    expect(delivery).toMatchObject({ state: 'delivered', event: 'payment.paid_late', isTest: true, lastStatus: 202 });
    const [attempt] = delivery.attempts;
    expect(attempt).toMatchObject({ status: 202, failure: null, responseBody: 'welcome', peerAddress: '127.0.0.1' });
    expect(attempt?.requestHeaders).toMatchObject({
      'x-service-event': 'payment.paid_late',
      'x-service-attempt': '1',
    });
    const received = receiver.requests.at(-1);
    expect(received).toMatchObject({
      body: delivery.body,
      isServiceSignatureValid: true,
      isStandardSignatureValid: true,
    });
    expect((await detail(id)).endpoint.health).toMatchObject({
      lastSuccessAt: expect.any(Number),
      failuresInARow: 0,
    });
    const wrong = await post(`/${id}/test`, { event: 'payment.imagined' });
    expect([wrong.status, wrong.message]).toEqual([
      400,
      expect.stringMatching(/not an event type; choose from .*[^.]\.$/),
    ]);
  });

  test('sign with a new secret immediately, and never again with the old one', async () => {
    const { id, secret } = await add();
    const { data, status } = await post(`/${id}/secret`);
    expect([status, data.id]).toEqual([200, id]);
    for (const [trusted, isValid] of [
      [secret, false],
      [data.secret, true],
    ] as const) {
      receiver.trust(trusted);
      await tested(id);
      expect(receiver.requests.at(-1)?.isServiceSignatureValid).toBe(isValid);
    }
  });

  test('show their consecutive failures, and receive failed events when resent', async () => {
    const { id } = await add();
    await tested(id);
    receiver.usually({ kind: 'status', status: 500, body: 'broken' });
    const failed = await tested(id);
    expect(failed).toMatchObject({ state: 'waiting', lastStatus: 500, nextAttemptAt: expect.any(Number) });
    expect((await get('')).data.endpoints.find((each: { id: string }) => each.id === id).health).toMatchObject({
      failuresInARow: 1,
      lastFailure: { kind: 'status', status: 500, detail: 'The endpoint responded with 500' },
    });
    receiver.usually(OK);
    expect((await post(`/deliveries/${failed.id}/redeliver`, undefined, 'staff')).data).toEqual({
      outcome: 'requested',
      deliveryId: failed.id,
    });
    await expect.poll(async () => (await get(`/deliveries/${failed.id}`)).data.state, POLLING).toBe('delivered');
    const { attempts, body } = (await get(`/deliveries/${failed.id}`)).data as DeliveryDetail;
    expect(attempts.map(({ status }) => status)).toEqual([500, 200]);
    expect(receiver.requests.at(-1)?.body).toBe(body);
    expect((await detail(id)).endpoint.health).toMatchObject({ failuresInARow: 0, lastFailure: { status: 500 } });
    const again = (await post(`/deliveries/${failed.id}/redeliver`)).data;
    expect(again).toMatchObject({ outcome: 'started' });
    expect(again.deliveryId).not.toBe(failed.id);
    expect((await ended(again.deliveryId)).body).toBe(body);
  });

  test('have all waiting deliveries retried immediately, also by staff, and by no user while disabled', async () => {
    const [{ id }, { id: otherId }] = [await add(), await add()];
    receiver.usually({ kind: 'status', status: 500, body: 'broken' });
    const failed = [await tested(id), await tested(id, 'payment.expired')];
    const other = await tested(otherId);
    receiver.usually(OK);
    const retry = () => post(`/${id}/retry-waiting`, undefined, 'staff');
    await patch(id, { enabled: false });
    expect((await retry()).error).toBe('INVALID_STATE');
    await patch(id, { enabled: true });
    expect((await retry()).data).toEqual({ retried: 2, hasMore: false });
    for (const delivery of failed) {
      await expect.poll(async () => (await get(`/deliveries/${delivery.id}`)).data.state, POLLING).toBe('delivered');
    }
    expect((await get(`/deliveries/${other.id}`)).data.state).toBe('waiting');
    expect((await retry()).data).toEqual({ retried: 0, hasMore: false });
    for (const each of [id, otherId]) await remove(each);
  });

  test('have their stored responses deleted by an owner, and nothing else, nor those of another endpoint', async () => {
    const [{ id }, { id: otherId }] = [await add(), await add()];
    receiver.usually({ kind: 'status', status: 500, body: 'secret of the shop' });
    const [failed, other] = [await tested(id), await tested(otherId)];
    receiver.usually(OK);
    const path = `/webhooks/${id}/responses`;
    const requested = { method: 'DELETE', path: `/merchant${path}` } as const;
    expect((await console.call('owner', requested)).data).toEqual({ deleted: 1 });
    const responses = async (deliveryId: string) =>
      ((await get(`/deliveries/${deliveryId}`)).data as DeliveryDetail).attempts.map(
        ({ status, responseBody, responseHeaders, requestHeaders }) =>
          [status, responseBody, responseHeaders === null, requestHeaders === null] as const,
      );
    expect(await responses(failed.id)).toEqual([[500, null, true, false]]);
    expect(await responses(other.id)).toEqual([[500, 'secret of the shop', false, false]]);
    expect((await console.call('owner', requested)).data).toEqual({ deleted: 0 });
    for (const each of [id, otherId]) await remove(each);
  });

  test('have a log with filters and pages', async () => {
    const { id } = await add();
    receiver.plan({ kind: 'status', status: 503 });
    const failing = await tested(id, 'payment.failed');
    const others = [await tested(id), await tested(id), await tested(id, 'payment.expired')];
    const ids = async (query: string) =>
      ((await get(`/${id}/deliveries${query}`)).data as DeliveryPage).deliveries.map((each: DeliveryInfo) => each.id);
    const newestFirst = [...others.toReversed(), failing].map((each) => each.id);
    expect(await ids('')).toEqual(newestFirst);
    expect(await ids('?state=waiting')).toEqual([failing.id]);
    expect(await ids('?event=payment.expired')).toEqual([others[2]?.id]);
    expect(await ids('?event=payment.expired&state=failed')).toEqual([]);
    expect(await ids(`?from=${others[1]?.createdAt}`)).toEqual(newestFirst.slice(0, 2));
    expect(await ids(`?from=${Date.now() + MINUTE_MS}`)).toEqual([]);
    const pages: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 3; page += 1) {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&before=${cursor}`;
      const response: DeliveryPage = (await get(`/${id}/deliveries${query}`)).data;
      pages.push(...response.deliveries.map((each) => each.id));
      cursor = response.cursor;
      if (cursor === null) break;
    }
    expect([pages, cursor]).toEqual([newestFirst, null]);
  });

  test('receive everything they missed since a given time, which is counted first', async () => {
    const { id } = await add({ events: ['payment.created'] });
    const since = Date.now() - MINUTE_MS;
    expect((await post(`/${id}/replays`, { since: Date.now() + MINUTE_MS })).status).toBe(400);
    await patch(id, { enabled: false });
    const missed = [await createPayment(), await createPayment()];
    await expect.poll(async () => (await detail(id)).counts.held, POLLING).toBe(2);
    expect(await post(`/${id}/replays`, { since })).toMatchObject({
      status: 409,
      error: 'INVALID_STATE',
      message: 'The endpoint is disabled: enable it first, then replay.',
    });
    await patch(id, { enabled: true });
    const preview = (await get(`/${id}/replay-preview?since=${since}`, 'staff')).data;
    expect(preview).toMatchObject({ since, due: 2, isCut: false });
    expect(preview.events).toBeGreaterThanOrEqual(2);
    expect((await get(`/${id}/replay-preview?since=${since}&until=${since}`)).data.due).toBe(0);
    expect((await get(`/${id}/replay-preview?since=${since}&only=failed`)).data.due).toBe(0);
    const begun = await post(`/${id}/replays`, { since });
    expect([begun.status, begun.data.state]).toEqual([201, 'running']);
    await expect.poll(async () => (await get(`/replays/${begun.data.id}`)).data.state, POLLING).toBe('done');
    const replay = (await get(`/replays/${begun.data.id}`, 'staff')).data;
    expect(replay).toMatchObject({ endpointId: id, eventsSent: 2 });
    expect(replay.eventsSeen).toBe(replay.eventsTotal);
    expect((await detail(id)).replay).toEqual(replay);
    expect((await post(`/replays/${replay.id}/cancel`)).data).toEqual(replay);
    const { deliveries }: DeliveryPage = (await get(`/${id}/deliveries`)).data;
    expect(new Set(deliveries.map(({ transactionId }) => transactionId))).toEqual(new Set(missed));
    expect(deliveries).toHaveLength(missed.length);
    await expect.poll(async () => (await get(`/${id}/replay-preview?since=${since}`)).data.due, POLLING).toBe(0);
  });

  test('list each delivery with the order of its payment', async () => {
    const { id } = await add({ events: ['payment.created'] });
    const body = { crypto: 'LTC', items: [{ name: 'Tea', price: 25 }], order_id: 'order-77' };
    const created = await console.api({ method: 'POST', path: '/transactions/create-detailed', body });
    expect([created.status, created.message]).toEqual([201, undefined]);
    const plain = await createPayment();
    await expect
      .poll(async () => {
        const { deliveries } = (await get(`/${id}/deliveries`)).data as DeliveryPage;
        return deliveries.map(({ transactionId, orderId }) => [transactionId, orderId]).toReversed();
      }, POLLING)
      .toEqual([
        [created.data.transaction_id, 'order-77'],
        [plain, null],
      ]);
    await remove(id);
  });

  test('reject invalid input with the field and the remedy, and nothing is changed', async () => {
    const { id } = await add();
    const { url } = (await detail(id)).endpoint;
    const before = (await get('')).data.endpoints.length;
    const bodies: [object, number, RegExp][] = [
      [{}, 400, /url must be text/],
      [{ url: 'ftp://shop.example/' }, 400, /must begin with https:\/\/\.$/],
      [{ url: 'https://10.0.0.1/' }, 400, /not a public address/],
      [{ url }, 409, /already has this URL; change that one instead\.$/],
      [{ url: 'https://shop.example/', events: [] }, 400, /needs at least one event type/],
      [{ url: 'https://shop.example/', events: 'all' }, 400, /events must be a list/],
      [{ url: 'https://shop.example/', description: 'x'.repeat(201) }, 400, /at most 200 characters/],
      [{ url: 'https://shop.example/', secret: 'mine' }, 400, /"secret" is unknown/],
    ];
    for (const [body, status, saying] of bodies) {
      const response = await post('', { modes: ['live', 'test'], ...body });
      expect([response.status, response.message]).toEqual([status, expect.stringMatching(saying)]);
    }
    expect((await patch(id, {})).message).toMatch(/^At least one field is required/);
    expect((await get(`/${id}/deliveries?before=dlv_nobody`)).status).toBe(400);
    expect((await get(`/${id}/deliveries?state=lost`)).message).toMatch(/^state must be one of/);
    expect((await get(`/${id}/replay-preview?since=-1`)).message).toMatch(/^since must be a whole number/);
    expect((await get(`/${id}/replay-preview?since=0`)).message).toMatch(/at most 60 days ago/);
    expect((await get('')).data.endpoints).toHaveLength(before);
  });
});
