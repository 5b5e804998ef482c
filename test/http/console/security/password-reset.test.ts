import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
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
