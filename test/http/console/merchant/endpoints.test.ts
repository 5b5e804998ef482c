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
    expect(await ids('?event=payment.expired&state=delivered')).toEqual([others[2]?.id]);
    expect(await ids(`?from=${others[1]?.createdAt}`)).toEqual(newestFirst.slice(0, 2));
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
