import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeDatabases } from '../support/database/test-database.ts';
import { createAccountsHarness } from './harness.ts';

describeDatabases('the table of logins', (database) => {
  test('rejects a role in the wrong place, a second login for an address, and an app without a secret', async () => {
    const deps = createAccountsHarness(database());
    const owner = await deps.add('owner');
    const update = (set: string) =>
      sql`update merchant_user set ${sql.raw(set)} where id = ${owner.id}`.execute(deps.db);
    await expect(update(`role = 'operator'`)).rejects.toThrow(/merchant_user_place/);
    await expect(update('merchant_id = null')).rejects.toThrow(/merchant_user_place/);
    await expect(update(`role = 'king'`)).rejects.toThrow(/check/);
    await expect(update('totp_confirmed_at = now()')).rejects.toThrow(/merchant_user_totp/);
    const other = await deps.add('owner');
    await expect(update(`email = '${other.email.toUpperCase()}'`)).rejects.toThrow(/merchant_user_email/);
  });
});
