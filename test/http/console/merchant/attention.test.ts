import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeConsole } from '../support/describe-console.ts';

describeConsole("items that need a merchant's attention", {}, (console) => {
  const after = async (crypto: string, ...steps: readonly object[]): Promise<string> => {
    const made = await console.api({ method: 'POST', path: '/transactions/create', body: { crypto, amount: 25 } });
    const id: string = made.data.transaction_id;
    for (const body of steps) {
      const path = `/merchant/payments/${id}/simulate`;
      expect(await console.call('owner', { method: 'POST', path, body })).toMatchObject({ status: 200 });
    }
    return id;
  };
  const list = async (query = '', who: 'staff' | 'neighbour' = 'staff') =>
    (await console.call(who, { path: `/merchant/attention?mode=test${query}` })).data;
  const count = async (mode = 'test', who: 'staff' | 'neighbour' = 'staff') =>
    (await console.call(who, { path: `/merchant/attention/count?mode=${mode}` })).data.open;
  const settle = (path: string, body: unknown, who: 'staff' | 'neighbour' = 'staff') =>
    console.call(who, { method: 'POST', path: `/merchant/attention/${path}/settle`, body });

  test('are listed and counted alike, and disappear when they are resolved', async () => {
    const late = await after('LTC', { action: 'pay_late' });
    const review = await after('ETH', { action: 'drop_balance' });
    const short = await after('LTC', { action: 'pay_partial' }, { action: 'advance_clock', seconds: 3_601 });
    const much = await after('LTC', { action: 'overpay' }, { action: 'confirm' });
    const { items, cursor } = await list();
    expect(cursor).toBeNull();
    expect(
      new Map(items.map((item: { transactionId: string; kind: string }) => [item.transactionId, item.kind])),
    ).toEqual(
      new Map([
        [late, 'paid_late'],
        [review, 'needs_review'],
        [short, 'underpaid'],
        [much, 'overpaid'],
      ]),
    );
    expect(await count()).toBe(4);
    expect([await count('live'), await count('test', 'neighbour')]).toEqual([0, 0]);
    expect((await list('&kind=paid_late')).items).toMatchObject([{ transactionId: late, missedDeadline: 'none' }]);
    expect((await list('&kind=overpaid')).items).toMatchObject([
      { transactionId: much, amountFiat: '2.50', paidFiat: '27.50', dueFiat: '25', isConfirmed: true, settledBy: null },
    ]);
    const [underpaid] = (await list('&kind=underpaid')).items;
    expect(underpaid).toMatchObject({ transactionId: short, amountFiat: '12.50', isConfirmed: false });

    const path = `${short}/underpaid`;
    const body = { note: 'sent it back', amountCrypto: underpaid.amountCrypto, revision: underpaid.revision };
    expect(await settle(path, body, 'neighbour')).toMatchObject({ status: 404, error: 'ATTENTION_NOT_FOUND' });
    expect(await settle(path, { ...body, amountCrypto: '0.1' })).toMatchObject({ status: 409, error: 'INVALID_STATE' });
    expect(await settle(path, { ...body, note: ' ' })).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    expect(await settle(path, { note: 'x' })).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    expect((await settle(path, body)).status).toBe(204);
    expect(await settle(path, body)).toMatchObject({ status: 409, error: 'INVALID_STATE' });
    expect(await settle(`${late}/paid_late`, body)).toMatchObject({ status: 409, error: 'INVALID_STATE' });
    expect(await settle(`${short}/unpaid`, body)).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    expect(await count()).toBe(3);

    const { step: seenStep } = (await console.call('owner', { path: `/merchant/payments/${late}` })).data;
    const decision = { decision: 'dismiss', reason: 'sold out', seenStep, requestId: 'click-1' };
    await console.call('owner', { method: 'POST', path: `/merchant/payments/${late}/decisions`, body: decision });
    const settled = (await list('&show=settled')).items;
    expect(settled).toHaveLength(2);
    expect(settled).toContainEqual(
      expect.objectContaining({
        transactionId: short,
        note: 'sent it back',
        settledBy: { kind: 'person', email: console.users.staff.email },
      }),
    );
    expect(settled).toContainEqual(
      expect.objectContaining({
        transactionId: late,
        note: 'sold out',
        settledBy: { kind: 'person', email: console.users.owner.email },
      }),
    );
    expect((await list('', 'neighbour')).items).toEqual([]);
  });

  test('can be settled whatever request ids a client has chosen for its decisions', async () => {
    const expired = { action: 'advance_clock', seconds: 3_601 };
    const id = await after('LTC', { action: 'pay_partial' }, expired);
    const item = async () =>
      (await list('&kind=underpaid')).items.find((each: { transactionId: string }) => each.transactionId === id);
    const { revision } = await item();
    const late = { method: 'POST', path: `/merchant/payments/${id}/simulate`, body: { action: 'pay_late' } } as const;
    await console.call('owner', late);
    const { step: seenStep } = (await console.call('owner', { path: `/merchant/payments/${id}` })).data;
    // The prefix of decisions, and the rest of a settlement's event id.
    const requestId = `settled:underpaid:${revision + 1}`;
    const decision = { decision: 'dismiss', reason: 'sold out', seenStep, requestId };
    const path = `/merchant/payments/${id}/decisions`;
    expect((await console.call('owner', { method: 'POST', path, body: decision })).status).toBe(200);
    const open = await item();
    expect(open.revision).toBe(revision + 1);
    const body = { note: 'sent it back', amountCrypto: open.amountCrypto, revision: open.revision };
    expect((await settle(`${id}/underpaid`, body)).status).toBe(204);
  });

  test('are listed in pages, those whose coins are gone before older ones', async () => {
    const paid = await after('LTC', { action: 'pay' }, { action: 'confirm' });
    await sql`
      insert into attention_item (transaction_id, kind, merchant_id, mode, base_units, output_ids, raised_at)
      values (${paid}, 'coins_lost', ${console.merchantId}, 'test', 1, '[]', ${new Date()})`.execute(console.db);
    const whole: string[] = (await list()).items.map(({ transactionId }: { transactionId: string }) => transactionId);
    expect(whole[0]).toBe(paid);
    const first = await list('&limit=1');
    const second = await list(`&limit=100&cursor=${first.cursor}`);
    expect([...first.items, ...second.items].map(({ transactionId }) => transactionId)).toEqual(whole);
    expect(second.cursor).toBeNull();
  });

  test('have the order of their payment, like the list of payments', async () => {
    const body = { crypto: 'LTC', amount: 25, metadata: { order: '1001' } };
    const made = await console.api({ method: 'POST', path: '/transactions/create', body });
    const path = `/merchant/payments/${made.data.transaction_id}/simulate`;
    await console.call('owner', { method: 'POST', path, body: { action: 'pay_late' } });
    const { items } = await list('&kind=paid_late');
    const orders = items.map((item: { transactionId: string; orderId: string | null }) => [
      item.transactionId,
      item.orderId,
    ]);
    expect(orders).toContainEqual([made.data.transaction_id, '1001']);
  });

  test('reject invalid queries', async () => {
    const call = (query: string) => console.call('owner', { path: `/merchant/attention?${query}` });
    for (const query of ['', 'mode=prod', 'mode=test&kind=x', 'mode=test&show=all', 'mode=test&limit=0']) {
      expect(await call(query), query).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    }
    expect(await call('mode=test&cursor=x')).toMatchObject({ status: 400, error: 'INVALID_CURSOR' });
  });
});
