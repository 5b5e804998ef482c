import { expect, test } from 'vitest';
import { type NewMerchant, upsertMerchant } from '../../src/merchants/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';

describeDatabases('a merchant in the provisioning file', (database) => {
  let merchants = 0;

  function newMerchant(): NewMerchant {
    merchants += 1;
    const email = `shop${merchants}@shop.test`;
    return { name: `Shop ${merchants}`, email, plan: 'starter', settings: { toleranceBasisPoints: 10 } };
  }
  const apply = (wanted: NewMerchant) =>
    database()
      .db.transaction()
      .execute((trx) => upsertMerchant(trx, wanted));
  const stored = (id: string) =>
    database()
      .db.selectFrom('merchant')
      .select(['email', 'plan', 'settings'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  /** As owners and purchases do. */
  const changeElsewhere = (id: string, email: string) =>
    database()
      .db.updateTable('merchant')
      .set({ email, plan: 'business', settings: JSON.stringify({ toleranceBasisPoints: 75 }) })
      .where('id', '=', id)
      .execute();

  test('keeps changes made in the meantime when the same file is applied again', async () => {
    const wanted = newMerchant();
    const { id, created } = await apply(wanted);
    expect(created).toBe(true);
    await changeElsewhere(id, `other-${wanted.email}`);
    expect(await apply({ ...wanted, settings: { ...wanted.settings } })).toEqual({
      id,
      created: false,
      changed: [],
      logoBefore: null,
    });
    expect(await stored(id)).toEqual({
      email: `other-${wanted.email}`,
      plan: 'business',
      settings: { toleranceBasisPoints: 75 },
    });
  });

  test('is updated with changed values of the file, each independently', async () => {
    const wanted = newMerchant();
    const { id } = await apply(wanted);
    await changeElsewhere(id, `other-${wanted.email}`);
    await apply({ ...wanted, settings: { windowMinutes: 20 } });
    expect(await stored(id)).toEqual({
      email: `other-${wanted.email}`,
      plan: 'business',
      settings: { windowMinutes: 20 },
    });
    await apply({ ...wanted, email: `new-${wanted.email}`, plan: 'professional', settings: { windowMinutes: 20 } });
    expect(await stored(id)).toEqual({
      email: `new-${wanted.email}`,
      plan: 'professional',
      settings: { windowMinutes: 20 },
    });
  });
});
