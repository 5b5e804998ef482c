import { expect, test } from 'vitest';
import { openMerchant, resetPassword } from '../../src/accounts/index.ts';
import { isApproved } from '../../src/merchants/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { startConsole } from './console-app.ts';
import { createAccountsHarness, lastMail, outcomeOf, PASSWORD } from './harness.ts';

const NO_MAILS = { sendsMails: false };
let shops = 0;

function newShop() {
  shops += 1;
  return { name: `Bakery ${shops}`, email: `baker.${shops}@shop.example` };
}

describeDatabases('a merchant created by an operator', (database) => {
  test('is approved, and its owner sets a password with the link in the mail', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('operator'));
    const shop = newShop();
    const { id, invitationUrl } = await openMerchant(deps, signedIn, shop, { sendsMails: true });
    expect(invitationUrl).toBeNull();
    expect(await isApproved(deps.db, id)).toBe(true);
    const { token = '' } = (await lastMail(deps, shop.email)) ?? {};
    await resetPassword(deps, { token, password: PASSWORD });
    const owner = await deps.db.selectFrom('merchant_user').selectAll().where('email', '=', shop.email).execute();
    expect(owner).toMatchObject([{ merchant_id: id, role: 'owner' }]);
    const audit = deps.db.selectFrom('audit_entry').select(['who', 'what']).where('merchant_id', '=', id);
    expect(await audit.where('who', '=', `user ${signedIn.userId}`).orderBy('what').execute()).toMatchObject([
      { what: 'merchant.provisioned' },
      { what: 'user.invited' },
    ]);
  });

  test('gives the operator the link, which works once, when emails are off', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('operator'));
    const { invitationUrl } = await openMerchant(deps, signedIn, newShop(), NO_MAILS);
    const [page, token = ''] = invitationUrl?.split('#') ?? [];
    expect(page).toBe('https://pay.example.com/console/password-reset');
    expect(await outcomeOf(resetPassword(deps, { token, password: PASSWORD }))).toBe('done');
    expect(await outcomeOf(resetPassword(deps, { token, password: PASSWORD }))).toBe('INVALID_LINK');
  });

  test('is rejected with a name or address in use, and then nothing is stored', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('operator'));
    const shop = newShop();
    await openMerchant(deps, signedIn, shop, NO_MAILS);
    const merchants = () => deps.db.selectFrom('merchant').select('id').execute();
    const before = await merchants();
    const open = (input: { name: string; email: string }) => outcomeOf(openMerchant(deps, signedIn, input, NO_MAILS));
    expect(await open({ ...newShop(), name: shop.name.toUpperCase() })).toBe('MERCHANT_NAME_TAKEN');
    expect(await open({ ...newShop(), email: shop.email.toUpperCase() })).toBe('EMAIL_TAKEN');
    expect(await open({ ...newShop(), name: 'Visit https://evil.example/now' })).toBe('INVALID_NAME');
    expect(await open({ ...newShop(), email: 'nobody' })).toBe('INVALID_EMAIL');
    expect(await merchants()).toEqual(before);
  });

  test.each(['observer', 'owner', 'staff'] as const)('cannot be created by an %s', async (role) => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add(role));
    expect(await outcomeOf(openMerchant(deps, signedIn, newShop(), NO_MAILS))).toBe('FORBIDDEN');
  });

  test('can be created in the console by operators only, after they have just entered their password', async () => {
    const deps = createAccountsHarness(database(), { reauthMinutes: 10 });
    const app = await startConsole(deps, NO_MAILS);
    const post = async (role: 'operator' | 'observer' | 'owner') => {
      const cookie = await app.cookieOf((await deps.add(role)).email, PASSWORD);
      return app.call({ method: 'POST', path: '/merchants', body: newShop(), cookie });
    };
    expect(await post('operator')).toMatchObject({
      status: 201,
      data: { id: expect.stringMatching(/^mer_/), invitationUrl: expect.stringContaining('password-reset#') },
    });
    expect((await post('observer')).status).toBe(403);
    expect((await post('owner')).status).toBe(403);
    const cookie = await app.cookieOf((await deps.add('operator')).email, PASSWORD);
    deps.clock.advance(11 * 60_000);
    const late = await app.call({ method: 'POST', path: '/merchants', body: newShop(), cookie });
    expect([late.status, JSON.parse(late.text)]).toEqual([403, expect.objectContaining({ error: 'REAUTH_REQUIRED' })]);
    await app.stop();
  });
});
