import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { up } from '../../src/db/migrations/2026_11_22_1500_accounts.ts';
import { describeDatabases } from '../support/database.ts';
import { people } from './people.ts';

describeDatabases('The table of logins', (database) => {
  test('refuses roles in the wrong place, a second login for an address, and an app without a secret', async () => {
    const deps = people(database());
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

  test('is not taken over while two logins differ in capitals alone; both are named, without their addresses', async () => {
    const { db } = database();
    const refusal = await db
      .transaction()
      .execute(async (trx) => {
        await sql`drop index merchant_user_email`.execute(trx);
        const deps = people({ db: trx });
        const merchantId = await deps.addMerchant();
        for (const [id, email] of [
          ['usr_a', 'Twin@people.example'],
          ['usr_b', 'twin@people.example'],
        ] as const) {
          await trx
            .insertInto('merchant_user')
            .values({ id, merchant_id: merchantId, email, password_hash: '-' })
            .execute();
        }
        await up(trx as unknown as Kysely<unknown>);
      })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining('usr_a and usr_b') });
    expect(String(refusal)).not.toContain('@');
  });
});
