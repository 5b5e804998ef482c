import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ConsoleResponse } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

describeConsole('operators', { env: { PLANS: 'on' } }, (console) => {
  const get = (path: string) => console.call('observer', { path });
  const give = (body: object, id = console.merchantId) =>
    console.call('operator', { method: 'POST', path: `/merchants/${id}/plan`, body: { ...requestedNow(), ...body } });
  const changePlan = (tier: string, body: object) =>
    console.call('operator', { method: 'PATCH', path: `/plans/${tier}`, body: { ...requestedNow(), ...body } });

  test('see every merchant, find one by part of its name, and page through all of them', async () => {
    const all = (await get('/merchants')).data;
    expect(all.merchants.map(({ id }: { id: string }) => id).sort()).toEqual(
      [console.merchantId, console.neighbour.merchantId].sort(),
    );
    expect(all.cursor).toBeNull();
    const found = (await get('/merchants?search=-NEIGHBOUR')).data.merchants;
    expect(found).toMatchObject([
      {
        id: console.neighbour.merchantId,
        plan: { tier: 'professional', expiresAt: null },
        usage: { used: 0 },
        needsAttention: 0,
        testNeedsAttention: 0,
        wallets: 0,
        endpoints: { total: 0, failing: 0 },
      },
    ]);
    expect((await get(`/merchants?search=${console.merchantId}`)).data.merchants).toHaveLength(1);
    // Pattern characters are matched literally.
    expect((await get('/merchants?search=%25')).data.merchants).toEqual([]);
    const first = (await get('/merchants?limit=1')).data;
    const second = (await get(`/merchants?limit=1&cursor=${first.cursor}`)).data;
    expect([...first.merchants, ...second.merchants].map(({ id }) => id)).toEqual(
      all.merchants.map(({ id }: { id: string }) => id),
    );
    expect(second.cursor).toBeNull();
  });

  test('see the users of a merchant, the ends of its keys, and the hosts of its endpoints', async () => {
    const endpoint = { url: 'https://hooks.shop.example/secret/path?token=1', events: ['payment.completed'] };
    expect(
      (await console.api({ method: 'POST', path: '/webhooks/endpoints', body: endpoint, key: 'sk_live' })).status,
    ).toBe(201);
    await console.db
      .updateTable('webhook_endpoint')
      .set({ failing_since: new Date(0) })
      .execute();
    const { data, text } = await get(`/merchants/${console.merchantId}`);
    expect(data).toMatchObject({
      id: console.merchantId,
      cycle: null,
      endpoints: { total: 1, failing: 1 },
      endpointStates: [
        {
          name: expect.any(String),
          host: 'hooks.shop.example',
          isEnabled: true,
          failingSince: 0,
          lastSuccessAt: null,
          lastFailure: null,
        },
      ],
      walletRuns: [],
      schedules: {},
    });
    const emails = data.users.map(({ email }: { email: string }) => email);
    expect(emails).toEqual(expect.arrayContaining([console.users.owner.email, console.users.staff.email]));
    for (const other of ['operator', 'neighbour'] as const) expect(emails).not.toContain(console.users[other].email);
    const hints = new Set(data.keys.map(({ hint }: { hint: string }) => hint));
    expect(hints).toEqual(new Set(Object.values(console.keys).map((key) => key.slice(-4))));
    for (const secret of [...Object.values(console.keys), 'secret/path', 'token=1']) expect(text).not.toContain(secret);
    expect((await get('/merchants/mer_nobody')).status).toBe(404);
  });

  test('see failures of an endpoint that receives only test events apart from those of live ones', async () => {
    const listed = async (mode: string) =>
      (await get(`/merchants?failingMode=${mode}`)).data.merchants.map(({ id }: { id: string }) => id);
    const figures = async () => {
      const { failingEndpoints, testFailingEndpoints } = (await get('/health')).data;
      return [failingEndpoints, testFailingEndpoints];
    };
    const failing = { merchants: 1, since: 0 };
    const none = { merchants: 0, since: null };
    expect([await listed('live'), await listed('test')]).toEqual([[console.merchantId], []]);
    expect(await figures()).toEqual([failing, none]);
    await console.db
      .updateTable('webhook_endpoint')
      .set({ modes: JSON.stringify(['test']) })
      .execute();
    expect([await listed('live'), await listed('test')]).toEqual([[], [console.merchantId]]);
    expect(await figures()).toEqual([none, failing]);
    expect((await get(`/merchants/${console.merchantId}`)).data).toMatchObject({
      endpoints: { total: 1, failing: 0, testFailing: 1 },
      endpointStates: [{ modes: ['test'] }],
    });
  });

  test('give a merchant a plan once per request, which its owner finds in the audit log', async () => {
    const request = { ...requestedNow(), tier: 'business', reason: 'agreed by phone' };
    for (let times = 0; times < 2; times += 1) {
      expect((await give(request)).data).toMatchObject({ id: console.merchantId, plan: { tier: 'business' } });
    }
    const audit = await console.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('what', '=', 'merchant.plan_assigned')
      .where('merchant_id', '=', console.merchantId)
      .execute();
    expect(audit).toMatchObject([{ details: { tier: 'business', expiresAt: null } }]);
    expect(await give({ ...request, tier: 'starter' })).toMatchObject({ status: 409, error: 'REQUEST_REUSED' });
    const expiresAt = Date.now() + 86_400_000;
    expect((await give({ tier: 'enterprise', expiresAt })).data.plan).toEqual({ tier: 'enterprise', expiresAt });
  });

  test('approve a merchant that signed up, once, which its owner finds in the audit log', async () => {
    const { merchantId } = console.neighbour;
    const approve = (body: object, id = merchantId) =>
      console.call('operator', { method: 'POST', path: `/merchants/${id}/approve`, body });
    await console.db
      .updateTable('merchant')
      .set({ approval_pending_since: new Date(1_000) })
      .where('id', '=', merchantId)
      .execute();
    expect((await get(`/merchants/${merchantId}`)).data).toMatchObject({ approvalPendingSince: 1_000 });
    const request = { ...requestedNow(), reason: 'we know them' };
    expect(await approve({ ...request, reason: ' ' })).toMatchObject({ status: 400 });
    expect(await approve(requestedNow(), 'mer_nobody')).toMatchObject({ status: 404 });
    expect((await get(`/merchants/${merchantId}`)).data).toMatchObject({ approvalPendingSince: 1_000 });
    for (const body of [request, request, requestedNow()]) {
      expect((await approve(body)).data).toMatchObject({ id: merchantId, approvalPendingSince: null });
    }
    const audit = await console.db
      .selectFrom('audit_entry')
      .select(['who', 'subject_id'])
      .where('what', '=', 'merchant.approved')
      .execute();
    expect(audit).toEqual([{ who: expect.stringMatching(/^user usr_/), subject_id: merchantId }]);
    expect((await get('/actions')).data.actions[1]).toMatchObject({
      what: 'merchant.approved',
      subjectId: merchantId,
      reason: 'we know them',
      outcome: 'done',
    });
  });

  test('change the price and limits of a tier, which apply to its merchants', async () => {
    const before = (await get('/plans')).data;
    expect(before.isOn).toBe(true);
    expect(before.plans.map(({ tier }: { tier: string }) => tier)).toEqual([
      'starter',
      'business',
      'professional',
      'enterprise',
    ]);
    const changes = { monthlyPriceUsd: '39.90', yearlyPriceUsd: null, webhookLimit: null, createDetailed: false };
    const { plans } = (await changePlan('business', changes)).data;
    expect(plans[1]).toEqual({ ...before.plans[1], ...changes, monthlyPriceUsd: '39.90' });
    expect(plans.filter(({ tier }: { tier: string }) => tier !== 'business')).toEqual(
      before.plans.filter(({ tier }: { tier: string }) => tier !== 'business'),
    );
  });

  test('can read what every operator did, newest first, with the user and the reason', async () => {
    await changePlan('starter', { webhookLimit: 3, reason: 'a gift' });
    await give({ tier: 'professional', reason: 'end of the gift' });
    const { actions } = (await get('/actions')).data;
    expect(actions.slice(0, 2)).toMatchObject([
      { what: 'merchant.plan_assigned', subjectId: console.merchantId, reason: 'end of the gift', outcome: 'done' },
      { what: 'plan.changed', subjectId: 'starter', details: { webhookLimit: 3 }, reason: 'a gift', outcome: 'done' },
    ]);
    const { email } = console.users.operator;
    for (const action of actions) expect(action.who.email).toBe(email);
    expect((await get(`/actions?who=${encodeURIComponent(email.toUpperCase())}`)).data.actions).toEqual(actions);
    expect((await get(`/actions?who=${actions[0].who.userId}`)).data.actions).toEqual(actions);
    expect((await get('/actions?who=nobody@shop.example')).data.actions).toEqual([]);
    const paged: unknown[] = [];
    let cursor: string | null = '';
    for (let page = 0; page <= actions.length && cursor !== null; page += 1) {
      const { data }: ConsoleResponse = await get(`/actions?limit=2&cursor=${cursor}`);
      paged.push(...data.actions);
      cursor = data.cursor;
    }
    expect(paged).toEqual(actions);
  });

  test.each([
    [{ tier: 'golden' }, 'tier'],
    [{ tier: 'starter', reason: ' ' }, 'reason'],
    [{ tier: 'starter', reason: undefined }, 'reason'],
    [{ tier: 'starter', requestId: 'x' }, 'requestId'],
    [{ tier: 'starter', expiresAt: 1 }, 'expiresAt'],
    [{ tier: 'starter', colour: 'red' }, 'colour'],
  ])('cannot give a plan with %j: the error is named and nothing changes', async (body, field) => {
    const before = (await get(`/merchants/${console.merchantId}`)).data.plan;
    const response = await give(body);
    expect(response.status).toBe(400);
    expect(response.message).toContain(field);
    expect((await get(`/merchants/${console.merchantId}`)).data.plan).toEqual(before);
  });

  test.each([
    [{}, 'Nothing to change'],
    [{ monthlyPriceUsd: 29 }, 'monthlyPriceUsd'],
    [{ monthlyPriceUsd: '1e3' }, 'monthlyPriceUsd'],
    [{ monthlyPriceUsd: '0.50' }, 'price'],
    [{ monthlyPriceUsd: null, yearlyPriceUsd: '100' }, 'price'],
    [{ webhookLimit: -1 }, 'webhookLimit'],
    [{ apiRateLimitPerMinute: null }, 'apiRateLimitPerMinute'],
    [{ apiRateLimitPerMinute: 0 }, 'apiRateLimitPerMinute'],
    [{ ipWhitelist: 'yes' }, 'ipWhitelist'],
    [{ tier: 'starter' }, 'tier'],
  ])('cannot change a plan by %j: the error is named and nothing changes', async (body, names) => {
    const before = (await get('/plans')).data;
    const actions = (await get('/actions')).data;
    const response = await changePlan('professional', body);
    expect([400, 409]).toContain(response.status);
    expect(response.message).toContain(names);
    expect((await get('/plans')).data).toEqual(before);
    expect((await get('/actions')).data).toEqual(actions);
  });

  test('get a named error for an invalid query', async () => {
    for (const [path, names] of [
      ['/merchants?colour=red', 'colour'],
      ['/merchants?cursor=x', 'cursor'],
      ['/actions?cursor=%20', 'cursor'],
      ['/dead-letters?shape=round', 'shape'],
    ] as const) {
      const response = await get(path);
      expect(response.status, path).toBe(400);
      expect(response.message, path).toContain(names);
    }
    expect((await changePlan('golden', { webhookLimit: 1 })).message).toContain('tier');
    expect(await give({ tier: 'starter' }, 'mer_nobody')).toMatchObject({ status: 404 });
  });
});

/** The common fields of every audited action. */
function requestedNow(): { readonly reason: string; readonly requestId: string } {
  return { reason: 'a test', requestId: randomUUID() };
}
