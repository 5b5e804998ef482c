import { expect, test } from 'vitest';
import type { TransactionContext } from '../../../../machines/index.ts';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { useApp } from '../support.ts';

describeDatabases('a minimum of confirmations set by the merchant', (database) => {
  const { app } = useApp(database);

  async function createWith(settings: object) {
    const merchant = await app().addMerchant();
    await database()
      .db.updateTable('merchant')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', merchant.id)
      .execute();
    const { status, body } = await app().call<{ data: TransactionView }>({
      method: 'POST',
      path: '/transactions/create',
      key: merchant.keys.sk_test,
      body: { crypto: 'DASH', amount: 25 },
    });
    expect(status).toBe(201);
    const { snapshot } = await database()
      .db.selectFrom('actor')
      .select('snapshot')
      .where('id', '=', body.data.transaction_id)
      .executeTakeFirstOrThrow();
    return { ...body.data, context: snapshot.context as TransactionContext };
  }

  test('rule 17, rule 18: above 1, the payment waits for depth even when a node reports a ChainLock', async () => {
    for (const [settings, required, waitsForDepth] of [
      [{}, 2, undefined],
      [{ minConfirmations: 1 }, 2, undefined],
      [{ minConfirmations: 2 }, 2, true],
      [{ minConfirmations: 30 }, 30, true],
    ] as const) {
      const { context, confirmations_required } = await createWith(settings);
      expect([context.waitsForDepth, context.confirmationsRequired, confirmations_required]).toEqual([
        waitsForDepth,
        required,
        required,
      ]);
    }
  });
});
