import { beforeAll, expect, test } from 'vitest';
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

  const emailOf = (role: string) => `${role}-${merchant().id}@shop.example`;
  beforeAll(async () => {
    const users = (['owner', 'staff'] as const).map((role) => {
      return { id: newId('usr'), merchant_id: merchant().id, email: emailOf(role), role, password_hash: 'none' };
    });
    await database().db.insertInto('merchant_user').values(users).execute();
  });
  const mails = () =>
    database()
      .db.selectFrom('mail')
      .select(['recipient', 'subject', 'text', 'next_try_at'])
      .where('merchant_id', '=', merchant().id)
      .orderBy('created_at')
      .execute();
  /** A late live payment. Decisions need no chain: it is the same in both modes. */
  const payLateLive = async () => {
    const payment = await payLate();
    await changeTransactions(database().db, { mode: 'live' }, { id: payment.id });
    return payment;
  };
  const decideLive = async ({ id, step }: { id: string; step: number }) => {
    const request = { method: 'POST', path: `/transactions/${id}/decision`, key: merchant().keys.sk_live } as const;
    const body = { action: 'mark_paid', reason: 'still here', seen_step: step };
    expect((await app().call({ ...request, body })).status).toBe(200);
  };
  const nextHour = () => Math.ceil((app().clock.now() + 1) / HOUR_MS) * HOUR_MS;
  const advanceTo = (moment: number) => app().clock.advance(moment - app().clock.now());

  test('sends the owners an email once an hour with the number of live payments decided with API keys', async () => {
    const decideTwice = async () => {
      const payment = await payLateLive();
      for (const _ of [1, 2]) await decideLive(payment);
    };
    const hour = nextHour();
    advanceTo(hour);

    const inTest = await payLate();
    await decide(inTest.id, { seen_step: inTest.step });
    expect(await mails()).toEqual([]);
    await decideTwice();
    expect(await mails()).toMatchObject([{ subject: 'A payment was decided with an API key' }]);
    await decideTwice();
    await decideTwice();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      recipient: emailOf('owner'),
      subject: '3 payments were decided with an API key',
      text: expect.stringContaining('revoke the key immediately'),
    });
    // Null once the worker of this app, which has no mail server, stores the mail unsent.
    expect([null, hour + HOUR_MS + 5 * MINUTE_MS]).toContain(mail?.next_try_at);

    app().clock.advance(HOUR_MS);
    await decideTwice();
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      '3 payments were decided with an API key',
      'A payment was decided with an API key',
    ]);
  });

  test('a decision in the last moment of an hour is mailed, also when its first response was lost', async () => {
    const { db } = database();
    advanceTo(nextHour());
    const end = nextHour();
    const payment = await payLateLive();
    advanceTo(end - 1);
    await decideLive(payment);
    // As if its mail, and with it the first response, had failed.
    await db.deleteFrom('mail').execute();
    advanceTo(end + MINUTE_MS);
    await decideLive(payment);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'A payment was decided with an API key',
      text: expect.stringContaining(`at ${new Date(end - HOUR_MS).toISOString().slice(11, 16)} UTC`),
    });
    expect([null, end + 5 * MINUTE_MS]).toContain(mail?.next_try_at);
  });

  test('a decision whose email failed is mailed although the mail of its hour was sent', async () => {
    const { db } = database();
    await db.deleteFrom('mail').execute();
    advanceTo(nextHour());
    const [counted, end] = [await payLateLive(), nextHour()];
    await decideLive(counted);
    const sentAs = await db.selectFrom('mail').select(['created_at', 'subject']).executeTakeFirstOrThrow();
    const failed = await payLateLive();
    advanceTo(end - MINUTE_MS);
    await decideLive(failed);
    // As if its mail had failed, so that the first one was sent.
    const sent = { state: 'sent', next_try_at: null, subject: sentAs.subject } as const;
    await db
      .updateTable('mail')
      .set({ ...sent, created_at: new Date(sentAs.created_at), sent_at: new Date(end + 5 * MINUTE_MS) })
      .execute();
    advanceTo(end + HOUR_MS);
    // However often either is repeated, it is mailed once.
    for (const _ of [1, 2]) {
      await decideLive(counted);
      await decideLive(failed);
      expect((await mails()).map(({ subject }) => subject)).toEqual([
        'A payment was decided with an API key',
        '2 payments were decided with an API key',
      ]);
    }
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
