import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startConsole } from '../../../accounts/console-app.ts';
import { createAccountsHarness } from '../../../accounts/harness.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { describeConsole } from '../support/describe-console.ts';

describeConsole('a password reset request', {}, (console) => {
  test('is answered before the login of the address is looked up', async () => {
    const { email } = console.users.staff;
    const request = (address: string) =>
      console.call(null, { method: 'POST', path: '/password-reset/request', body: { email: address } });
    const mailsTo = (recipient: string) =>
      console.db.selectFrom('mail').select('subject').where('recipient', '=', recipient).execute();
    await console.db.transaction().execute(async (trx) => {
      // Blocks every query of a login until this transaction ends.
      await sql`lock table merchant_user in access exclusive mode`.execute(trx);
      for (const address of [email, `nobody-${email}`]) {
        expect(await request(address)).toMatchObject({ status: 202, data: { data: null } });
      }
    });
    await vi.waitFor(async () => expect(await mailsTo(email)).toEqual([{ subject: 'Set a new password' }]), POLLING);
    expect(await mailsTo(`nobody-${email}`)).toEqual([]);
  });
});

describeDatabases('an answer to a stranger', (database) => {
  test('returns the same for a wrong password, an unknown login, a disabled and an invited one', async () => {
    const deps = createAccountsHarness(database());
    const app = await startConsole(deps);
    const post = (path: string, body: unknown) => app.call({ method: 'POST', path, body });
    const [known, disabled, invited] = [await deps.add('owner'), await deps.add('owner'), await deps.add('owner')];
    const update = (id: string, set: object) =>
      deps.db.updateTable('merchant_user').set(set).where('id', '=', id).execute();
    await update(disabled.id, { disabled_at: new Date(0) });
    await update(invited.id, { password_hash: null });
    const emails = [known.email, 'nobody@nowhere.example', disabled.email, invited.email, 'not an address'];
    const responses = [];
    for (const email of emails) {
      const { status, text, headers } = await post('/sign-in', { email, password: 'some wrong password' });
      responses.push({ status, text, names: Object.keys(headers).sort() });
    }
    expect(responses[0]?.status).toBe(401);
    for (const response of responses) expect(response).toEqual(responses[0]);
    const resets = [];
    for (const email of emails) resets.push((await post('/password-reset/request', { email })).text);
    expect(new Set(resets)).toEqual(new Set(['{"data":null}']));
    await app.stop();
  });
});
