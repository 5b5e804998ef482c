import { expect, test } from 'vitest';
import { attachTestWallets } from '../../src/merchants/index.ts';
import { createPostgresDatabase, describePostgres } from '../support/database/test-database.ts';

describePostgres('wallets for test payments', () => {
  test('are created once by processes that start at the same moment', async () => {
    const database = await createPostgresDatabase();
    await Promise.all(Array.from({ length: 8 }, () => attachTestWallets(database.db)));
    const wallets = await database.db.selectFrom('wallet').select(['crypto', 'merchant_id']).execute();
    expect(wallets).toHaveLength(16);
    expect(new Set(wallets.map(({ crypto }) => crypto)).size).toBe(16);
    await database.drop();
  });
});
