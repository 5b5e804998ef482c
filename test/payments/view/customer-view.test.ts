import { beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../machines/index.ts';
import { screenTextOf } from '../../../src/http/checkout/labels.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locales.ts';
import { screenOf } from '../../../src/http/checkout/screen.ts';
import { attentionOfPayment } from '../../../src/payments/attention/list-attention.ts';
import { type CustomerView, settleAttention } from '../../../src/payments/index.ts';
import { getCustomerView } from '../../../src/payments/view/customer-view.ts';
import type { ActorEvent } from '../../../src/platform/engine/index.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, TERMS } from '../../machines/transaction/terms.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { confirmed, seen } from '../support/output-events.ts';
import { createPaymentRun, type PaymentRun } from '../support/payment-run.ts';
import { settleDeps } from '../support/settle-deps.ts';

describeDatabases('the page of a payment says what happened:', (database) => {
  let payments: PaymentRun;
  let id: string;
  beforeEach(async () => {
    payments = await createPaymentRun(database());
    id = await payments.start();
    payments.clock.advance(HOUR_MS);
  });

  async function view(): Promise<CustomerView> {
    const { db } = database();
    const publicUrl = 'https://pay.example';
    const overview = { isPayable: async () => true };
    const deps = { db, publicUrl, networks: { contractOf: () => null }, overview, sendsMails: false };
    const found = await getCustomerView(deps as Parameters<typeof getCustomerView>[0], id);
    if (found === null) throw new Error('the payment should exist');
    return found;
  }

  /** The screen and its sentences in English. */
  async function said(): Promise<string> {
    const transaction = await view();
    const screen = screenOf(transaction, payments.clock.now());
    const { heading, sentences } = screenTextOf(transaction, { screen, windowIsOver: true }, LOCALES.en);
    return [screen, heading, ...sentences].join(' | ');
  }

  async function settleOnly(): Promise<void> {
    const { db } = database();
    const [item] = (await attentionOfPayment(db, id)).filter(({ settledAt }) => settledAt === null);
    if (item === undefined) throw new Error('nothing is open');
    const request = { ...item, merchantId: TERMS.merchantId, note: 'refunded', by: 'usr_1' };
    await settleAttention(settleDeps(db, payments.engine, CLOSES_AT), request);
  }

  test.each([
    ['all of the coins', DUE],
    ['most of the coins', (DUE * 9n) / 10n],
  ])('after the window, %s that were seen in time are gone, and may return', async (_, amount) => {
    const others = amount === DUE ? [] : [seen('rest', 1, DUE - amount)];
    await payments.play(id, [...others, seen('a', 2, amount), CLOSED]);
    expect(await said()).toContain('seen | Your payment is on its way');
    await payments.play(id, [gone('a', 3, amount)]);
    expect(await view()).toMatchObject({ status: 'awaiting_confirmation', loss: 'gone' });
    const part = amount === DUE ? 'This payment' : 'Part of this payment';
    expect(await said()).toContain(
      `lost | ${part} is no longer on the network | The coins were seen, but are no longer`,
    );
    expect(await said()).not.toContain('on its way');
    await payments.play(id, [seen('a', 4, amount)]);
    expect(await said()).toContain('seen | Your payment is on its way');
  });

  test('late coins do not hide that those in time are gone', async () => {
    await payments.play(id, [seen('a', 1, DUE), CLOSED, seen('b', 2, DUE, LATE), gone('a', 3, DUE)]);
    expect(await said()).toContain('lost | Part of this payment is no longer on the network');
  });

  test('dismissed coins are not settled by others that were settled and are gone, of the same sum', async () => {
    const half = DUE / 2n;
    await payments.play(id, [seen('a', 1, half), CLOSED]);
    await settleOnly();
    expect(await said()).toContain('has marked the coins that arrived as settled');
    await payments.play(id, [gone('a', 2, half), confirmed('b', 3, half, LATE), DISMISSED]);
    expect(await view()).toMatchObject({ status: 'expired', surplus: null });
    expect(await said()).toContain('Ask the shop what happens to the coins that arrived.');
  });

  test('of late coins, whether the shop has accepted them', async () => {
    const refusal = 'The shop did not accept the late payment.';
    await payments.play(id, [seen('a', 1, DUE / 2n), CLOSED, confirmed('b', 2, DUE / 2n, LATE)]);
    expect(await view()).toMatchObject({ exception: 'paid_late', isDismissed: false });
    expect(await said()).not.toContain(refusal);
    await payments.play(id, [DISMISSED]);
    expect(await view()).toMatchObject({ status: 'expired', exception: null, isDismissed: true });
    expect(await said()).toContain(`0.001 of 0.001 LTC has arrived. | ${refusal}`);
    await payments.play(id, [confirmed('c', 3, DUE, LATE)]);
    expect(await view()).toMatchObject({ exception: 'paid_late', isDismissed: false });
  });

  test('late coins that are gone were not dismissed', async () => {
    await payments.play(id, [seen('a', 1, DUE / 2n), CLOSED, seen('b', 2, DUE / 2n, LATE), gone('b', 3, DUE / 2n)]);
    expect(await view()).toMatchObject({ status: 'expired', exception: null, isDismissed: false });
  });

  test('settled coins stay settled when their sender raises the fee', async () => {
    const spends = ['coin:0'];
    await payments.play(id, [{ ...seen('a', 1, 400n), spends }, CLOSED]);
    await settleOnly();
    await payments.play(id, [
      { ...seen('b', 2, 400n, LATE), spends },
      { ...gone('a', 3, 400n), spends, reason: 'replaced' },
    ]);
    expect(await view()).toMatchObject({ amountPaid: '0.000004', surplus: { isSettled: true } });
  });

  test('a payment whose coins were lost did not miss a deadline, whatever arrives afterwards', async () => {
    await payments.play(id, [seen('a', 1, DUE), CLOSED, gone('a', 2, DUE), LOSS_SETTLED]);
    expect(await said()).toContain('The coins of this payment are no longer on the network.');
    await payments.play(id, [confirmed('b', 3, DUE, CLOSES_AT + DAY_MS)]);
    expect(await view()).toMatchObject({ status: 'failed' });
    for (const settle of [async () => undefined, settleOnly]) {
      await settle();
      expect(await said()).toContain('The coins that were sent in time are no longer on the network.');
      expect(await said()).not.toMatch(/did not confirm|If it is still confirmed/);
    }
  });

  test('a payment that missed its deadline says so, also when a part of its coins is gone', async () => {
    const part = DUE / 5n;
    await payments.play(id, [seen('a', 1, part), seen('b', 2, DUE - part), CLOSED, DEADLINE_PASSED]);
    expect(await said()).toContain('The network did not confirm the payment in time.');
    await payments.play(id, [gone('b', 3, DUE - part)]);
    expect(await said()).toContain('The network did not confirm the payment in time.');
  });

  test('coins that were unconfirmed at the deadline may still be confirmed, also late ones and those sent again', async () => {
    const [most, spends] = [DUE - 400n, ['coin:0']];
    const few = [confirmed('few', 3, 300n, LATE), DISMISSED];
    const inTime = { ...seen('a', 1, most), spends };
    await payments.play(id, [
      inTime,
      seen('rest', 1, 400n),
      CLOSED,
      seen('late', 2, 700n, LATE),
      DEADLINE_PASSED,
      ...few,
    ]);
    const bumpedAt = CLOSES_AT + DEADLINE_MS + HOUR_MS;
    await payments.play(id, [{ ...seen('bump', 4, most, bumpedAt), spends }]);
    expect(await view()).toMatchObject({ status: 'expired', exception: null });
    const { db } = database();
    const rows = db.selectFrom('payment').select('txid').where('transaction_id', '=', id).where('given_up', '=', true);
    const counted = await rows.where('status', '=', 'detected').orderBy('txid').execute();
    expect(counted.map(({ txid }) => txid)).toEqual(['bump', 'late', 'rest']);
  });

  test('of coins that missed the deadline and others that came late, not all are called late', async () => {
    const [few, most] = [DUE / 20n, DUE - DUE / 20n];
    const inTime = [seen('a', 1, most), seen('rest', 2, few), CLOSED];
    await payments.play(id, [...inTime, seen('b', 3, few, LATE), DEADLINE_PASSED, confirmed('b', 4, few, LATE)]);
    expect(await said()).toContain('0.00005 LTC arrived after the time to pay was over.');
    await payments.play(id, [confirmed('a', 5, most)]);
    expect(await view()).toMatchObject({ surplus: { missedDeadline: 'some', baseUnits: DUE.toString() } });
    expect(await said()).toContain(
      'Part of 0.001 LTC arrived after the time to pay was over. The rest arrived in time',
    );
  });
});

// Helpers

const LATE = CLOSES_AT + 1;
const CLOSED: ActorEvent = { type: 'timer.window_closed', dueAt: CLOSES_AT };
const DEADLINE_PASSED: ActorEvent = { type: 'timer.confirmation_deadline_passed', dueAt: CLOSES_AT - 1 + DEADLINE_MS };
const LOSS_SETTLED: ActorEvent = { type: 'timer.loss_settled', dueAt: Number.MAX_SAFE_INTEGER };
const DISMISSED: ActorEvent = { type: 'merchant.dismissed', by: 'usr_1' };

function gone(id: string, order: number, amount: bigint): ActorEvent {
  return { ...seen(id, order, amount), type: 'chain.output_dropped', reason: 'evicted' };
}
