import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../machines/index.ts';
import type { Schedule, SchedulePeriod } from '../../src/client/index.ts';
import { createMailWorker, createSmtpTransport } from '../../src/mail/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createCustomerLinks, createTokens } from '../../src/recurring/index.ts';
import { requestKey } from '../../src/recurring/projection/emails.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { mailConfig, NO_SERVER_RESPONDS, startSmtp, type TestSmtp } from '../support/outside/smtp.ts';
import { POLLING } from '../support/polling.ts';
import { PUBLIC_URL, startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';
import { silentLog } from '../support/silent-log.ts';
import { MONTHLY } from './requests.ts';

/** Can sign in for the merchant, so that emails of test schedules are sent to it. */
const CUSTOMER = 'ann@shop.example';
const links = createCustomerLinks({ publicUrl: PUBLIC_URL, tokens: createTokens(new Uint8Array(32)) });

describeDatabases('reminders and the coins of a period', (database) => {
  let app: TestApp;
  let merchant: TestMerchant;
  beforeAll(async () => {
    app = await startApp({ connection: database(), mail: NO_SERVER_RESPONDS });
    merchant = await app.addMerchant();
    const user = { id: newId('usr'), merchant_id: merchant.id, email: CUSTOMER, password_hash: '-' };
    await database().db.insertInto('merchant_user').values(user).execute();
  });
  afterAll(() => app?.stop());

  const send = (path: string, body: object = {}) =>
    app.call<{ data: Schedule }>({ method: 'POST', path: `/recurring/${path}`, key: merchant.keys.sk_test, body });
  async function openedPayment(): Promise<{ scheduleId: string; payment: string }> {
    const created = await send('create', { ...MONTHLY, customer_email: CUSTOMER });
    const { schedule_id: scheduleId } = created.body.data;
    await app.post(links.urlOf({ purpose: 'confirm', scheduleId }));
    const { location = '' } = await app.post(links.urlOf({ purpose: 'pay', scheduleId, periodNo: 1 }), {
      crypto: 'LTC',
    });
    return { scheduleId, payment: /txn_\w+/.exec(location)?.[0] ?? '' };
  }
  const pass = (scheduleId: string, days: number) =>
    send(`${scheduleId}/simulate`, { action: 'advance_clock', seconds: (days * DAY_MS) / 1_000 });
  async function reminderStates(scheduleId: string) {
    const rows = await database()
      .db.selectFrom('mail')
      .select('state')
      .where(
        'dedupe_key',
        'in',
        [1, 2].map((step) => requestKey(scheduleId, { periodNo: 1, step })),
      )
      .orderBy('dedupe_key')
      .execute();
    return rows.map(({ state }) => state);
  }

  test.each(['pay_late', 'pay_partial', 'pay'])(
    'rule 51: no reminder is sent while coins of the period wait, after %s',
    async (action) => {
      const { scheduleId, payment } = await openedPayment();
      await app.simulate(merchant.keys.sk_test, payment, action);
      await pass(scheduleId, 4);
      expect(await reminderStates(scheduleId)).toEqual(['stored']);
    },
  );

  test('rule 51: reminders are sent when the payment expired without coins, or the merchant dismissed them', async () => {
    const [unpaid, dismissed] = [await openedPayment(), await openedPayment()];
    await app.simulate(merchant.keys.sk_test, unpaid.payment, 'advance_clock', { seconds: 3_600 });
    await pass(unpaid.scheduleId, 4);
    expect(await reminderStates(unpaid.scheduleId)).toEqual(['queued']);
    await app.simulate(merchant.keys.sk_test, dismissed.payment, 'pay_late');
    await pass(dismissed.scheduleId, 4);
    await app.decide(dismissed.payment, 'merchant.dismissed');
    await pass(dismissed.scheduleId, 2.5);
    expect(await reminderStates(dismissed.scheduleId)).toEqual(['stored', 'queued']);
  });
});

describeDatabases('mails that wait for the mail server', (database) => {
  let app: TestApp;
  let merchant: TestMerchant;
  let smtp: TestSmtp;
  let isStopped = false;
  beforeAll(async () => {
    smtp = await startSmtp();
    app = await startApp({ connection: database(), mail: NO_SERVER_RESPONDS });
    merchant = await app.addMerchant();
    const user = { id: newId('usr'), merchant_id: merchant.id, email: CUSTOMER, password_hash: '-' };
    await database().db.insertInto('merchant_user').values(user).execute();
  });
  afterAll(async () => {
    if (!isStopped) await app?.stop();
    await smtp?.close();
  });

  const send = (path: string, body: object = {}) =>
    app.call<{ data: Schedule }>({ method: 'POST', path: `/recurring/${path}`, key: merchant.keys.sk_test, body });
  async function confirmed(body: object = {}): Promise<string> {
    const response = await send('create', { ...MONTHLY, customer_email: CUSTOMER, ...body });
    const { schedule_id: scheduleId } = response.body.data;
    expect((await app.post(links.urlOf({ purpose: 'confirm', scheduleId }))).status).toBe(303);
    return scheduleId;
  }
  const untilReminder = (id: string) =>
    send(`${id}/simulate`, { action: 'advance_clock', seconds: (4 * DAY_MS) / 1_000 });
  async function pay(scheduleId: string): Promise<void> {
    const url = links.urlOf({ purpose: 'pay', scheduleId, periodNo: 1 });
    const { location = '' } = await app.post(url, { crypto: 'LTC' });
    const [transactionId = ''] = /txn_\w+/.exec(location) ?? [];
    for (const action of ['pay', 'confirm']) await app.simulate(merchant.keys.sk_test, transactionId, action);
    await vi.waitFor(async () => {
      const path = `/recurring/${scheduleId}/periods`;
      const response = await app.call<{ data: { periods: SchedulePeriod[] } }>({ path, key: merchant.keys.sk_test });
      expect(response.body.data.periods[0]?.status).toBe('paid');
    }, POLLING);
  }
  /** State of each email, by schedule name and step. */
  async function statesOf(schedules: Readonly<Record<string, string>>) {
    const rows = await database().db.selectFrom('mail').select(['dedupe_key', 'state']).execute();
    const named = Object.entries(schedules).flatMap(([name, id]) =>
      rows
        .filter(({ dedupe_key }) => dedupe_key.includes(id))
        .map(({ dedupe_key, state }) => [dedupe_key.replace(`schedule:${id}`, name), state] as const),
    );
    return Object.fromEntries(named);
  }

  test('an email that still waits for the server is not sent after the customer stops, nor after the period is paid', async () => {
    const schedules = {
      waiting: await confirmed(),
      stopped: await confirmed(),
      paid: await confirmed(),
      paused: await confirmed(),
      finished: await confirmed({ max_periods: 1 }),
    };
    await Promise.all(Object.values(schedules).map(untilReminder));
    await app.post(links.urlOf({ purpose: 'stop', scheduleId: schedules.stopped }));
    await pay(schedules.paid);
    await send(`${schedules.paused}/pause`);
    await untilReminder(schedules.finished);
    expect((await statesOf(schedules))['finished:period:1:2']).toBe('queued');

    // The server is back. The worker of the app stops, because it knows only the one that is away.
    await app.stop();
    isStopped = true;
    app.clock.advance(HOUR_MS);
    const transport = createSmtpTransport(mailConfig(smtp.port));
    const { db } = database();
    const worker = createMailWorker({ db, transport, clock: app.clock, log: silentLog, pollEveryMs: 10 });
    worker.start();
    await vi.waitFor(async () => expect(Object.values(await statesOf(schedules))).not.toContain('queued'), POLLING);
    await worker.stop();

    const states = await statesOf(schedules);
    const sent = (name: string, steps: readonly string[]) => steps.map((step) => [`${name}:${step}`, 'sent']);
    const stored = (name: string, steps: readonly string[]) => steps.map((step) => [`${name}:${step}`, 'stored']);
    const [question, request, reminder, lastReminder] = ['confirmation:0', 'period:1:0', 'period:1:1', 'period:1:2'];
    expect(states).toEqual(
      Object.fromEntries([
        ...sent('waiting', [question, request, reminder]),
        ...stored('stopped', [question, request, reminder]),
        ...sent('paid', [question]),
        ...stored('paid', [request, reminder]),
        // The period that is awaited can be paid, so its request is sent.
        ...sent('paused', [question, request]),
        ...stored('paused', [reminder]),
        // Its last period can still be paid.
        ...sent('finished', [question, request, reminder, lastReminder]),
      ]),
    );
    expect(smtp.mails).toHaveLength(Object.values(states).filter((state) => state === 'sent').length);
    const stop = links.urlOf({ purpose: 'stop', scheduleId: schedules.stopped });
    expect(smtp.mails.filter(({ text }) => text?.includes(stop))).toEqual([]);
  });
});
