import { type Kysely, sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changePassword,
  findSession,
  listUsers,
  manageUser,
  resealTotpSecrets,
  signIn,
} from '../../src/accounts/index.ts';
import { totpContext } from '../../src/accounts/second-factor/totp.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { createAccountsHarness, outcomeOf, PASSWORD, signInRequest, uniqueAddress } from './harness.ts';

/** Each race is forced: all contestants must be waiting for a lock before any continues. */
describePostgres('between check and update', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  test('a changed password makes a concurrent sign-in with the old one fail', async () => {
    const deps = createAccountsHarness(database);
    const person = await deps.add('owner');
    const entering = await whileLocked(database.db, [person.id], async (trx) => {
      const pending = outcomeOf(signIn(deps, { ...signInRequest(person.email), address: uniqueAddress() }));
      await waiters(database.db, 1);
      await trx.updateTable('merchant_user').set({ password_hash: '-' }).where('id', '=', person.id).execute();
      return { pending };
    });
    expect(await entering.pending).toBe('WRONG_CREDENTIALS');
    expect(await deps.db.selectFrom('session').select('id').where('user_id', '=', person.id).execute()).toEqual([]);
  });

  test('a disabled login gets no session', async () => {
    const deps = createAccountsHarness(database);
    const person = await deps.add('staff');
    const entering = await whileLocked(database.db, [person.id], async (trx) => {
      const pending = outcomeOf(signIn(deps, { ...signInRequest(person.email), address: uniqueAddress() }));
      await waiters(database.db, 1);
      await trx
        .updateTable('merchant_user')
        .set({ disabled_at: new Date(0) })
        .where('id', '=', person.id)
        .execute();
      return { pending };
    });
    expect(await entering.pending).toBe('WRONG_CREDENTIALS');
  });

  test('an authenticator app that is replaced while secrets are resealed keeps its new secret', async () => {
    const deps = createAccountsHarness(database);
    const person = await deps.add('owner');
    await deps.addTotp(person);
    const [former, present] = [new Uint8Array(32), new Uint8Array(32).fill(7)];
    const renewed = createSecretBox(former).seal('JBSWY3DPEHPK3PXP', totpContext(person.id));
    const resealing = await whileLocked(database.db, [person.id], async (trx) => {
      const pending = resealTotpSecrets(deps.db, createSecretBox(present, former));
      await waiters(database.db, 1);
      await trx.updateTable('merchant_user').set({ sealed_totp_secret: renewed }).where('id', '=', person.id).execute();
      return { pending };
    });
    expect((await resealing.pending).resealed).toBeGreaterThan(0);
    const { sealed_totp_secret: sealed } = await deps.db
      .selectFrom('merchant_user')
      .select('sealed_totp_secret')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(createSecretBox(present).open(sealed ?? '', totpContext(person.id))).toBe('JBSWY3DPEHPK3PXP');
  });

  test('a newly enabled authenticator app is required at a concurrent sign-in', async () => {
    const deps = createAccountsHarness(database);
    const person = await deps.add('staff');
    const entering = await whileLocked(database.db, [person.id], async (trx) => {
      const pending = outcomeOf(signIn(deps, { ...signInRequest(person.email), address: uniqueAddress() }));
      await waiters(database.db, 1);
      const set = { sealed_totp_secret: 'sealed', totp_confirmed_at: new Date(0) };
      await trx.updateTable('merchant_user').set(set).where('id', '=', person.id).execute();
      return { pending };
    });
    expect(await entering.pending).toBe('CODE_REQUIRED');
  });

  test('of two password changes with the same old password, one succeeds, and the other session ends', async () => {
    const deps = createAccountsHarness(database);
    const person = await deps.add('owner');
    const [ann, bob] = [await deps.enter(person), await deps.enter(person)];
    const change = (password: string) => ({ currentPassword: PASSWORD, code: null, password, email: person.email });
    const changing = await whileLocked(database.db, [person.id], async () => {
      const first = outcomeOf(changePassword(deps, ann.signedIn, change('the harbour of ann')));
      const second = outcomeOf(changePassword(deps, bob.signedIn, change('the harbour of bob')));
      await waiters(database.db, 2);
      return { pending: [first, second] };
    });
    expect((await Promise.all(changing.pending)).sort()).toEqual(['WRONG_PASSWORD', 'done']);
    const open = [await findSession(deps, ann.token), await findSession(deps, bob.token)];
    expect(open.filter((session) => session !== null)).toHaveLength(1);
  });

  test('of two owners who demote and disable each other, one remains', async () => {
    const deps = createAccountsHarness(database);
    const merchantId = await deps.addMerchant();
    const [ann, bob] = [await deps.add('owner', merchantId), await deps.add('owner', merchantId)];
    const [asAnn, asBob] = [(await deps.enter(ann)).signedIn, (await deps.enter(bob)).signedIn];
    const acting = await whileLocked(database.db, [ann.id, bob.id], async () => {
      const first = outcomeOf(manageUser(deps, asAnn, bob.id, { role: 'staff' }));
      const second = outcomeOf(manageUser(deps, asBob, ann.id, { isDisabled: true }));
      await waiters(database.db, 2);
      return { pending: [first, second] };
    });
    expect((await Promise.all(acting.pending)).sort()).toEqual(['FORBIDDEN', 'done']);
    const users = await listUsers(deps.db, { merchantId });
    expect(users.filter(({ role, isDisabled }) => role === 'owner' && !isDisabled)).toHaveLength(1);
  });
});

// Helpers

/** Locks the rows of logins while `work` runs, and commits its changes. */
async function whileLocked<T>(
  db: Kysely<Database>,
  userIds: readonly string[],
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('merchant_user').select('id').where('id', 'in', userIds).orderBy('id').forUpdate().execute();
    return work(trx);
  });
}

/** Resolves once `count` connections wait for a lock. */
async function waiters(db: Kysely<Database>, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ waiting: number }>`
          select count(*) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows[0]?.waiting;
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(count);
}
