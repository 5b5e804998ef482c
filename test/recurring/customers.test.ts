import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS, FORGET_AFTER_MS, HOUR_MS, MINUTE_MS, PAYABLE_AFTER_END_MS, SECOND_MS } from '../../machines/index.ts';
import type { Schedule, SchedulePeriod } from '../../src/client/index.ts';
import { queueEmails } from '../../src/mail/index.ts';
import { readJournal } from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { reportExcess } from '../../src/recurring/projection/excess.ts';
import { readStoredSchedules, storedScheduleOf } from '../../src/recurring/projection/stored-schedules.ts';
import { MAX_TEST_EMAILS } from '../../src/recurring/projection/test-emails.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';
import { shownToCustomer } from '../support/service/shown-to-customer.ts';
import { MONTHLY } from './requests.ts';

const PURPOSES = ['confirm', 'stop', 'pay'] as const;
/** Can sign in for the merchant. */
const USER = 'ann@shop.example';

describeDatabases('the customer links in the emails of a schedule', (database) => {
  let app: TestApp;
  let merchant: TestMerchant;
  beforeAll(async () => {
    app = await startApp({ connection: database() });
    merchant = await app.addMerchant();
    const user = {
      id: newId('usr'),
      merchant_id: merchant.id,
      email: USER,
      role: 'owner',
      password_hash: '-',
    } as const;
    await database().db.insertInto('merchant_user').values(user).execute();
  });
  afterAll(() => app?.stop());

  async function create(body: object = {}): Promise<string> {
    const response = await app.call<{ data: Schedule }>({
      method: 'POST',
      path: '/recurring/create',
      key: merchant.keys.sk_test,
      body: { ...MONTHLY, ...body },
    });
    return response.body.data.schedule_id;
  }
  const get = async (id: string) =>
    (await app.call<{ data: Schedule }>({ path: `/recurring/${id}`, key: merchant.keys.sk_test })).body.data;
  const periods = async (id: string) => {
    const path = `/recurring/${id}/periods`;
    const response = await app.call<{ data: { periods: SchedulePeriod[] } }>({ path, key: merchant.keys.sk_test });
    return response.body.data.periods;
  };
  const simulate = (id: string, body: object) =>
    app.call({ method: 'POST', path: `/recurring/${id}/simulate`, key: merchant.keys.sk_test, body });
  /** The links in all emails of a schedule, by purpose. */
  async function linksOf(id: string): Promise<Record<string, string>> {
    const { db } = app.connection;
    const mails = await db.selectFrom('mail').select('text').where('actor_id', '=', id).execute();
    const found = mails.flatMap(({ text }) => [...text.matchAll(/https:\S+\/recurring\/(\w+)\/[0-9a-f]{32}/g)]);
    return Object.fromEntries(found.map(([url, purpose]) => [purpose, url]));
  }
  async function confirmed(body: object = {}): Promise<{ id: string; links: Record<string, string>; payUrl: string }> {
    const id = await create(body);
    const first = await linksOf(id);
    expect((await app.post(first.confirm ?? '')).status).toBe(303);
    const links = await linksOf(id);
    return { id, links, payUrl: links.pay ?? '' };
  }
  async function openPayment(payUrl: string, crypto = 'LTC'): Promise<string> {
    const response = await app.post(payUrl, { crypto });
    expect(response.status).toBe(303);
    const id = /transaction\/(txn_\w+)$/.exec(response.location ?? '')?.[1] ?? '';
    expect((await shownToCustomer(app, id)).title).toBe(MONTHLY.description);
    return id;
  }
  async function payInFull(id: string): Promise<void> {
    await app.simulate(merchant.keys.sk_test, id, 'pay');
    await app.simulate(merchant.keys.sk_test, id, 'confirm');
  }
  /** The operator alerts about a payment, and the emails to the merchant's user that name it. */
  async function excessReportsOf(id: string) {
    const { db } = app.connection;
    const alerts = await db.selectFrom('operator_alert').select('alert').where('actor_id', '=', id).execute();
    const mails = await db.selectFrom('mail').select(['subject', 'text']).where('recipient', '=', USER).execute();
    const about = mails.filter(({ text }) => text.includes(id));
    return { alerts: alerts.map(({ alert }) => alert), mails: about.map(({ subject }) => subject) };
  }

  /** Resolves when the message of a payment has reached its schedule, which was done before. */
  async function isMissed(id: string, transactionId: string): Promise<void> {
    await vi.waitFor(async () => {
      const journal = await readJournal(app.connection.db, id);
      const entry = journal.find(({ eventId }) => eventId === `payment:${transactionId}`);
      expect(entry?.outcome).toBe('ignored');
    }, POLLING);
  }

  test('rule 47: a GET changes nothing, and each link does one thing', async () => {
    const { id, links } = await confirmed();
    const before = await get(id);
    for (const shown of PURPOSES) {
      const url = links[shown] ?? '';
      for (const used of PURPOSES) {
        const { status } = await app.open(url.replace(`/${shown}/`, `/${used}/`));
        expect([shown, used, status]).toEqual([shown, used, shown === used ? 200 : 404]);
        if (shown === used) continue;
        expect((await app.post(url.replace(`/${shown}/`, `/${used}/`), { crypto: 'LTC' })).status).toBe(404);
      }
    }
    expect(await get(id)).toEqual(before);
    expect((await periods(id))[0]?.attempts).toEqual([]);
  });

  test('after the consent, the page leads to the payment that is due, until coins for it arrive', async () => {
    const { links, payUrl } = await confirmed();
    const shown = async () => (await app.open(links.confirm ?? '')).text;
    expect(await shown()).toContain(`href="${payUrl}?lang=en"`);
    expect(await shown()).toContain('Your first payment is due now. We have emailed you the link.');
    await payInFull(await openPayment(payUrl));
    expect(await shown()).not.toContain('due now');
    expect(await shown()).not.toContain(payUrl);
  });

  test('tokens are stored as hashes, and tokens of sent emails nowhere else', async () => {
    const { id, links } = await confirmed();
    const { db } = app.connection;
    const tokens = Object.values(links).map((url) => url.slice(-32));
    const stored = await db.selectFrom('schedule_token').selectAll().where('schedule_id', '=', id).execute();
    expect(stored).toHaveLength(3);
    const journal = await db.selectFrom('journal_entry').selectAll().where('actor_id', '=', id).execute();
    const actor = await db.selectFrom('actor').selectAll().where('id', '=', id).execute();
    const everything = JSON.stringify([stored, journal, actor]);
    for (const token of tokens) expect(everything).not.toContain(token);
    // Nor the customer's address.
    expect(everything).not.toContain(MONTHLY.customer_email);
  });

  test('stop works before and after confirm, once', async () => {
    const early = await create();
    expect((await app.post((await linksOf(early)).stop ?? '')).status).toBe(200);
    expect(await get(early)).toMatchObject({ status: 'stopped_by_customer', confirmed_at: null });
    expect((await app.post((await linksOf(early)).confirm ?? '')).status).toBe(303);
    expect((await get(early)).status).toBe('stopped_by_customer');

    const { id, links } = await confirmed();
    for (let times = 0; times < 2; times += 1) {
      expect((await app.post(links.stop ?? '', { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    }
    expect((await get(id)).status).toBe('stopped_by_customer');
    const events = await app.connection.db
      .selectFrom('webhook_event')
      .select('body')
      .where('event', '=', 'recurring.stopped')
      .execute();
    expect(events.filter(({ body }) => body.includes(id))).toHaveLength(1);
  });

  test('twenty concurrent presses open one payment for each coin', async () => {
    const { id, payUrl } = await confirmed();
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, index) => openPayment(payUrl, index % 2 === 0 ? 'LTC' : 'BTC')),
    );
    expect(new Set(opened).size).toBe(2);
    expect((await periods(id))[0]?.attempts.toSorted()).toEqual([...new Set(opened)].toSorted());
  });

  test('only the coin of the schedule is accepted, if it has one', async () => {
    const { payUrl } = await confirmed({ crypto: 'LTC' });
    expect((await app.post(payUrl, { crypto: 'BTC' })).status).toBe(400);
    expect((await app.post(payUrl, { crypto: 'nonsense' })).status).toBe(400);
    expect((await app.post(payUrl, {})).status).toBe(400);
    expect(await openPayment(payUrl, 'LTC')).toMatch(/^txn_/);
  });

  test('an expired quote is replaced by a new one, and a payment with money in progress is not', async () => {
    const { id, payUrl } = await confirmed({ metadata: { plan: 'gold' }, success_url: 'https://shop.example/thanks' });
    const first = await openPayment(payUrl);
    await app.simulate(merchant.keys.sk_test, first, 'advance_clock', { seconds: 3_600 });
    const second = await openPayment(payUrl);
    expect(second).not.toBe(first);
    const { body } = await app.call<{ data: Record<string, unknown> }>({
      path: `/transactions/${second}`,
      key: merchant.keys.sk_test,
    });
    expect(body.data).toMatchObject({
      metadata: { plan: 'gold', schedule_id: id, period_no: 1 },
      success_url: 'https://shop.example/thanks',
      cancel_url: payUrl,
      customer_email: MONTHLY.customer_email,
      amount_fiat: 25,
    });
    await app.simulate(merchant.keys.sk_test, second, 'pay_partial');
    expect(await openPayment(payUrl, 'BTC')).toBe(second);
    expect((await app.open(payUrl)).text).toContain(second);
  });

  test('rule 52: a period that is paid twice counts once, and what is too much is marked', async () => {
    const { id, payUrl } = await confirmed();
    const [kept, given] = [await openPayment(payUrl, 'LTC'), await openPayment(payUrl, 'BTC')];
    await payInFull(kept);
    await vi.waitFor(async () => expect((await periods(id))[0]?.status).toBe('paid'), POLLING);
    await payInFull(given);
    await vi.waitFor(async () => {
      expect((await periods(id))[0]).toMatchObject({ transaction_id: kept, excess_transaction_ids: [given] });
    }, POLLING);
    // Test coins are nothing to give back; test/recurring/excess.test.ts has live ones.
    expect(await excessReportsOf(given)).toEqual({ alerts: [], mails: [] });
    const { db } = app.connection;
    const sent = await db
      .selectFrom('webhook_event')
      .select('body')
      .where('event', '=', 'recurring.payment.completed')
      .execute();
    expect(sent.filter(({ body }) => body.includes(id))).toHaveLength(1);
    expect((await app.post(payUrl, { crypto: 'LTC' })).status).toBe(409);
    expect((await app.open(payUrl)).text).toContain(kept);
  });

  test('a paid period whose coins have left the network shows that, and its next payment is not to be refunded', async () => {
    const { id, payUrl } = await confirmed();
    const paid = await openPayment(payUrl);
    await payInFull(paid);
    await vi.waitFor(async () => expect((await periods(id))[0]?.status).toBe('paid'), POLLING);
    const { db } = app.connection;
    await db.updateTable('transaction_status').set({ loss: 'gone' }).where('id', '=', paid).execute();
    const { text } = await app.open(payUrl);
    expect(text).toContain('no longer on the network');
    expect(text).toContain(paid);
    const excess = { transactionId: newId('txn'), scheduleId: id, periodNo: 1, at: app.clock.now() };
    await db.transaction().execute(async (trx) => {
      const stored = storedScheduleOf(await readStoredSchedules(trx, [id]), id);
      await reportExcess(trx, [excess], new Map([[id, { ...stored, mode: 'live' }]]));
    });
    const mails = await db.selectFrom('mail').select('text').where('recipient', '=', USER).execute();
    expect(mails.map((mail) => mail.text).find((each) => each.includes(excess.transactionId))).toContain(
      'Do not refund the second payment',
    );
  });

  test('emails of a test clock beyond a limit a day and login are stored, not sent', async () => {
    const { db } = app.connection;
    const customer_email = 'bob@shop.example';
    await db
      .insertInto('merchant_user')
      .values({ id: newId('usr'), merchant_id: merchant.id, email: customer_email, role: 'staff', password_hash: '-' })
      .execute();
    const { id } = await confirmed({ customer_email, interval: 'weekly' });
    const mails = () => db.selectFrom('mail').select('state').where('actor_id', '=', id);
    const { length: before } = await mails().execute();
    const sent = Array.from({ length: MAX_TEST_EMAILS - before - 1 }, (_, index) => ({
      merchantId: merchant.id,
      recipient: customer_email,
      actorId: id,
      subject: '',
      text: '',
      html: '',
      dedupeKey: `sent:${id}:${index}`,
      createdAt: app.clock.now(),
    }));
    await db.transaction().execute((trx) => queueEmails(trx, sent));
    await sql`update mail set state = 'sent', sent_at = created_at, next_try_at = null where actor_id = ${id}`.execute(
      db,
    );
    await simulate(id, { action: 'advance_clock', seconds: (60 * DAY_MS) / SECOND_MS });
    const states = (await mails().execute()).map(({ state }) => state);
    expect(states.filter((state) => state === 'stored').length).toBeGreaterThan(5);
    expect(states.filter((state) => state === 'queued').length).toBeLessThanOrEqual(1);
  });

  test('after the end no payment is opened, and open payments still count', async () => {
    const { id, links, payUrl } = await confirmed();
    const open = await openPayment(payUrl);
    await app.post(links.stop ?? '');
    expect((await app.post(payUrl, { crypto: 'BTC' })).status).toBe(409);
    await payInFull(open);
    await vi.waitFor(async () => expect((await periods(id))[0]?.transaction_id).toBe(open), POLLING);
    expect((await get(id)).status).toBe('stopped_by_customer');
  });

  test('the last period can be paid late like every other', async () => {
    const { id, payUrl } = await confirmed({ max_periods: 1 });
    await simulate(id, { action: 'advance_clock', to: new Date(app.clock.now() + 9 * DAY_MS).toISOString() });
    expect(await get(id)).toMatchObject({ status: 'cancelled', end_reason: 'finished' });
    await payInFull(await openPayment(payUrl));
    await vi.waitFor(async () => expect((await periods(id))[0]?.status).toBe('paid'), POLLING);
  });

  test('a period cannot be paid late without limit', async () => {
    const { id, payUrl } = await confirmed({ max_periods: 1 });
    await simulate(id, {
      action: 'advance_clock',
      to: new Date(app.clock.now() + 8 * DAY_MS + PAYABLE_AFTER_END_MS).toISOString(),
    });
    expect((await app.post(payUrl, { crypto: 'LTC' })).status).toBe(409);
  });

  test('payments of schedules count once, whichever of many the merchant completes', async () => {
    const { id, payUrl } = await confirmed();
    const late = await openPayment(payUrl);
    await app.simulate(merchant.keys.sk_test, late, 'pay_late');
    // The merchant has to decide about late coins, so the customer is not asked for more.
    expect(await openPayment(payUrl, 'BTC')).toBe(late);
    await simulate(id, { action: 'advance_clock', to: new Date(app.clock.now() + 9 * DAY_MS).toISOString() });
    expect((await periods(id))[0]?.status).toBe('unpaid');
    await app.decide(late, 'merchant.marked_paid');
    await vi.waitFor(async () => {
      expect((await periods(id))[0]).toMatchObject({ status: 'paid', transaction_id: late });
    }, POLLING);
  });

  test('a period whose coins wait beyond their deadline asks for no second payment', async () => {
    const { payUrl } = await confirmed();
    const slow = await openPayment(payUrl, 'LTC');
    await app.simulate(merchant.keys.sk_test, slow, 'pay');
    const seconds = (25 * HOUR_MS) / SECOND_MS;
    const { status } = await app.simulate(merchant.keys.sk_test, slow, 'advance_clock', { seconds });
    expect(status).toBe('failed');
    expect(await openPayment(payUrl, 'BTC')).toBe(slow);
    // Mined, but not at their depth yet.
    const inBlock = { status: 'confirming', presence: 'block' } as const;
    await app.connection.db.updateTable('payment').set(inBlock).where('transaction_id', '=', slow).execute();
    expect(await openPayment(payUrl, 'BTC')).toBe(slow);
    await app.simulate(merchant.keys.sk_test, slow, 'double_spend');
    expect(await openPayment(payUrl, 'BTC')).not.toBe(slow);
  });

  test('a period whose coins wait beyond their deadline asks for no second payment after others were dismissed', async () => {
    const { payUrl } = await confirmed();
    const slow = await openPayment(payUrl, 'ETH');
    const { sk_test } = merchant.keys;
    await app.simulate(sk_test, slow, 'pay');
    // Ether is given up after 6 hours, while coins are still late.
    const seconds = (6 * HOUR_MS + 5 * MINUTE_MS) / SECOND_MS;
    expect(await app.simulate(sk_test, slow, 'advance_clock', { seconds })).toMatchObject({ status: 'failed' });
    expect(await app.simulate(sk_test, slow, 'pay_late')).toMatchObject({ exception: 'paid_late' });
    await app.decide(slow, 'merchant.dismissed');
    expect(await openPayment(payUrl, 'BTC')).toBe(slow);
    for (const _ of ['late', 'in time']) await app.simulate(sk_test, slow, 'double_spend');
    expect(await openPayment(payUrl, 'BTC')).not.toBe(slow);
  });

  test('a period that expired underpaid can be paid again, although its coins are not confirmed', async () => {
    const { payUrl } = await confirmed();
    const short = await openPayment(payUrl, 'ETH');
    await app.simulate(merchant.keys.sk_test, short, 'pay_partial');
    const seconds = HOUR_MS / SECOND_MS;
    const expired = await app.simulate(merchant.keys.sk_test, short, 'advance_clock', { seconds });
    expect(expired).toMatchObject({ status: 'expired' });
    expect(await openPayment(payUrl, 'BTC')).not.toBe(short);
  });

  test('a period is not blocked for ever by coins that were never confirmed', async () => {
    const { payUrl } = await confirmed();
    const stuck = await openPayment(payUrl, 'LTC');
    await app.simulate(merchant.keys.sk_test, stuck, 'pay');
    for (const days of [2, 31]) {
      await app.simulate(merchant.keys.sk_test, stuck, 'advance_clock', { seconds: (days * DAY_MS) / SECOND_MS });
    }
    expect(await openPayment(payUrl, 'BTC')).not.toBe(stuck);
  });

  test('late coins can be accepted after the schedule was deleted: they pay their period, once', async () => {
    const { id, links, payUrl } = await confirmed();
    const late = await openPayment(payUrl, 'LTC');
    const other = await openPayment(payUrl, 'BTC');
    for (const each of [late, other]) await app.simulate(merchant.keys.sk_test, each, 'pay_late');
    await app.post(links.stop ?? '');
    const forgotten = app.clock.now() + FORGET_AFTER_MS + DAY_MS;
    await simulate(id, { action: 'advance_clock', to: new Date(forgotten).toISOString() });
    const { db } = app.connection;
    expect(await db.selectFrom('actor').select('status').where('id', '=', id).execute()).toEqual([{ status: 'done' }]);
    expect((await periods(id))[0]).toMatchObject({ status: 'unpaid', transaction_id: null });
    await app.decide(late, 'merchant.marked_paid');
    await vi.waitFor(async () => {
      expect((await periods(id))[0]).toMatchObject({
        status: 'paid',
        transaction_id: late,
        excess_transaction_ids: [],
      });
    }, POLLING);
    await isMissed(id, late);
    await app.decide(other, 'merchant.marked_paid');
    await isMissed(id, other);
    expect((await periods(id))[0]).toMatchObject({ transaction_id: late, excess_transaction_ids: [other] });
    expect(await excessReportsOf(other)).toEqual({ alerts: [], mails: [] });
  });
});
