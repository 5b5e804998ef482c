import { expect, test } from 'vitest';
import { exportPayments, searchPayments } from '../../../src/payments/index.ts';
import { CLOSES_AT, TERMS } from '../../machines/transaction/terms.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { createPaymentRun, OTHER_MERCHANT } from '../support/payment-run.ts';

const SCOPE = { merchantId: TERMS.merchantId, mode: TERMS.mode } as const;

describeBothDatabases('a metadata value', (database) => {
  test('finds the payments created with it, in the list and in an export, in every state', async () => {
    const { db } = database();
    const payments = await createPaymentRun(database());
    const mine = await payments.start({}, { metadata: { order: 'Nr-1001', floor: 7, tags: ['blue'] } });
    await payments.start({}, { metadata: { order: 'Nr-1002' } });
    await payments.start({}, { metadata: null });
    await payments.start({ merchantId: OTHER_MERCHANT }, { metadata: { order: 'Nr-1001', floor: 7 } });
    await payments.start({ mode: TERMS.mode === 'live' ? 'test' : 'live' }, { metadata: { order: 'Nr-1001' } });
    await payments.play(mine, [{ type: 'timer.window_closed', dueAt: CLOSES_AT }]);

    const found = async (text: string) => {
      const page = await searchPayments({ db }, SCOPE, { search: { text }, cursor: null, limit: 10 });
      const exported: string[] = [];
      for await (const batch of exportPayments({ db }, SCOPE, { search: { text } }))
        exported.push(...batch.payments.map(({ id }) => id));
      const ids = page.payments.map(({ id }) => id);
      expect(exported).toEqual(ids);
      return ids;
    };
    const { payments: listed } = await searchPayments({ db }, SCOPE, { search: {}, cursor: null, limit: 10 });
    expect(new Set(listed.map(({ orderId }) => orderId))).toEqual(new Set(['Nr-1001', 'Nr-1002', null]));
    for (const text of ['Nr-1001', '7']) expect(await found(text), text).toEqual([mine]);
    // A part of it, another case, a key, and what is inside a list.
    for (const text of ['Nr-100', 'nr-1001', 'order', 'blue']) expect(await found(text), text).toEqual([]);
  });
});
