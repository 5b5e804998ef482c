import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { DAY_MS, periodDueAt } from '../../machines/index.ts';
import type { SchedulePeriod } from '../../src/client/index.ts';
import { linkIn, OWNER, openPayment, post } from '../recurring/shop.ts';
import { level } from '../support/run/level.ts';
import { describeServers } from './backends.ts';
import { type RecurringHarness, startRecurringHarness } from './recurring-harness.ts';

const CUSTOMER = 'ann@customer.example';
/** 25 USD at 80 USD each. */
const PRICE_LTC = 0.3125;
const ADDRESSES_LOOKED_AT = 20;

let harness: RecurringHarness;
let id: string;
let startAt: number;

/** One long story: every test continues where the previous one ended. */
describeServers('a recurring payment request with a Litecoin node and a mail server', () => {
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

  // At the quick level test/mail/process-bounces.test.ts covers the mailbox that is gone.
  if (level.isFull)
    test('ends when the mail server reports an unknown mailbox', async () => {
      const { live, smtp } = harness.shop;
      smtp.plan({ at: 'rcpt', code: 550, text: `5.1.1 <${CUSTOMER}>: Recipient address rejected: User unknown` });
      harness.advanceTo(dueAt(2));
      const sent = (await harness.eventsOf(id, 3))[2];
      expect(sent).toMatchObject({ event: 'recurring.stopped', reason: 'bounced', status: 'bounced' });
      expect(await live.get(id)).toMatchObject({ status: 'bounced', end_reason: 'bounced', next_due_at: null });
      const { period_no: periodNo, payment_url: payUrl } = await newestPeriod();
      expect(periodNo).toBe(2);
      expect((await post(payUrl ?? '', { crypto: 'LTC' })).status).toBe(409);
      const reason = await bounceWrittenDown();
      expect(reason).toContain('5.1.1');
      expect(reason).not.toContain(CUSTOMER);
    });

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
    expect([CUSTOMER, OWNER, ...new Set(links)].filter((secret) => log.includes(secret))).toEqual([]);
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

/** The recorded bounce of the email. The schedule processes a bounce before it is recorded. */
function bounceWrittenDown(): Promise<string> {
  const bounced = harness.db.selectFrom('mail').select('last_error').where('failed_because', '=', 'bounced');
  return waitFor(
    async () => (await bounced.executeTakeFirst())?.last_error ?? null,
    () => 'no mail is written down as bounced',
  );
}

function tokensIn(text: string): string[] {
  return [...text.matchAll(/\/recurring\/\w+\/([0-9a-f]{32})/g)].flatMap(([, token]) => token ?? []);
}
