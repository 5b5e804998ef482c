import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { offerSetup } from '../../src/accounts/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { startConsole } from './console-app.ts';
import { codeAt, createAccountsHarness, keptLog, lastMail, PASSWORD } from './harness.ts';

/** All tables of accounts. Emails keep their links until they are sent. */
const TABLES = [
  'merchant_user',
  'session',
  'recovery_code',
  'login_throttle',
  'account_token',
  'sign_up',
  'setup_link',
  'audit_entry',
] as const;
/** An email address is stored only in these tables. */
const TABLES_WITH_ADDRESSES: readonly string[] = ['merchant_user', 'sign_up'];

describeDatabases('passwords, tokens, codes and addresses', (database) => {
  test('appear in no log and no audit entry, and no table contains a usable secret', async () => {
    const { log, text } = keptLog();
    const deps = createAccountsHarness(database());
    const app = await startConsole(deps, { log });
    const secrets: string[] = [PASSWORD, (await offerSetup(deps)) ?? ''];
    const person = await deps.add('owner');
    const addresses: string[] = [person.email];
    const post = (path: string, body: unknown, cookie?: string) =>
      app.call({ method: 'POST', path, body, ...(cookie === undefined ? {} : { cookie }) });

    const cookie = await app.cookieOf(person.email, PASSWORD);
    secrets.push(cookie.split('=')[1] ?? '');
    const { secret } = (await post('/totp/begin', { password: PASSWORD }, cookie)).data as { secret: string };
    const code = codeAt(secret, deps.clock.now());
    const { recoveryCodes } = (await post('/totp/confirm', { code }, cookie)).data as { recoveryCodes: string[] };
    secrets.push(secret, ...recoveryCodes, ...recoveryCodes.map((each) => each.replaceAll('-', '')));
    await post('/sign-in', { email: person.email, password: PASSWORD, code: recoveryCodes[0] });
    await post('/sign-in', { email: person.email, password: 'a wrong password of hers' });
    await post('/sign-in', { email: 'a.person@nowhere.example', password: 'a wrong password of hers' });
    const change = { currentPassword: PASSWORD, code: recoveryCodes[1], password: 'a new password of hers' };
    expect((await post('/password', change, cookie)).status).toBe(200);
    await post('/users', { email: 'invited@people.example', role: 'staff' }, cookie);
    await post('/password-reset/request', { email: person.email });
    await vi.waitFor(
      async () => expect(await lastMail(deps, person.email)).toMatchObject({ subject: 'Set a new password' }),
      POLLING,
    );
    await post('/sign-up', {
      email: 'newcomer@people.example',
      merchantName: 'A newcomer',
    });
    await post('/sign-up', { email: 'second@people.example', merchantName: 'A second newcomer' });
    const { token } = (await lastMail(deps, 'second@people.example')) ?? {};
    await post('/sign-up/confirm', { token, password: 'password of newcomer' });
    await post('/sign-in', { email: 'broken@people.example', password: ['a wrong password of hers'] });
    secrets.push('a wrong password of hers', 'a new password of hers', 'password of newcomer');
    addresses.push(
      'a.person@nowhere.example',
      'invited@people.example',
      'newcomer@people.example',
      'second@people.example',
      'broken@people.example',
    );
    for (const email of [person.email, 'invited@people.example', 'newcomer@people.example']) {
      const { token = '' } = (await lastMail(deps, email)) ?? {};
      expect(token).toHaveLength(43);
      secrets.push(token);
    }
    expect(await app.call({ path: '/broken' })).toMatchObject({ status: 500, error: 'INTERNAL_ERROR' });
    await app.stop();

    expect(text()).toContain('a request failed');
    for (const hidden of [...secrets, ...addresses, 'ann@shop.example', 'hunter2'])
      expect(text()).not.toContain(hidden);
    for (const table of TABLES) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(deps.db);
      const kept = rows.map(({ row }) => row).join('\n');
      expect([table, kept.length > 0]).toEqual([table, true]);
      for (const each of secrets) expect([table, kept.includes(each)]).toEqual([table, false]);
      if (TABLES_WITH_ADDRESSES.includes(table)) continue;
      for (const each of addresses)
        expect([table, kept.toLowerCase().includes(each.toLowerCase())]).toEqual([table, false]);
    }
    const { rows } = await sql<{ what: string }>`
      select distinct what from audit_entry where who like ${`user ${person.id}`} order by what`.execute(deps.db);
    expect(rows.map(({ what }) => what)).toEqual([
      'session.started',
      'user.invited',
      'user.password_changed',
      'user.recovery_code_used',
      'user.totp_begun',
      'user.totp_confirmed',
    ]);
  });
});
