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
  const apply = (input: NewMerchant) =>
    database()
      .db.transaction()
      .execute((trx) => upsertMerchant(trx, input));
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
    const input = newMerchant();
    const { id, created } = await apply(input);
    expect(created).toBe(true);
    await changeElsewhere(id, `other-${input.email}`);
    expect(await apply({ ...input, settings: { ...input.settings } })).toEqual({
      id,
      created: false,
      changed: [],
    });
    expect(await stored(id)).toEqual({
      email: `other-${input.email}`,
      plan: 'business',
      settings: { toleranceBasisPoints: 75 },
    });
  });

  test('is updated with changed values of the file, each independently', async () => {
    const input = newMerchant();
    const { id } = await apply(input);
    await changeElsewhere(id, `other-${input.email}`);
    await apply({ ...input, settings: { windowMinutes: 20 } });
    expect(await stored(id)).toEqual({
      email: `other-${input.email}`,
      plan: 'business',
      settings: { windowMinutes: 20 },
    });
    await apply({ ...input, email: `new-${input.email}`, plan: 'professional', settings: { windowMinutes: 20 } });
    expect(await stored(id)).toEqual({
      email: `new-${input.email}`,
      plan: 'professional',
      settings: { windowMinutes: 20 },
    });
  });
});
