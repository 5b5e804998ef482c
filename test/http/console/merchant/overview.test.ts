import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../../../machines/index.ts';
import type { FirstRun, Overview } from '../../../../src/http/console/merchant/overview/schemas.ts';
import { type Receiver, startReceiver } from '../../../support/outside/receiver.ts';
import { POLLING } from '../../../support/polling.ts';
import { describeConsole } from '../support/describe-console.ts';

describeConsole('the overview of a merchant', {}, (console) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await receiver?.close();
  });

  const read = async (mode: Mode = 'test'): Promise<Overview> =>
    (await console.call('owner', { path: `/merchant/overview?mode=${mode}` })).data;
  const firstRun = async (): Promise<FirstRun> => (await read()).firstRun;
  const startPayment = (body: unknown, role: 'owner' | 'staff' = 'owner') =>
    console.call(role, { method: 'POST', path: '/merchant/overview/test-payment', body });
  const simulate = (id: string, action: string) =>
    console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action } });

  test('shows the current state: completed steps, and steps that are undone again', async () => {
    const nothing: FirstRun = {
      hasWallet: false,
      canBePaid: false,
      hasTestKey: true,
      hasLiveKey: true,
      hasEndpoint: false,
      hasDelivered: false,
      hasTestPayment: false,
      openTestPayment: null,
      hasSupportContact: false,
      hasLivePayment: false,
    };
    expect(await firstRun()).toEqual(nothing);

    const extendedPublicKey = HDKey.fromMasterSeed(new Uint8Array(32).fill(5)).derive("m/44'/2'/0'").publicExtendedKey;
    const preview = { crypto: 'LTC', extendedPublicKey };
    const { data } = await console.call('owner', {
      method: 'POST',
      path: '/merchant/wallets/preview',
      body: preview,
    });
    const wallet = {
      cryptos: ['LTC'],
      extendedPublicKey,
      addressType: data.addressType,
      isMatching: true,
      replaces: false,
    };
    const attached = await console.call('owner', {
      method: 'POST',
      path: '/merchant/wallets',
      body: { ...wallet, firstAddress: data.addresses[0].address },
    });
    expect(attached.status).toBe(201);
    expect(await firstRun()).toEqual({ ...nothing, hasWallet: true });

    const endpoint = await console.api({
      method: 'POST',
      path: '/webhooks/endpoints',
      key: 'sk_live',
      body: { url: receiver.url },
    });
    expect(endpoint.status).toBe(201);
    expect(await firstRun()).toMatchObject({ hasEndpoint: true, hasDelivered: false });
    const { endpoint_id: id } = endpoint.data.endpoint;
    const test = { event: 'payment.completed' };
    const path = `/webhooks/endpoints/${id}`;
    const sent = await console.api({ method: 'POST', path: `${path}/test`, key: 'sk_live', body: test });
    expect(sent.status).toBe(202);
    await expect.poll(async () => (await firstRun()).hasDelivered, POLLING).toBe(true);

    const { data: payment } = await startPayment({ crypto: 'LTC', amount: '25.5', currency: 'EUR' });
    expect(await firstRun()).toMatchObject({ openTestPayment: payment, hasTestPayment: false });
    await simulate(payment.id, 'pay');
    await simulate(payment.id, 'confirm');
    await expect.poll(async () => (await firstRun()).hasTestPayment, POLLING).toBe(true);
    expect(await firstRun()).toMatchObject({ openTestPayment: null, hasLivePayment: false });

    const contact = { changes: { supportContact: 'help@shop.example' }, seen: { supportContact: null } };
    const changed = await console.call('owner', { method: 'PATCH', path: '/merchant/settings', body: contact });
    expect(changed.status).toBe(200);
    expect(await firstRun()).toMatchObject({ hasSupportContact: true });

    expect((await console.api({ method: 'DELETE', path, key: 'sk_live' })).status).toBeLessThan(300);
    expect(await firstRun()).toMatchObject({ hasEndpoint: false, hasDelivered: false });
  });

  test('creates test payments only, for staff too, and counts them in their mode', async () => {
    const before = await read();
    const live = await read('live');
    const { status, data } = await startPayment({ crypto: 'BTC', amount: '19.99', currency: 'USD' }, 'staff');
    expect([status, data.paymentUrl]).toEqual([201, `${console.url}/transaction/${data.id}`]);
    const after = await read();
    expect(after.today.created).toBe(before.today.created + 1);
    expect(after.week.created).toBe(before.week.created + 1);
    expect(after.latest[0]).toMatchObject({
      id: data.id,
      status: 'pending',
      exception: null,
      crypto: 'BTC',
      amountFiat: '19.99',
      currencyFiat: 'USD',
    });
    expect({ ...(await read('live')), firstRun: live.firstRun }).toEqual(live);
    expect(live).toMatchObject({ today: { created: 0, volumeUsd: '0' }, latest: [], apiUrl: `${console.url}/v1` });
  });

  test('lists at most the newest five', async () => {
    for (let count = 0; count < 6; count += 1) await startPayment({ crypto: 'LTC', amount: '25', currency: 'EUR' });
    const { latest } = await read();
    expect(latest).toHaveLength(5);
    expect(latest.map(({ createdAt }) => createdAt)).toEqual(
      latest.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    );
  });

  test('names the field of an invalid request and creates nothing', async () => {
    const before = (await read()).week.created;
    const good = { crypto: 'LTC', amount: '25', currency: 'EUR' };
    const bad: readonly (readonly [string, unknown])[] = [
      ['crypto', { ...good, crypto: 'XMR' }],
      ['amount', { ...good, amount: 25 }],
      ['amount', { ...good, amount: '-1' }],
      ['amount', { ...good, amount: '1.234' }],
      ['amount', { ...good, amount: '0.01' }],
      ['amount', { ...good, amount: '1e3' }],
      ['currency', { ...good, currency: 'CHF' }],
      ['mode', { ...good, mode: 'live' }],
    ];
    for (const [field, body] of bad) {
      expect(await startPayment(body)).toMatchObject({ status: 400, message: expect.stringContaining(field) });
    }
    expect((await console.call('owner', { path: '/merchant/overview' })).message).toContain('mode');
    expect((await read()).week.created).toBe(before);
  });
});
