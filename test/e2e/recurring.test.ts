import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { DAY_MS, FORGET_AFTER_MS, periodDueAt } from '../../machines/index.ts';
import type { SchedulePeriod } from '../../src/client/index.ts';
import { linkIn, OWNER, openPayment, post } from '../recurring/shop.ts';
import { level } from '../support/run/level.ts';
import { describeServers } from './backends.ts';
import { type RecurringHarness, startRecurringHarness } from './recurring-harness.ts';
import { actorsOf, alertsAbout, bouncedEmails, replaysOf, sentMessageIds } from './recurring-records.ts';

const CUSTOMER = 'ann@customer.example';
const SILENT = 'bob@customer.example';
/** 25 USD at 80 USD each. */
const PRICE_LTC = 0.3125;
const ADDRESSES_LOOKED_AT = 20;

let harness: RecurringHarness;
let id: string;
let silentId: string;
let startAt: number;

/** One long story: every test continues where the previous one ended. */
describeServers('a recurring payment request over half a year, with a Litecoin node and a mail server', () => {
  beforeAll(async () => {
    harness = await startRecurringHarness();
    startAt = harness.world.now() + 2 * DAY_MS;
  });
  afterAll(() => harness?.close());

  test('starts with the button in the first email, and not with a view of its page', async () => {
    const { live } = harness.shop;
    id = (await live.create({ ...TERMS, customer_email: CUSTOMER, start_at: new Date(startAt).toISOString() }))
      .schedule_id;
    const [question] = await harness.mailsTo(CUSTOMER, 1);
    const confirmUrl = linkIn(question, 'confirm');
    expect(await pageAt(confirmUrl)).toContain('Coffee every month');
    expect(await live.get(id)).toMatchObject({ status: 'pending_confirmation', confirmed_at: null });

    expect((await post(confirmUrl)).status).toBe(303);
    const [sent] = await harness.eventsOf(id, 1);
    expect(sent).toMatchObject({ event: 'recurring.confirmed', status: 'active', customer_email: CUSTOMER });
    expect(await live.get(id)).toMatchObject({ status: 'active', last_period_no: 0, next_due_at: iso(startAt) });
    expect(await live.periods(id)).toEqual([]);
  });

  test('requests the first period when it is due, and the coins arrive at an address of the merchant', async () => {
    harness.advanceTo(startAt);
    const payUrl = linkIn((await harness.mailsTo(CUSTOMER, 2))[1], 'pay');
    expect(await pageAt(payUrl)).toContain('25.00 USD');
    const quote = await openPayment(payUrl, 'LTC');
    const txid = await harness.pay(quote);

    const transaction = await harness.comesTo(quote, 'completed');
    expect(transaction).toMatchObject({
      amount_crypto: PRICE_LTC,
      metadata: { schedule_id: id, period_no: 1 },
      payments: [{ txid, status: 'confirmed' }],
    });
    const { wallet } = harness;
    const own = Array.from({ length: ADDRESSES_LOOKED_AT }, (_, index) => wallet.addressAt(index));
    expect(own).toContain(transaction.deposit_address);
    expect(await harness.coinsAt(transaction.deposit_address)).toBe(PRICE_LTC);

    expect(await paymentEventsOf(quote, 2)).toEqual(['payment.pending', 'payment.completed']);
    const sent = (await harness.eventsOf(id, 2))[1];
    expect(sent).toMatchObject({ event: 'recurring.payment.completed', period_no: 1, transaction_id: quote });
    expect(await newestPeriod()).toMatchObject({
      status: 'paid',
      due_at: iso(startAt),
      transaction_id: quote,
      attempts: [quote],
    });
    expect(await pageAt(payUrl)).not.toContain('<form');
  });

  // At the quick level the story, customers, decisions, crashes and properties tests of
  // test/recurring cover this, and test/mail/take-bounces.test.ts the mailbox that is gone.
  if (level.isFull) {
    test('sends two reminders with the same link, gives a period up, and accepts its payment late', async () => {
      harness.advanceTo(dueAt(2));
      const payUrl = linkIn((await harness.mailsTo(CUSTOMER, 3))[2], 'pay');
      const first = await openPayment(payUrl, 'LTC');
      await harness.letExpire(first);
      const second = await openPayment(payUrl, 'LTC');
      expect(second).not.toBe(first);
      await harness.letExpire(second);

      const requestedAt = Date.parse((await newestPeriod()).requested_at ?? '');
      for (const [reminders, days] of [3, 6].entries()) {
        harness.advanceTo(requestedAt + days * DAY_MS);
        expect(linkIn((await harness.mailsTo(CUSTOMER, 4 + reminders))[3 + reminders], 'pay')).toBe(payUrl);
      }
      expect(await newestPeriod()).toMatchObject({ status: 'awaited', reminders_sent: 2 });
      harness.advanceTo(requestedAt + 7 * DAY_MS);
      expect((await harness.eventsOf(id, 3))[2]).toMatchObject({ event: 'recurring.payment.unpaid', period_no: 2 });
      expect(await newestPeriod()).toMatchObject({ status: 'unpaid', attempts: [second, first], transaction_id: null });

      const third = await openPayment(payUrl, 'LTC');
      await harness.pay(third);
      const sent = (await harness.eventsOf(id, 4))[3];
      expect(sent).toMatchObject({ event: 'recurring.payment.completed', period_no: 2, transaction_id: third });
      expect(await newestPeriod()).toMatchObject({
        status: 'paid',
        due_at: iso(dueAt(2)),
        transaction_id: third,
        attempts: [third, second, first],
        excess_transaction_ids: [],
      });
    });

    test('accepts coins after their window once the merchant does, and reports the excess', async () => {
      harness.advanceTo(dueAt(3));
      const payUrl = linkIn((await harness.mailsTo(CUSTOMER, 6))[5], 'pay');
      const late = await openPayment(payUrl, 'LTC');
      await harness.letExpire(late);
      const another = await openPayment(payUrl, 'LTC');
      await harness.pay(late);
      expect(await harness.comesTo(late, 'expired (paid_late)')).toMatchObject({ amount_paid: PRICE_LTC });
      expect(await paymentEventsOf(late, 2)).toEqual(['payment.expired', 'payment.paid_late']);
      expect(await openPayment(payUrl, 'LTC'), 'the link leads to the coins that have come').toBe(late);
      expect(await newestPeriod()).toMatchObject({ period_no: 3, status: 'awaited', transaction_id: null });
      expect(await harness.eventsOf(id, 4)).toHaveLength(4);

      expect(await harness.markPaid(late)).toBe('applied');
      const sent = (await harness.eventsOf(id, 5))[4];
      expect(sent).toMatchObject({ event: 'recurring.payment.completed', period_no: 3, transaction_id: late });

      await harness.pay(another);
      await harness.comesTo(another, 'completed');
      const [lateMail, ...others] = await harness.mailsTo(OWNER, 2);
      expect(lateMail).toMatchObject({ subject: expect.stringContaining('late') });
      expect(others).toMatchObject([
        { subject: 'A recurring payment was paid twice', text: expect.stringContaining(another) },
      ]);
      expect(await newestPeriod()).toMatchObject({
        status: 'paid',
        transaction_id: late,
        attempts: [another, late],
        excess_transaction_ids: [another],
      });
      expect(await alertsAbout(harness, another)).toEqual(['period_paid_twice']);
    });

    test('skips the period of a pause, and an unconfirmed one expires', async () => {
      const { live } = harness.shop;
      expect(await live.decide(id, 'pause')).toMatchObject({ status: 'paused', next_due_at: null });
      harness.advanceTo(dueAt(4) - 3 * DAY_MS);
      silentId = (await live.create({ ...TERMS, customer_email: SILENT })).schedule_id;
      const [question] = await harness.mailsTo(SILENT, 1);
      // When this timer has fired, the timer of the period before it has fired too.
      harness.advanceTo(harness.world.now() + 7 * DAY_MS);
      const [stopped] = await harness.eventsOf(silentId, 1);
      expect(stopped).toMatchObject({
        event: 'recurring.stopped',
        reason: 'unconfirmed',
        status: 'expired_unconfirmed',
      });
      expect((await post(linkIn(question, 'confirm'))).status).toBe(303);
      expect(await live.get(silentId)).toMatchObject({ status: 'expired_unconfirmed', confirmed_at: null });

      expect(await live.get(id)).toMatchObject({ status: 'paused', last_period_no: 3 });
      expect(await live.decide(id, 'resume')).toMatchObject({ status: 'active', next_due_at: iso(dueAt(5)) });
      expect(await newestPeriod()).toMatchObject({ period_no: 4, status: 'skipped', payment_url: null, attempts: [] });
    });

    test('ends when the mail server reports an unknown mailbox', async () => {
      const { live, smtp } = harness.shop;
      smtp.plan({ at: 'rcpt', code: 550, text: `5.1.1 <${CUSTOMER}>: Recipient address rejected: User unknown` });
      harness.advanceTo(dueAt(5));
      const sent = (await harness.eventsOf(id, 6))[5];
      expect(sent).toMatchObject({ event: 'recurring.stopped', reason: 'bounced', status: 'bounced' });
      expect(await live.get(id)).toMatchObject({ status: 'bounced', end_reason: 'bounced', next_due_at: null });
      const { period_no: periodNo, payment_url: payUrl } = await newestPeriod();
      expect(periodNo).toBe(5);
      expect((await post(payUrl ?? '', { crypto: 'LTC' })).status).toBe(409);
      const reason = await bounceWrittenDown();
      expect(reason).toContain('5.1.1');
      expect(reason).not.toContain(CUSTOMER);
    });

    test('is deleted in the end, and has sent every event once', async () => {
      const { live } = harness.shop;
      harness.advanceTo(harness.world.now() + FORGET_AFTER_MS + DAY_MS);
      await waitFor(
        async () => ((await actorsOf(harness, 'schedule')).every(({ status }) => status === 'done') ? true : null),
        () => 'the schedules are not forgotten',
      );
      expect((await live.get(id)).status).toBe('bounced');
      expect((await live.get(silentId)).status).toBe('expired_unconfirmed');

      const periods = (await live.periods(id)).toReversed();
      await operatorHears(periods[2]?.excess_transaction_ids[0] ?? 'no payment');
      const events = harness.shop.eventsOf(id);
      const paid = (no: number) => `recurring.payment.completed ${no} ${periods[no - 1]?.transaction_id}`;
      expect(events.map(summaryOf)).toEqual([
        'recurring.confirmed',
        paid(1),
        'recurring.payment.unpaid 2',
        paid(2),
        paid(3),
        'recurring.stopped',
      ]);
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(harness.shop.eventsOf(silentId)).toHaveLength(1);

      const { mails } = harness.shop.smtp;
      expect(mails.map(({ envelopeTo }) => envelopeTo[0] ?? '').sort(byText)).toEqual(
        [...Array<string>(6).fill(CUSTOMER), SILENT, OWNER, OWNER].sort(byText),
      );
      expect(mails.map(({ messageId }) => messageId).sort(byText)).toEqual(await sentMessageIds(harness));

      expect(await actorsOf(harness, 'schedule')).toHaveLength(2);
      expect(await actorsOf(harness, 'transaction')).toHaveLength(periods.flatMap(({ attempts }) => attempts).length);
      for (const { actorId, isEqual } of await replaysOf(harness)) expect(isEqual, actorId).toBe(true);
    });
  }

  test('has signed everything it sent, and logged no secret', async () => {
    const { receiver, service, live, smtp } = harness.shop;
    expect(receiver.requests).not.toEqual([]);
    for (const request of receiver.requests) {
      expect(request).toMatchObject({ isServiceSignatureValid: true, isStandardSignatureValid: true });
    }
    const periods = await live.periods(id);
    const mailed = smtp.mails.flatMap(({ text }) => tokensIn(text ?? ''));
    expect(mailed).not.toEqual([]);
    const links = [...mailed, ...tokensIn(JSON.stringify(periods))];
    const log = service.logLines.map((line) => JSON.stringify(line)).join('\n');
    expect([CUSTOMER, SILENT, OWNER, ...new Set(links)].filter((secret) => log.includes(secret))).toEqual([]);
  });
});

// Helpers

const TERMS = { amount: 25, currency_fiat: 'USD', interval: 'monthly', description: 'Coffee every month' } as const;

function iso(moment: number): string {
  return new Date(moment).toISOString();
}

function dueAt(periodNo: number): number {
  return periodDueAt(startAt, 'monthly', periodNo);
}

async function pageAt(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

async function newestPeriod(): Promise<SchedulePeriod> {
  const [newest] = await harness.shop.live.periods(id);
  if (newest === undefined) throw new Error('no period was requested');
  return newest;
}

async function paymentEventsOf(transactionId: string, count: number): Promise<string[]> {
  return (await harness.webhooksOf(transactionId, count)).map(({ event }) => event);
}

/** The schedule processes a bounce before it is recorded. */
function bounceWrittenDown(): Promise<string> {
  return waitFor(
    async () => (await bouncedEmails(harness))[0] ?? null,
    () => 'no mail is written down as bounced',
  );
}

/** The alert's row is written at once; its log line arrives over the bus. */
async function operatorHears(transactionId: string): Promise<void> {
  const logged = () =>
    harness.shop.service.logLines.some(
      ({ msg, alert }) => msg === 'operator alert' && JSON.stringify(alert).includes(transactionId),
    );
  await waitFor(
    async () => logged() || null,
    () => `no log line names ${transactionId}`,
  );
}

function summaryOf({ event, period_no: periodNo, transaction_id: transactionId }: Readonly<Record<string, unknown>>) {
  return [event, periodNo, transactionId]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ');
}

function tokensIn(text: string): string[] {
  return [...text.matchAll(/\/recurring\/\w+\/([0-9a-f]{32})/g)].flatMap(([, token]) => token ?? []);
}

function byText(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}
