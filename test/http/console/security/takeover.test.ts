import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { POLLING } from '../../../support/polling.ts';
import { describeConsole } from '../support/describe-console.ts';

describeConsole('an operator who tries to become the owner of a merchant', {}, async (console) => {
  const operate = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    console.call('operator', { method, path, ...(body === undefined ? {} : { body }) });
  const rolesOf = async (merchantId: string) =>
    console.db
      .selectFrom('merchant_user')
      .select(['id', 'role', 'disabled_at', 'password_hash'])
      .where('merchant_id', '=', merchantId)
      .orderBy('id')
      .execute();
  let before: Awaited<ReturnType<typeof rolesOf>>;
  beforeAll(async () => {
    before = await rolesOf(console.merchantId);
  });

  test.each(['owner', 'staff', 'operator', 'observer'])('cannot invite a user to a merchant as %s', async (role) => {
    const { merchantId } = console;
    const response = await operate('POST', '/users', { email: `taker-${role}@example.com`, role, merchantId });
    expect(response, response.text).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    const without = await operate('POST', '/users', { email: `taker2-${role}@example.com`, role });
    const isOfMerchant = role === 'owner' || role === 'staff';
    expect(without.error, without.text).toBe(isOfMerchant ? 'FORBIDDEN' : undefined);
  });

  test.each([{ role: 'owner' }, { isDisabled: true }, { isDisabled: false }, { role: 'staff', isDisabled: false }])(
    'cannot change a login of a merchant: %j',
    async (changes) => {
      for (const { id } of before) {
        const response = await operate('PATCH', `/users/${id}`, changes);
        expect(response, response.text).toMatchObject({ status: 403, error: 'FORBIDDEN' });
      }
    },
  );

  test('finds no password link in stored mails', async () => {
    const { email } = console.users.owner;
    expect(
      (await console.call(null, { method: 'POST', path: '/password-reset/request', body: { email } })).status,
    ).toBe(202);
    const invited = { email: `colleague-of-${email}`, role: 'observer' };
    expect((await operate('POST', '/users', invited)).status).toBe(201);
    const rejected = { email: `staff-of-${email}`, role: 'staff' };
    const { status, error } = await console.call('owner', { method: 'POST', path: '/users', body: rejected });
    expect([status, error]).toEqual([409, 'SENDS_NO_MAILS']);
    const rows = await vi.waitUntil(async () => {
      const found = await sql<{ id: string; text: string }>`
        select id, text from mail where recipient in (${email}, ${invited.email}) and text like '%/console/%#%'`.execute(
        console.db,
      );
      return found.rows.length === 2 ? found.rows : null;
    }, POLLING);
    const tokens = rows.map(({ text }) => /#([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? '');
    expect(tokens).toEqual([expect.stringMatching(/.{43}/), expect.stringMatching(/.{43}/)]);
    for (const { id } of rows) {
      // The mail worker stores it in its next round.
      const shown = await vi.waitUntil(async () => {
        const response = await operate('GET', `/mails/${id}`);
        return response.status === 404 ? null : response;
      }, POLLING);
      expect(shown.status, shown.text).toBe(200);
      expect(shown.data.text).toBeNull();
      for (const token of tokens) expect(shown.text).not.toContain(token);
    }
  });

  test('has changed no login of the merchant', async () => {
    const after = await rolesOf(console.merchantId);
    expect(after.filter(({ id }) => before.some((one) => one.id === id))).toEqual(before);
  });
});
