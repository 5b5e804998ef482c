import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { changeTransactions } from '../../support/database/transaction-rows.ts';
import { expectProblem, useApp } from './support.ts';

describeDatabases('POST /transactions/{transaction_id}/decision', (database) => {
  const { app, merchant } = useApp(database);
  const key = () => merchant().keys.sk_test;
  const read = async (id: string) => {
    return (await app().call<{ data: TransactionView }>({ path: `/transactions/${id}`, key: key() })).body.data;
  };
  const decide = (id: string, body: object) =>
    app().call<{ data: TransactionView }>({
      method: 'POST',
      path: `/transactions/${id}/decision`,
      key: key(),
      body: { action: 'mark_paid', reason: 'still here', ...body },
    });
  const payLate = async () => {
    const { transaction_id: id } = await app().create(key());
    const { step } = await app().simulate(key(), id, 'pay_late');
    return { id, step: Number(step) };
  };

  test('decides on the seen state, and the same request again is the same decision', async () => {
    const { id, step } = await payLate();
    const decided = await decide(id, { seen_step: step });
    expect([decided.status, decided.body.data.status]).toEqual([200, 'completed']);
    expect(decided.body.data.step).toBeGreaterThan(step);
    const again = await decide(id, { seen_step: step });
    expect([again.status, again.body.data.status]).toEqual([200, 'completed']);
    const other = expectProblem(await decide(id, { action: 'dismiss', seen_step: step }), 409, 'INVALID_STATE');
    expect(other.message).toContain('this one is completed');
    const entries = await database()
      .db.selectFrom('audit_entry')
      .select(['what', 'who'])
      .where('subject_id', '=', id)
      .execute();
    expect(entries).toEqual([{ what: 'payment.marked_paid', who: expect.stringMatching(/^API key key_/) }]);
  });

  test('sends the owners a mail once an hour with the number of live payments decided with API keys', async () => {
    const { db } = database();
    const { id: merchantId, keys } = merchant();
    const people = (['owner', 'staff'] as const).map((role) => {
      const email = `${role}-${merchantId}@shop.example`;
      return { id: newId('usr'), merchant_id: merchantId, email, role, password_hash: 'none' };
    });
    await db.insertInto('merchant_user').values(people).execute();
    const mails = () =>
      db
        .selectFrom('mail')
        .select(['recipient', 'subject', 'text', 'next_try_at'])
        .where('merchant_id', '=', merchantId)
        .orderBy('created_at')
        .execute();
    const decideLive = async () => {
      const { id, step } = await payLate();
      // Decisions need no chain: a late payment is the same in both modes.
      await changeTransactions(db, { mode: 'live' }, { id });
      const request = { method: 'POST', path: `/transactions/${id}/decision`, key: keys.sk_live } as const;
      const body = { action: 'mark_paid', reason: 'still here', seen_step: step };
      for (const _ of [1, 2]) expect((await app().call({ ...request, body })).status).toBe(200);
    };
    const nextHour = Math.ceil((app().clock.now() + 1) / HOUR_MS) * HOUR_MS;
    app().clock.advance(nextHour - app().clock.now());

    const inTest = await payLate();
    await decide(inTest.id, { seen_step: inTest.step });
    expect(await mails()).toEqual([]);
    await decideLive();
    expect(await mails()).toMatchObject([{ subject: 'A payment was decided with an API key' }]);
    await decideLive();
    await decideLive();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      recipient: people[0]?.email,
      subject: '3 payments were decided with an API key',
      text: expect.stringContaining('revoke the key at once'),
    });
    // Null once the worker of this app, which has no mail server, stores the mail unsent.
    expect([null, nextHour + HOUR_MS + 5 * MINUTE_MS]).toContain(mail?.next_try_at);

    app().clock.advance(HOUR_MS);
    await decideLive();
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      '3 payments were decided with an API key',
      'A payment was decided with an API key',
    ]);
  });

  test('is rejected with the changes when the coins are different by now', async () => {
    const { id, step } = await payLate();
    await app().simulate(key(), id, 'double_spend');
    await app().simulate(key(), id, 'pay_late', { amount_crypto: 0.00000001 });
    const problem = expectProblem(await decide(id, { seen_step: step }), 409, 'INVALID_STATE');
    expect(problem.message).toContain('0.3125 LTC was replaced by another transaction');
    expect(problem.details).toMatchObject([{ field: 'seen_step' }]);
    expect(await read(id)).toMatchObject({ status: 'expired', exception: 'paid_late', amount_paid: 0.00000001 });
  });

  test('requires the step and a reason', async () => {
    const { id, step } = await payLate();
    for (const body of [
      {},
      { seen_step: 0 },
      { seen_step: '3' },
      { seen_step: step, reason: ' ' },
      { seen_step: step, by: 'me' },
    ]) {
      expectProblem(await decide(id, body), 400, 'INVALID_REQUEST');
    }
  });

  test('returns amounts as exact decimals in text, too', async () => {
    const { id } = await payLate();
    expect((await read(id)).amounts).toEqual({
      crypto: '0.3125',
      fiat: '25',
      usd: '25',
      paid: '0.3125',
      remaining: '0',
    });
  });
});
