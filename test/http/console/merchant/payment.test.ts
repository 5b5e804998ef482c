import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../../machines/index.ts';
import { MAX_SEARCHES_PER_HOUR, requestSearch } from '../../../../src/payments/index.ts';
import { RATES_MAX_AGE_MS } from '../../../../src/rates/index.ts';
import { uniqueAddress } from '../../../accounts/harness.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { POLLING } from '../../../support/polling.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { describeConsole } from '../support/describe-console.ts';
import { readCsv } from './payments/read-csv.ts';

describeConsole('one payment of a merchant', {}, (console) => {
  const create = async (crypto = 'LTC', body: object = {}): Promise<string> => {
    const made = await console.api({
      method: 'POST',
      path: '/transactions/create',
      body: { crypto, amount: 25, ...body },
    });
    return made.data.transaction_id;
  };
  const simulate = (id: string, body: object) =>
    console.call('staff', { method: 'POST', path: `/merchant/payments/${id}/simulate`, body });
  const decide = async (id: string, body: object, who: 'owner' | 'staff' = 'staff') => {
    const { step: seenStep } = (await console.call(who, { path: `/merchant/payments/${id}` })).data;
    return console.call(who, {
      method: 'POST',
      path: `/merchant/payments/${id}/decisions`,
      body: { reason: 'it was here', seenStep, requestId: randomUUID(), ...body },
    });
  };

  test('has the network searched for a transaction, which is audited', async () => {
    const id = await create();
    const txid = 'AB'.repeat(32);
    const search = (body: object, who: 'staff' | 'neighbour' = 'staff') =>
      console.call(who, { method: 'POST', path: `/merchant/payments/${id}/search`, body });
    expect(await search({ txid })).toMatchObject({ status: 409, message: expect.stringContaining('simulated') });
    expect((await search({ txid }, 'neighbour')).status).toBe(404);
    await changeTransactions(console.db, { network: 'litecoin-mainnet' }, { id });
    const malformed = { status: 400, message: expect.stringMatching(/^txid must be .* 64 characters/) };
    for (const wrong of ['ab', `${txid}0`, 'g'.repeat(64)])
      expect(await search({ txid: wrong })).toMatchObject(malformed);
    for (const height of [-1, 1.5, 'high', 2_147_483_648])
      expect(await search({ txid, height })).toMatchObject({ status: 400, message: expect.stringMatching(/^height /) });

    const sent: object[] = [];
    const bus = { publish: async (message: object) => void sent.push(message) };
    const author = { who: 'a test', now: Date.now() };
    const input = { merchantId: console.merchantId, paymentId: id, txid: ` 0x${txid}\n`, height: 840_000, author };
    await requestSearch({ db: console.db, bus, log: silentLog }, input);
    expect(sent).toMatchObject([
      { queue: 'search-litecoin-mainnet', data: { txid: txid.toLowerCase(), height: 840_000 } },
    ]);
    const [entry] = await console.db
      .selectFrom('audit_entry')
      .select(['who', 'details'])
      .where('what', '=', 'payment.transaction_searched')
      .execute();
    const details = { network: 'litecoin-mainnet', txid: txid.toLowerCase(), height: 840_000 };
    expect(entry).toEqual({ who: 'a test', details });
  });

  test('has no more transactions searched in an hour than allowed, even by requests at the same time', async () => {
    const id = await create();
    await changeTransactions(console.db, { network: 'litecoin-mainnet' }, { id });
    const txid = 'cd'.repeat(32);
    const sent: object[] = [];
    const bus = { publish: async (message: object) => void sent.push(message) };
    // After the hour of other searches.
    const author = { who: 'a test', now: Date.now() + 2 * HOUR_MS };
    const input = { merchantId: console.merchantId, paymentId: id, txid, author };
    const request = () => requestSearch({ db: console.db, bus, log: silentLog }, input);
    // All but one, so that the first requests at the same time would each find the last one free.
    for (let count = 1; count < MAX_SEARCHES_PER_HOUR; count += 1) await request();
    const tries = await Promise.allSettled(Array.from({ length: 30 }, request));
    const rejected = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(rejected).toEqual(Array(29).fill('TOO_MANY_ATTEMPTS'));
    expect(sent).toHaveLength(MAX_SEARCHES_PER_HOUR);
    const search = { method: 'POST', path: `/merchant/payments/${id}/search`, body: { txid } } as const;
    expect((await console.call('staff', search)).status).toBe(429);
  });

  test('shows all of its data', async () => {
    const id = await create('LTC', { customer_email: 'buyer@example.com', metadata: { cart: '7' } });
    await simulate(id, { action: 'pay_partial' });
    const { status, data } = await console.call('staff', { path: `/merchant/payments/${id}` });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id,
      mode: 'test',
      status: 'partial',
      exception: null,
      decisions: [],
      crypto: 'LTC',
      network: 'simulated-litecoin',
      networkKind: 'simulated',
      customerEmail: 'buyer@example.com',
      metadata: { cart: '7' },
      due: { fiat: '25' },
      paid: { fiat: '12.50' },
      remaining: { fiat: '12.50' },
      excess: { crypto: '0' },
      rateSources: ['sample'],
      splits: [{ status: 'detected', confirmations: 0, isLate: false, amount: { fiat: '12.50' } }],
      link: null,
      schedule: null,
      isTimelineCut: false,
    });
    expect(data.ratesAt).toBeLessThanOrEqual(data.createdAt);
    expect(data.ratesAt).toBeGreaterThan(data.createdAt - RATES_MAX_AGE_MS);
    expect(data.events.map(({ event }: { event: string }) => event)).toEqual(['payment.created', 'payment.partial']);
    expect(data.timeline.map(({ who }: { who: { kind: string } }) => who.kind)).toEqual(['shop', 'chain']);
    expect(data.simulations).toEqual([
      'pay',
      'pay_partial',
      'overpay',
      'pay_late',
      'confirm',
      'double_spend',
      'advance_clock',
    ]);
    expect(JSON.stringify(data)).not.toMatch(/clientHash|client_hash|derivation|idempotency/);
  });

  test('lists the deliveries of each event by the age of their endpoints, with their hosts only', async () => {
    const hosts = ['c', 'a', 'b'].map((name) => `${name}.shop.example`);
    const events = ['payment.created', 'payment.completed'];
    const ids: string[] = [];
    for (const host of hosts) {
      const body = { url: `https://${host}/secret/path`, modes: ['test'], events };
      const made = await console.call('owner', { method: 'POST', path: '/merchant/webhooks', body });
      expect(made.status).toBe(201);
      ids.push(made.data.id);
    }
    const id = await create();
    for (const action of ['pay', 'confirm']) await simulate(id, { action });
    const { data, text } = await console.call('staff', { path: `/merchant/payments/${id}` });
    for (const { event, deliveries } of data.events) {
      const expected = events.includes(event) ? hosts : [];
      expect(deliveries.map(({ host }: { host: string }) => host)).toEqual(expected);
    }
    expect(text).not.toContain('secret/path');
    for (const each of ids) await console.call('owner', { method: 'DELETE', path: `/merchant/webhooks/${each}` });
    const later = (await console.call('staff', { path: `/merchant/payments/${id}` })).data.events;
    expect(later[0].deliveries[0]).toMatchObject({ host: hosts[0], endpointId: ids[0] });
  });

  test('is decided by staff and owners, and the timeline names them', async () => {
    const id = await create();
    const late = await simulate(id, { action: 'pay_late' });
    expect(late.data).toMatchObject({ status: 'expired', exception: 'paid_late', decisions: ['mark_paid', 'dismiss'] });
    const requestId = randomUUID();
    const decided = await decide(id, { decision: 'mark_paid', requestId });
    expect(decided.data).toMatchObject({ status: 'completed', completedBy: 'merchant', decisions: [] });
    expect(decided.data.timeline.at(-1)).toMatchObject({
      who: { kind: 'person', email: console.users.staff.email },
      reason: 'it was here',
      becomes: { status: 'completed' },
    });
    expect((await decide(id, { decision: 'mark_paid', requestId })).status).toBe(200);
    const again = await decide(id, { decision: 'dismiss' }, 'owner');
    expect([again.status, again.error]).toEqual([409, 'INVALID_STATE']);
    expect(again.message).toContain('this one is completed');
    expect(await auditOf(id)).toMatchObject([
      { what: 'payment.simulated', details: { action: 'pay_late' } },
      { what: 'payment.marked_paid', details: { reason: 'it was here' } },
    ]);
    await expect
      .poll(
        async () => (await console.call('owner', { path: `/merchant/payments/${id}` })).data.events.at(-1).event,
        POLLING,
      )
      .toBe('payment.completed');
  });

  test('names only the coins that pay it, not those that were dismissed before', async () => {
    const id = await create();
    await simulate(id, { action: 'pay_late' });
    await simulate(id, { action: 'confirm' });
    await decide(id, { decision: 'dismiss' });
    const exported = async () => {
      const { text } = await console.call('staff', { path: `/merchant/payments.csv?mode=test&search=${id}` });
      const [head = [], row = []] = readCsv(text);
      return Object.fromEntries(row.map((cell, index) => [head[index], cell]));
    };
    const dismissed = await exported();
    expect(dismissed.txids).toMatch(/^[0-9a-f]{64}$/);
    await simulate(id, { action: 'pay_late' });
    await simulate(id, { action: 'confirm' });
    expect((await decide(id, { decision: 'mark_paid' })).data).toMatchObject({ status: 'completed' });
    const paid = await exported();
    expect(paid.amount_paid).toBe(dismissed.amount_paid);
    expect(paid.txids).toMatch(/^[0-9a-f]{64}$/);
    expect(paid.txids).not.toBe(dismissed.txids);
  });

  test('rejects a decision on an outdated state, and returns what has changed', async () => {
    const id = await create();
    const { step: seenStep } = (await simulate(id, { action: 'pay_late' })).data;
    await simulate(id, { action: 'double_spend' });
    await simulate(id, { action: 'pay_late' });
    const decided = await decide(id, { decision: 'mark_paid', seenStep });
    expect([decided.status, decided.error]).toEqual([409, 'INVALID_STATE']);
    expect(decided.message).toMatch(/is past step \d+: .* was replaced by another transaction/);
    const listed = await console.call('staff', { path: '/merchant/attention?mode=test&kind=paid_late' });
    const item = listed.data.items.find(({ transactionId }: { transactionId: string }) => transactionId === id);
    expect((await decide(id, { decision: 'mark_paid', seenStep: item.step })).data).toMatchObject({
      status: 'completed',
    });
  });

  test('in an account-based coin can go under review and is confirmed or rejected', async () => {
    for (const [decision, status] of [
      ['confirm', 'completed'],
      ['reject', 'failed'],
    ]) {
      const id = await create('ETH');
      const review = await simulate(id, { action: 'drop_balance' });
      expect(review.data).toMatchObject({ exception: 'needs_review', decisions: ['confirm', 'reject'] });
      expect(review.data.missing.fiat).toBe('25.00');
      expect((await decide(id, { decision })).data).toMatchObject({ status, exception: null, missing: null });
    }
  });

  test('is not found for other users', async () => {
    const id = await create();
    const unknown = `txn_${'0'.repeat(26)}`;
    const requests = [
      { method: 'GET', path: `/merchant/payments/${id}` },
      { method: 'POST', path: `/merchant/payments/${id}/simulate`, body: { action: 'pay' } },
      {
        method: 'POST',
        path: `/merchant/payments/${id}/decisions`,
        body: { decision: 'mark_paid', reason: 'x', seenStep: 1, requestId: 'r' },
      },
    ] as const;
    for (const request of requests) {
      expect((await console.call(null, request)).status).toBe(401);
      for (const who of ['operator', 'observer'] as const) expect((await console.call(who, request)).status).toBe(403);
      const foreign = await console.call('neighbour', request);
      expect([foreign.status, foreign.error]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
      for (const other of [unknown, 'nonsense', '%00', 'x'.repeat(100)]) {
        const response = await console.call('owner', { ...request, path: request.path.replace(id, other) });
        expect([404, 400]).toContain(response.status);
      }
    }
    expect((await console.call('owner', { path: `/merchant/payments/${id}` })).data).toMatchObject({
      status: 'pending',
    });
  });

  test('is not changed by an invalid request', async () => {
    const id = await create();
    await simulate(id, { action: 'pay_late' });
    const proper = { decision: 'mark_paid', reason: 'x', seenStep: 1, requestId: 'r' };
    for (const [field, body] of [
      ['decision', { ...proper, decision: 'complete' }],
      ['reason', { ...proper, reason: '' }],
      ['reason', { ...proper, reason: '   ' }],
      ['reason', { ...proper, reason: 'x'.repeat(501) }],
      ['seenStep', { ...proper, seenStep: 0 }],
      ['requestId', { decision: 'mark_paid', reason: 'x', seenStep: 1 }],
      ['by', { ...proper, by: 'usr_other' }],
    ] as const) {
      const response = await console.call('owner', {
        method: 'POST',
        path: `/merchant/payments/${id}/decisions`,
        body,
      });
      expect([response.status, response.error], field).toEqual([400, 'INVALID_REQUEST']);
      expect(response.message).toContain(field);
    }
    for (const body of [
      { action: 'mint' },
      { action: 'advance_clock', seconds: 0 },
      { action: 'advance_clock' },
      { action: 'confirm', seconds: 5 },
    ]) {
      expect((await simulate(id, body)).status).toBe(400);
    }
    expect((await simulate(id, { action: 'confirm' })).status).toBe(200);
    expect((await simulate(id, { action: 'confirm' })).error).toBe('INVALID_STATE');
    expect((await console.call('owner', { path: `/merchant/payments/${id}` })).data.exception).toBe('paid_late');
  });

  test('from a link names the link, and was created by a customer', async () => {
    await console.db
      .insertInto('payment_link')
      .values({
        merchant_id: console.merchantId,
        mode: 'test',
        slug: 'mugs',
        code: 'mugs00000000',
        title: 'A mug',
        description: null,
        amount_cents: 1_200,
        min_amount_cents: null,
        max_amount_cents: null,
        currency_fiat: 'EUR',
        cryptos: [],
        success_url: null,
        expires_at: null,
        max_uses: null,
        created_at: new Date(),
        closed_at: null,
      })
      .execute();
    const query = new URLSearchParams({ pk: console.keys.pk_test, link: 'mugs', crypto: 'LTC', amount: '12' });
    // Requests with a publishable key are limited by address, and other files share this console.
    const headers = { 'x-forwarded-for': uniqueAddress() };
    const opened = await fetch(`${console.url}/v1/pay?${query}`, { headers, redirect: 'manual' });
    expect(opened.status, await opened.text()).toBe(302);
    const id = opened.headers.get('location')?.split('/').at(-1) ?? '';
    const { data } = await console.call('owner', { path: `/merchant/payments/${id}` });
    expect(data.link).toEqual({ slug: 'mugs', title: 'A mug' });
    const found = await console.call('owner', { path: '/merchant/payments?mode=test&search=MUG' });
    expect(found.data.payments).toMatchObject([{ id, title: 'A mug' }]);
    expect(data.timeline[0].who).toEqual({ kind: 'customer' });
  });

  test('shows unassigned deposits at its address', async () => {
    const id = await create('ETH');
    const deposit = {
      network: 'simulated-ethereum',
      address: `0x${id}`,
      transaction_id: id,
      chain_order: 1,
      first_seen_at: new Date(),
    };
    await console.db
      .insertInto('unassigned_payment')
      .values([
        {
          ...deposit,
          output_id: 'a',
          asset: 'USDC',
          reason: 'other_asset',
          txid: null,
          amount_base_units: '2500000',
          status: 'confirmed',
          height: 5,
        },
        {
          ...deposit,
          output_id: 'b',
          asset: 'ETH',
          reason: 'monitoring_ended',
          txid: 'b',
          amount_base_units: '1',
          status: 'gone',
          height: null,
        },
      ])
      .execute();
    const { data } = await console.call('owner', { path: `/merchant/payments/${id}` });
    expect(data.unassigned).toMatchObject([
      { asset: 'USDC', amountCrypto: '2.5', reason: 'other_asset', isConfirmed: true },
    ]);
    expect(data.splits).toEqual([]);
  });

  function auditOf(id: string) {
    const ofPayment = console.db.selectFrom('audit_entry').select(['what', 'details']).where('subject_id', '=', id);
    return ofPayment.orderBy('id').execute();
  }
});
