import { expect, test } from 'vitest';
import { findSession, isSetupOpen, offerSetup, type SetupRequest, setUp } from '../../src/accounts/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { startConsole } from './console-app.ts';
import { type AccountsHarness, createAccountsHarness, outcomeOf, PASSWORD, uniqueAddress } from './harness.ts';

const EMAIL = 'first@operator.example';

describeDatabases('the first user of an installation', (database) => {
  const requested = (token: string, changes: Partial<SetupRequest> = {}): SetupRequest => {
    return { token, email: EMAIL, password: PASSWORD, address: uniqueAddress(), userAgent: 'test', ...changes };
  };
  /** The database of the suite, without any login. */
  async function empty(): Promise<AccountsHarness> {
    const { db } = database();
    await db.deleteFrom('session').execute();
    await db.deleteFrom('merchant_user').execute();
    return createAccountsHarness({ db });
  }

  test('is created once, with the link of the latest start, and operates the service', async () => {
    const deps = await empty();
    const former = (await offerSetup(deps)) ?? '';
    const token = (await offerSetup(deps)) ?? '';
    expect(await isSetupOpen(deps.db)).toBe(true);
    expect(await outcomeOf(setUp(deps, requested(former)))).toBe('INVALID_LINK');
    const started = await setUp(deps, requested(token));
    const audit = deps.db.selectFrom('audit_entry').select('what').where('who', '=', 'setup').orderBy('what');
    expect(await audit.execute()).toEqual([{ what: 'session.started' }, { what: 'user.created' }]);
    expect(await findSession(deps, started.token)).toMatchObject({ email: EMAIL, role: 'operator', merchant: null });
    expect(await outcomeOf(setUp(deps, requested(token, { email: 'second@operator.example' })))).toBe('INVALID_LINK');
    expect(await isSetupOpen(deps.db)).toBe(false);
    expect(await offerSetup(deps)).toBeNull();
  });

  test('is not created with a weak password, a wrong address or a guessed token, and the link remains valid', async () => {
    const deps = await empty();
    const token = (await offerSetup(deps)) ?? '';
    expect(await outcomeOf(setUp(deps, requested(token, { password: 'short' })))).toBe('WEAK_PASSWORD');
    expect(await outcomeOf(setUp(deps, requested(token, { email: 'nobody' })))).toBe('INVALID_EMAIL');
    for (const guess of ['', 'A'.repeat(43), `${token}x`]) {
      expect(await outcomeOf(setUp(deps, requested(guess)))).toBe('INVALID_LINK');
    }
    expect(await outcomeOf(setUp(deps, requested(token)))).toBe('done');
  });

  test('is rejected once a user was created in another way', async () => {
    const deps = await empty();
    const token = (await offerSetup(deps)) ?? '';
    await deps.add('observer');
    expect(await isSetupOpen(deps.db)).toBe(false);
    expect(await outcomeOf(setUp(deps, requested(token)))).toBe('INVALID_LINK');
  });

  test('is a single one, however many requests come at once', async () => {
    const deps = await empty();
    const token = (await offerSetup(deps)) ?? '';
    const tries = Array.from({ length: 5 }, (_, index) =>
      setUp(deps, requested(token, { email: `n${index}@x.example` })),
    );
    const outcomes = await Promise.all(tries.map(outcomeOf));
    expect(outcomes.toSorted()).toEqual(['INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK', 'done']);
    expect(await deps.db.selectFrom('merchant_user').select('role').execute()).toEqual([{ role: 'operator' }]);
  });

  test('is created in the console, which signs them in', async () => {
    const deps = await empty();
    const app = await startConsole(deps);
    expect((await app.call({ path: '/setup' })).data).toEqual({ isOpen: false });
    const token = (await offerSetup(deps)) ?? '';
    expect((await app.call({ path: '/setup' })).data).toEqual({ isOpen: true });
    const body = { token, email: EMAIL, password: PASSWORD };
    const { status, data, setCookie } = await app.call({ method: 'POST', path: '/setup', body });
    expect([status, data]).toEqual([200, expect.objectContaining({ role: 'operator' })]);
    const cookie = setCookie?.split(';')[0] ?? '';
    expect((await app.call({ path: '/me', cookie })).data).toEqual(data);
    expect((await app.call({ path: '/setup' })).data).toEqual({ isOpen: false });
    await app.stop();
  });
});
