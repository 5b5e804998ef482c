import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DAY_MS, periodDueAt } from '../../machines/index.ts';
import { POLLING } from '../support/polling.ts';
import { linkIn, OWNER, openPayment, openRecurringShop, post, type RecurringShop, SHOP_NAME } from './shop.ts';

let shop: RecurringShop;

describe('a customer with a schedule, through mail, pages, API and webhooks', () => {
  beforeAll(async () => {
    shop = await openRecurringShop();
  });
  afterAll(() => shop?.close());

  test('confirms, pays, forgets, pays late, and stops', async () => {
    const { test: calls } = shop;
    const created = await calls.create({ reference: 'sub 7', success_url: 'https://shop.example/thanks' });
    const { schedule_id: id } = created;
    expect(created).toMatchObject({ status: 'pending_confirmation', amount_fiat: 25, last_period_no: 0 });

    const [question] = await mails(1);
    expect(question?.from).toMatchObject({ name: SHOP_NAME, address: 'pay@shop.example' });
    expect(question?.header('list-unsubscribe')).toBe(`<${linkIn(question, 'stop')}>`);
    // One-click unsubscribe (RFC 8058) needs https, which a local service does not have.
    expect(question?.header('list-unsubscribe-post')).toBeUndefined();
    const looked = await fetch(linkIn(question, 'confirm'));
    expect(await looked.text()).toContain('Coffee every month');
    expect((await calls.get(id)).status).toBe('pending_confirmation');
    expect((await post(linkIn(question, 'confirm'))).status).toBe(303);
    const { confirmed_at: confirmedAt } = await calls.get(id);
    const anchor = Date.parse(confirmedAt ?? '');

    const [, request] = await mails(2);
    const [first] = await calls.periods(id);
    expect(first).toMatchObject({ period_no: 1, status: 'awaited', due_at: confirmedAt, reminders_sent: 0 });
    const payUrl = linkIn(request, 'pay');
    expect(first?.payment_url).toBe(payUrl);
    const paid = await openPayment(payUrl, 'LTC');
    expect(await openPayment(payUrl, 'LTC')).toBe(paid);
    await payInFull(paid);
    await events(id, ['recurring.confirmed', 'recurring.payment.completed']);
    expect((await calls.periods(id))[0]).toMatchObject({ status: 'paid', transaction_id: paid, attempts: [paid] });

    const secondDue = periodDueAt(anchor, 'monthly', 2);
    await calls.simulate(id, { action: 'advance_clock', to: new Date(secondDue + 8 * DAY_MS).toISOString() });
    await events(id, ['recurring.confirmed', 'recurring.payment.completed', 'recurring.payment.unpaid']);
    expect((await mails(5)).slice(2).map(({ subject }) => subject)).toHaveLength(3);
    const [second] = await calls.periods(id);
    expect(second).toMatchObject({ period_no: 2, status: 'unpaid', reminders_sent: 2 });
    expect(second?.due_at).toBe(new Date(secondDue).toISOString());

    const late = await openPayment(second?.payment_url ?? '', 'LTC');
    await payInFull(late);
    await events(id, [...Array(2).fill(expect.any(String)), 'recurring.payment.unpaid', 'recurring.payment.completed']);
    expect((await calls.get(id)).status).toBe('active');

    expect((await post(linkIn(request, 'stop'), { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    expect(await calls.get(id)).toMatchObject({ status: 'stopped_by_customer', next_due_at: null });
    const sent = await events(id, [...Array(4).fill(expect.any(String)), 'recurring.stopped']);
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(sent.at(-1)).toMatchObject({
      reason: 'stopped_by_customer',
      status: 'stopped_by_customer',
      reference: 'sub 7',
    });
    expect(sent[3]).toMatchObject({ period_no: 2, transaction_id: late, customer_email: OWNER, interval: 'monthly' });
  });
});

// Helpers

/** The emails to the customer, once there are `count`. */
function mails(count: number) {
  return vi.waitFor(() => {
    const all = shop.mailsTo(OWNER);
    expect(all).toHaveLength(count);
    return all;
  }, POLLING);
}

/** The events about a schedule, once these have arrived. */
function events(id: string, types: readonly unknown[]) {
  return vi.waitFor(() => {
    const all = shop.eventsOf(id);
    expect(all.map(({ event }) => event)).toEqual(types);
    return all;
  }, POLLING);
}

async function payInFull(transactionId: string): Promise<void> {
  for (const action of ['pay', 'confirm']) {
    await shop.test.expect(200, 'POST', `/transactions/${transactionId}/simulate`, { action });
  }
}
