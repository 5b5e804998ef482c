import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { reportExcess } from '../../src/recurring/projection/excess.ts';
import { OPENED_AT, TERMS } from '../machines/transaction/terms.ts';
import { createPaymentRun } from '../payments/support/payment-run.ts';
import { describeDatabases } from '../support/database/test-database.ts';

describeDatabases('a period that was paid twice', (database) => {
  beforeEach(async () => {
    const { db } = database();
    for (const table of ['mail', 'merchant_user', 'operator_alert']) {
      await sql`delete from ${sql.table(table)}`.execute(db);
    }
    await createPaymentRun(database());
    const { merchantId } = TERMS;
    await db
      .insertInto('merchant_user')
      .values({
        id: newId('usr'),
        merchant_id: merchantId,
        email: 'ann@shop.example',
        role: 'owner',
        password_hash: '-',
      })
      .execute();
  });

  test.each([
    ['live', [{ alert: 'period_paid_twice' }], [{ subject: 'A recurring payment was paid twice' }]],
    ['test', [], []],
  ] as const)(
    'in %s mode is reported to operators and merchant only if coins are to be given back',
    async (mode, alerts, mails) => {
      const { db } = database();
      const scheduleId = 'sch_1';
      const excess = { transactionId: newId('txn'), scheduleId, periodNo: 1, at: OPENED_AT };
      const details = {
        merchantId: TERMS.merchantId,
        merchantName: 'A shop',
        merchantSettings: {},
        mode,
        reference: null,
        customerEmail: 'eve@mail.example',
        description: 'Coffee',
        amountFiat: '25',
        currencyFiat: 'EUR',
        mayBeWrittenTo: true,
      } as const;
      await db.transaction().execute((trx) => reportExcess(trx, [excess], new Map([[scheduleId, details]])));
      expect(await db.selectFrom('operator_alert').select('alert').execute()).toEqual(alerts);
      expect(await db.selectFrom('mail').select('subject').execute()).toEqual(mails);
    },
  );
});
