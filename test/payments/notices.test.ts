import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../machines/index.ts';
import { LANGUAGES } from '../../src/http/checkout/languages/choose-language.ts';
import { claimDueEmails, settleEmail } from '../../src/mail/mail-queue.ts';
import { CUSTOMER_LANGUAGES } from '../../src/merchants/index.ts';
import { attentionOfPayment } from '../../src/payments/attention/list-attention.ts';
import { isTestAlert, OPERATOR_ALERT_QUEUE, settleAttention } from '../../src/payments/index.ts';
import type { ActorEvent } from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, SETTLES_MS, TERMS } from '../machines/transaction/terms.ts';
import { counting } from '../support/database/count-statements.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { confirmed, seen } from './support/output-events.ts';
import { createPaymentRun, type PaymentRun } from './support/payment-run.ts';
import { settleDeps } from './support/settle-deps.ts';

const LIVE = { mode: 'live', network: 'litecoin-mainnet' } as const;
const FIRST = 'Your first live payment is complete';
const LATE = 'A payment arrived late';

describeDatabases('notices about payments', (database) => {
  let payments: PaymentRun;

  beforeEach(async () => {
    const { db } = database();
    for (const table of ['mail', 'merchant_user'] as const) await db.deleteFrom(table).execute();
    payments = await createPaymentRun(database());
    await db.updateTable('merchant').set({ first_paid_at: null, settings: '{}' }).execute();
    await addUser('ann@shop.example', {});
    await addUser('bob@shop.example', { role: 'staff' });
    await addUser('invited@shop.example', { password_hash: null });
    await addUser('gone@shop.example', { disabled_at: new Date() });
  });

  async function addUser(email: string, changes: object): Promise<void> {
    const user = { id: newId('usr'), merchant_id: TERMS.merchantId, email, role: 'owner', password_hash: '-' } as const;
    await database()
      .db.insertInto('merchant_user')
      .values({ ...user, ...changes })
      .execute();
  }
  const mails = async () => {
    const query = database().db.selectFrom('mail').select(['subject', 'recipient', 'text']);
    return query.orderBy('created_at').orderBy('subject').orderBy('recipient').execute();
  };
  const subjects = async () => {
    const all = await mails();
    return all.filter(({ recipient }) => recipient.startsWith('ann')).map(({ subject }) => subject);
  };
  const switchOff = (setting: string) =>
    database()
      .db.updateTable('merchant')
      .set({ settings: JSON.stringify({ [setting]: false }) })
      .execute();
  async function pay(terms: object, details: object = {}): Promise<string> {
    const id = await payments.start(terms, details);
    await payments.play(id, [seen('a', 1, DUE), confirmed('a', 2, DUE)]);
    return id;
  }

  test('of the first live payment are mailed once to all users who can sign in', async () => {
    await pay({});
    await pay({ ...LIVE, type: 'billing' });
    expect(await mails()).toEqual([]);
    const id = await pay(LIVE, { orderId: 'order 7' });
    const first = await mails();
    expect(first.map(({ subject, recipient }) => [subject, recipient])).toEqual([
      [FIRST, 'ann@shop.example'],
      [FIRST, 'bob@shop.example'],
    ]);
    expect(first[0]?.text).toContain(`Order: order 7\nPrice: 0.09 EUR\nDue: 0.001 LTC\nArrived: 0.001 LTC`);
    expect(first[0]?.text).toContain(`https://pay.example/console/payments/${id}`);
    await database().db.deleteFrom('mail').execute();
    await pay(LIVE);
    expect(await mails()).toEqual([]);
  });

  test('of two first payments that complete at once mention one', async () => {
    const ids = [await payments.start(LIVE), await payments.start(LIVE)];
    await Promise.all(ids.map((id) => payments.play(id, [seen('a', 1, DUE), confirmed('a', 2, DUE)])));
    expect(await subjects()).toEqual([FIRST]);
  });

  test('of late payments are mailed once each, and never in test mode', async () => {
    const late = [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)];
    await payments.play(await payments.start(), late);
    expect(await mails()).toEqual([]);
    const id = await payments.start(LIVE);
    await payments.play(id, late);
    expect(await subjects()).toEqual([LATE]);
    // Coins that are lost and come back, and more coins, raise the same item again.
    const dropped = { ...seen('a', 2, DUE, CLOSES_AT + 1), type: 'chain.output_dropped', reason: 'evicted' };
    await payments.play(id, [dropped, seen('a', 3, DUE, CLOSES_AT + 1), seen('b', 4, 5n, CLOSES_AT + 2)]);
    expect(await subjects()).toEqual([LATE]);
    await payments.play(await payments.start(LIVE), late);
    expect(await subjects()).toEqual([LATE, LATE]);
  });

  test('of coins that came after a decision are mailed as well', async () => {
    const id = await payments.start(LIVE);
    await payments.play(id, [CLOSED, seen('dust', 1, 1n, CLOSES_AT + 1), { type: 'merchant.dismissed', by: 'usr_1' }]);
    expect(await subjects()).toEqual([LATE]);
    await payments.play(id, [seen('all', 2, DUE, CLOSES_AT + 60_000)]);
    expect(await subjects()).toEqual([LATE, LATE]);
  });

  test('of coins that arrived in time and were confirmed after the payment had failed do not say that they arrived late', async () => {
    const dueAt = CLOSES_AT - 1 + DEADLINE_MS;
    const failed = [seen('a', 1, DUE), CLOSED, { type: 'timer.confirmation_deadline_passed', dueAt }];
    const id = await payments.start(LIVE);
    await payments.play(id, [...failed, confirmed('a', 2, DUE)]);
    expect(await subjects()).toEqual(['A payment was confirmed late']);
    const [mail] = await mails();
    expect(mail?.text).toContain('arrived in time');
    expect(mail?.text).not.toContain('after the payment window closed');
    await database().db.deleteFrom('mail').execute();
    // Together with others that did arrive late.
    const both = await payments.start(LIVE);
    await payments.play(both, [...failed, seen('b', 3, DUE, CLOSES_AT + 1)]);
    expect(await subjects()).toEqual([LATE]);
  });

  test('of coins of which only some arrived in time say so, to the shop and to the customer', async () => {
    await database()
      .db.updateTable('merchant')
      .set({ settings: JSON.stringify({ mailCustomerLate: true }) })
      .execute();
    const deadline = { type: 'timer.confirmation_deadline_passed', dueAt: CLOSES_AT - 1 + DEADLINE_MS };
    const id = await payments.start(LIVE, { customerEmail: 'eve@mail.example' });
    await payments.play(id, [seen('a', 1, DUE), CLOSED, seen('b', 2, DUE / 20n, CLOSES_AT + 1), deadline]);
    // In one block, so in one batch.
    const both = [confirmed('b', 3, DUE / 20n, CLOSES_AT + 1), confirmed('a', 4, DUE)];
    await Promise.all(both.map((event) => payments.play(id, [event])));
    const sent = await mails();
    expect(sent.map(({ recipient, subject }) => `${recipient} ${subject}`)).toEqual([
      'ann@shop.example A payment was late',
      'bob@shop.example A payment was late',
      `eve@mail.example Your payment to ${TERMS.merchantId} was late`,
    ]);
    for (const { text } of sent)
      expect(text).toMatch(/arrived after the payment window closed\. (The o|O)thers arrived in/);
  });

  test('that advise to give coins back say when these are not confirmed yet', async () => {
    const late = [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)];
    await payments.play(await payments.start(LIVE), late);
    expect((await mails())[0]?.text).toContain('can still take them back');
    await database().db.deleteFrom('mail').execute();
    await payments.play(await payments.start(LIVE), [seen('a', 1, 400n), confirmed('a', 2, 400n), CLOSED]);
    const [mail] = await mails();
    expect(mail?.text).toContain('refund the coins');
    expect(mail?.text).not.toContain('can still take them back');
  });

  test('of live payments that an operator decided are mailed to the owners, once an hour', async () => {
    const decided = 'An operator of the service decided a payment';
    const dismiss = async (id: string, by: string) => {
      await payments.play(id, [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)]);
      const event = { type: 'merchant.dismissed', by, reason: 'asked by phone' };
      await payments.engine.deliver({
        actorId: id,
        eventId: by === 'usr_operator' ? 'operator:1' : 'merchant:1',
        event,
      });
    };
    await dismiss(await payments.start(LIVE), 'usr_ann');
    await dismiss(await payments.start(), 'usr_operator');
    expect(await subjects()).toEqual([LATE]);
    const id = await payments.start(LIVE);
    await dismiss(id, 'usr_operator');
    await dismiss(await payments.start(LIVE), 'usr_operator');
    const about = (await mails()).filter(({ subject }) => subject === decided);
    expect(about.map(({ recipient }) => recipient)).toEqual(['ann@shop.example']);
    expect(about[0]?.text).toContain(id);
    const later = await payments.start(LIVE);
    payments.clock.advance(HOUR_MS);
    await dismiss(later, 'usr_operator');
    expect((await subjects()).filter((subject) => subject === decided)).toHaveLength(2);
  });

  test('of a first payment wait for real coins: not of a test network, and not accepted by hand', async () => {
    await pay({ ...LIVE, network: 'litecoin-regtest' });
    const late = [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)];
    await payments.play(await payments.start(LIVE), [...late, { type: 'merchant.marked_paid', by: 'usr_1' }]);
    expect(await subjects()).toEqual([LATE]);
    await pay(LIVE);
    expect((await subjects()).toSorted()).toEqual([LATE, FIRST]);
  });

  describe('of coins that left the chain after a completion', () => {
    const GONE = 'Coins of a paid order have disappeared';
    const lost = (name: string, order: number, amount = DUE, reason = 'reorged'): ActorEvent => {
      return { ...seen(name, order, amount), type: 'chain.output_dropped', reason };
    };
    const take = () => claimDueEmails(database().db, { now: payments.clock.now(), leaseMs: DAY_MS, limit: 50 });
    /** What a mail worker takes now, of the emails to one user. */
    const sentNow = async () =>
      (await take()).filter(({ recipient, subject }) => recipient.startsWith('ann') && subject === GONE);
    const amounts = (sent: readonly { text: string }[]) => sent.map(({ text }) => /Arrived: (.*)/.exec(text)?.[1]);
    const wait = (ms: number) => payments.clock.advance(ms);

    test('are mailed once the loss has lasted, each time they do', async () => {
      const id = await payments.start(LIVE);
      await payments.play(id, [seen('a', 1, DUE), confirmed('a', 2, DUE)]);
      for (const order of [3, 5]) {
        await payments.play(id, [lost('a', order)]);
        wait(SETTLES_MS - 1);
        expect(await sentNow()).toEqual([]);
        wait(1);
        expect(await sentNow()).toHaveLength(1);
        await payments.play(id, [confirmed('a', order + 1, DUE)]);
        wait(HOUR_MS);
        expect(await sentNow()).toEqual([]);
      }
    });

    test('are not mailed when they come back, in part or in full, and then count anew', async () => {
      const [half, id] = [DUE / 2n, await payments.start(LIVE)];
      await payments.play(id, [confirmed('a', 1, half), confirmed('b', 2, half)]);
      await payments.play(id, [lost('a', 3, half)]);
      wait(SETTLES_MS - 1);
      await payments.play(id, [confirmed('a', 4, half)]);
      wait(SETTLES_MS);
      await payments.play(id, [lost('a', 5, half)]);
      wait(SETTLES_MS - 1);
      // The mail says what is left when it is sent, and waits no longer for what goes later.
      await payments.play(id, [lost('b', 6, half)]);
      expect(await sentNow()).toEqual([]);
      wait(1);
      expect(amounts(await sentNow())).toEqual(['0 LTC']);
      await payments.play(id, [seen('b', 7, half)]);
      wait(HOUR_MS);
      expect(await sentNow()).toEqual([]);
    });

    test('are not mailed when they come back after a first attempt that the server put off', async () => {
      const { db } = database();
      const putOff = async () => {
        const now = payments.clock.now();
        const verdict = { state: 'queued', nextTryAt: now + MINUTE_MS, reason: 'greylisted' } as const;
        for (const mail of await take()) await settleEmail(db, mail, verdict, now);
      };
      const [half, id] = [DUE / 2n, await payments.start(LIVE)];
      await payments.play(id, [confirmed('a', 1, half), confirmed('b', 2, half), lost('a', 3, half)]);
      wait(SETTLES_MS);
      await putOff();
      expect(await subjects()).toContain(GONE);
      // The next attempt says what is left by then.
      await payments.play(id, [lost('b', 4, half)]);
      const written = (await mails()).filter(
        ({ subject, recipient }) => subject === GONE && recipient.startsWith('ann'),
      );
      expect(amounts(written)).toEqual(['0 LTC']);
      await putOff();
      await payments.play(id, [confirmed('a', 5, half), confirmed('b', 6, half)]);
      expect(await subjects()).not.toContain(GONE);
    });

    test('of coins that another transaction spent are mailed at once', async () => {
      const [half, id] = [DUE / 2n, await payments.start(LIVE)];
      // Before the payment was completed, the fee of one was raised.
      const [first, raised] = [seen('a', 1, half), { ...confirmed('b', 3, half), spends: ['coin:0'] }];
      await payments.play(id, [{ ...first, spends: ['coin:0'] }, lost('a', 2, half, 'replaced'), raised]);
      await payments.play(id, [confirmed('c', 4, half), lost('b', 5, half)]);
      expect(await sentNow()).toEqual([]);
      await payments.play(id, [lost('c', 6, half, 'replaced')]);
      expect(amounts(await sentNow())).toEqual(['0 LTC']);

      const accepted = await payments.start(LIVE);
      await payments.play(accepted, [CLOSED, seen('d', 1, DUE, CLOSES_AT + 1)]);
      await payments.play(accepted, [{ type: 'merchant.marked_paid', by: 'usr_1' }, lost('d', 2, DUE, 'replaced')]);
      expect(await sentNow()).toHaveLength(1);
    });

    test('are not mailed when they come back and were too many', async () => {
      const id = await payments.start(LIVE);
      await payments.play(id, [confirmed('a', 1, 2n * DUE), lost('a', 2, 2n * DUE), confirmed('a', 3, 2n * DUE)]);
      wait(SETTLES_MS);
      expect(await sentNow()).toEqual([]);
    });

    test('are not mailed when a user settles it meanwhile', async () => {
      const { db } = database();
      const id = await payments.start(LIVE);
      await payments.play(id, [confirmed('a', 1, DUE), lost('a', 2)]);
      const [item] = await attentionOfPayment(db, id);
      if (item === undefined) throw new Error('nothing is open');
      const { kind, amountCrypto, revision } = item;
      const request = { merchantId: TERMS.merchantId, transactionId: id, kind, amountCrypto, revision };
      const deps = settleDeps(db, payments.engine, payments.clock.now());
      await settleAttention(deps, { ...request, note: 'Paid again', by: 'usr_1' });
      wait(SETTLES_MS);
      expect(await sentNow()).toEqual([]);
    });
  });

  test('of anything else that needs attention name what to do', async () => {
    const partly = await payments.start(LIVE);
    await payments.play(partly, [seen('a', 1, 400n), CLOSED]);
    const overpaid = await payments.start(LIVE);
    await payments.play(overpaid, [seen('a', 1, DUE * 2n), confirmed('a', 2, DUE * 2n)]);
    expect((await subjects()).toSorted()).toEqual(['A customer paid too much', 'A payment ended underpaid', FIRST]);
  });

  test.each([
    ['mailFirstPayment', FIRST],
    ['mailLatePayment', LATE],
    ['mailNeedsAttention', 'A payment ended underpaid'],
  ])('are not mailed once %s is off, and then not later either', async (setting, subject) => {
    await switchOff(setting);
    await pay(LIVE);
    await payments.play(await payments.start(LIVE), [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)]);
    await payments.play(await payments.start(LIVE), [seen('a', 1, 400n), CLOSED]);
    const all = await subjects();
    expect(all).toHaveLength(2);
    expect(all).not.toContain(subject);
  });

  test('to customers are sent once each in the language of the shop, if it has switched them on', async () => {
    const details = { customerEmail: 'eve@mail.example', orderId: 'order 7' };
    const late = [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)];
    const toCustomers = async () => {
      const query = database().db.selectFrom('mail').selectAll().where('recipient', '=', details.customerEmail);
      return query.orderBy('dedupe_key').execute();
    };
    await pay(LIVE, details);
    await payments.play(await payments.start(LIVE, details), late);
    expect(await toCustomers()).toEqual([]);
    const brand = { logo: 'f'.repeat(64), brandColour: '#ffd21f', supportContact: 'help@shop.example' };
    const settings = { mailCustomerReceipt: true, mailCustomerLate: true, customerLanguage: 'de', ...brand };
    await database()
      .db.updateTable('merchant')
      .set({ settings: JSON.stringify(settings) })
      .execute();
    await pay({}, details);
    await pay(LIVE);
    expect(await toCustomers()).toEqual([]);
    const paid = await pay(LIVE, details);
    const [receipt] = await toCustomers();
    expect(receipt).toMatchObject({ from_name: TERMS.merchantId, actor_id: paid, state: 'queued' });
    expect(receipt?.subject).toBe(`Beleg für Ihre Zahlung an ${TERMS.merchantId}`);
    expect(receipt?.text).toContain(`Bestellung: order 7\nPreis: 0.09 EUR\nEingegangen: 0.001 LTC`);
    expect(receipt?.text).toContain(`https://pay.example/transaction/${paid}?lang=de`);
    expect(receipt?.text).toContain('Hilfe: help@shop.example');
    expect(receipt?.html).toContain(`<img src="https://pay.example/images/${brand.logo}"`);
    expect(receipt?.html).toContain('background:#ffd21f;color:#000000');
    // A bounce reaches the payment, which has no use for it.
    expect(await payments.play(paid, [{ type: 'mail.bounced' }])).toEqual(['ignored']);
    await database().db.deleteFrom('mail').execute();
    const id = await payments.start(LIVE, details);
    await payments.play(id, [...late, { type: 'merchant.marked_paid', by: 'usr_1' }]);
    expect((await toCustomers()).map(({ subject }) => subject)).toEqual([
      `Ihre Zahlung an ${TERMS.merchantId} ist verspätet eingegangen`,
      `Beleg für Ihre Zahlung an ${TERMS.merchantId}`,
    ]);
  });

  test('to customers about late coins say what happened, and nothing to those who have sent next to nothing', async () => {
    await database()
      .db.updateTable('merchant')
      .set({ settings: JSON.stringify({ mailCustomerLate: true, mailLatePayment: false }) })
      .execute();
    const details = { customerEmail: 'eve@mail.example' };
    const toCustomer = async () => (await mails()).filter(({ recipient }) => recipient.startsWith('eve'));
    const dusted = await payments.start(LIVE, details);
    await payments.play(dusted, [CLOSED, seen('dust', 1, 1n, CLOSES_AT + 1)]);
    expect(await toCustomer()).toEqual([]);
    await payments.play(dusted, [seen('all', 2, DUE, CLOSES_AT + 2)]);
    expect((await toCustomer()).map(({ text }) => text)).toEqual([
      expect.stringContaining('arrived after the payment window closed'),
    ]);
    await database().db.deleteFrom('mail').execute();
    const dueAt = CLOSES_AT - 1 + DEADLINE_MS;
    await payments.play(await payments.start(LIVE, details), [
      seen('a', 1, DUE),
      CLOSED,
      { type: 'timer.confirmation_deadline_passed', dueAt },
      confirmed('a', 2, DUE),
    ]);
    expect((await toCustomer()).map(({ text }) => text)).toEqual([expect.stringContaining('arrived in time')]);
  });

  test('of lost coins alert operators, and of simulated ones they can practise with the alert', async () => {
    const { db } = database();
    for (const table of ['operator_alert', 'outbox_message'] as const) await db.deleteFrom(table).execute();
    const lose = async (terms: object) => {
      const id = await payments.start(terms);
      const dropped = { ...seen('a', 3, DUE), type: 'chain.output_dropped', reason: 'reorged' };
      await payments.play(id, [seen('a', 1, DUE), confirmed('a', 2, DUE), dropped]);
      return id;
    };
    const test = await lose({ network: 'simulated-litecoin' });
    const live = await lose(LIVE);
    const alert = 'completed_payment_lost';
    const rows = sql`select actor_id, alert, ${isTestAlert} as is_test from operator_alert order by id`;
    expect((await rows.execute(db)).rows).toEqual([
      { actor_id: test, alert, is_test: true },
      { actor_id: live, alert, is_test: false },
    ]);
    // Only the live one is logged, which a message asks for.
    const messages = db.selectFrom('outbox_message').select('data').where('queue', '=', OPERATOR_ALERT_QUEUE);
    expect((await messages.execute()).map(({ data }) => data)).toEqual([expect.objectContaining({ actorId: live })]);
  });

  test('are stored and not sent while the merchant awaits approval', async () => {
    const settings = JSON.stringify({ mailCustomerReceipt: true });
    await database().db.updateTable('merchant').set({ settings, approval_pending_since: new Date() }).execute();
    await pay(LIVE, { customerEmail: 'eve@mail.example' });
    await database().db.updateTable('merchant').set({ approval_pending_since: null }).execute();
    const states = database().db.selectFrom('mail').select('state').where('actor_id', 'is not', null);
    expect(await states.execute()).toEqual([{ state: 'stored' }]);
  });

  test('have texts in every language of the payment page', () => {
    expect(CUSTOMER_LANGUAGES).toEqual(LANGUAGES);
  });

  test('cost the commits of a payment nothing but one statement where it completes', async () => {
    await pay(LIVE);
    const counts = { test: [] as number[], live: [] as number[] };
    for (const mode of ['test', 'live'] as const) {
      const { db, statements } = counting(database().db);
      const run = await createPaymentRun({ db });
      const id = await run.start({ mode });
      for (const event of [seen('a', 1, DUE), confirmed('a', 2, DUE)]) {
        const before = statements();
        await run.play(id, [{ ...event, outputId: `${mode}:0` } as ActorEvent]);
        counts[mode].push(statements() - before);
      }
    }
    const [seenCost = 0, completedCost = 0] = counts.test;
    expect(counts.live).toEqual([seenCost, completedCost + 1]);
  });
});

// Helpers

const CLOSED: ActorEvent = { type: 'timer.window_closed', dueAt: CLOSES_AT };
