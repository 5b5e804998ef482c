import { createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import {
  changePassword,
  confirmSignUp,
  requestPasswordReset,
  resetPassword,
  signUp,
} from '../../src/accounts/index.ts';
import { hashPassword } from '../../src/accounts/password/password.ts';
import { ACCOUNT_LIMIT, LINK_LIMIT } from '../../src/accounts/throttle.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createAccountsHarness, lastMail, outcomeOf, PASSWORD, uniqueAddress } from './harness.ts';

const MANY = 30;

describeDatabases('password hashing', (database) => {
  test('runs a few times per link, and not for a rejected password, so that the owner can try again', async () => {
    const deps = createAccountsHarness(database());
    const { email } = await deps.add('owner');
    await requestPasswordReset(deps, { email, address: uniqueAddress() });
    const { token = '' } = (await lastMail(deps, email)) ?? {};
    const choose = (password: string) => outcomeOf(resetPassword(deps, { token, password }));
    expect(await many(() => choose(`x${email}`))).toEqual({ hashes: 0, outcomes: { WEAK_PASSWORD: MANY } });
    expect(await many(() => choose(PASSWORD))).toMatchObject({ hashes: LINK_LIMIT.free + 1, outcomes: { done: 1 } });
  });

  test('runs a few times per sign-up link, and not for a name or address that is taken', async () => {
    const deps = createAccountsHarness(database());
    const sign = async (email: string, merchantName: string) => {
      await signUp(deps, { email, merchantName, address: uniqueAddress() });
      const { token = '' } = (await lastMail(deps, email)) ?? {};
      return () => outcomeOf(confirmSignUp(deps, { token, password: PASSWORD }));
    };
    const confirm = await sign('hash1@people.example', 'Hashes 1');
    const sameAddress = await sign('hash1@people.example', 'Hashes 2');
    const sameName = await sign('hash2@people.example', 'hashes 1');
    expect(await many(confirm)).toMatchObject({ hashes: LINK_LIMIT.free + 1, outcomes: { done: 1 } });
    expect(await many(sameAddress)).toEqual({ hashes: 0, outcomes: { EMAIL_TAKEN: MANY } });
    expect(await many(sameName)).toEqual({ hashes: 0, outcomes: { MERCHANT_NAME_TAKEN: MANY } });
  });

  test('runs for a password change only as often as the current password may be tried', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const { signedIn } = await deps.enter(person);
    const change = {
      currentPassword: 'wrong password 1',
      code: null,
      password: 'another quiet harbour',
      email: person.email,
    };
    const tries = ACCOUNT_LIMIT.free + 1;
    // Each try compares the current password, which is a hash too.
    expect(await many(() => outcomeOf(changePassword(deps, signedIn, change)))).toEqual({
      hashes: tries,
      outcomes: { WRONG_PASSWORD: tries, TOO_MANY_ATTEMPTS: MANY - tries },
    });
    deps.clock.advance(ACCOUNT_LIMIT.longestWaitMs);
    expect(await outcomeOf(changePassword(deps, signedIn, { ...change, currentPassword: PASSWORD }))).toBe('done');
  });

  test('runs on threads, where this file can count it', async () => {
    const { hashes } = await many(async () => (await hashPassword(PASSWORD)).slice(0, 9));
    expect(hashes).toBe(MANY);
  });
});

// Helpers

/** How many hashes many attempts at once cost, and how often each outcome came. */
async function many(attempt: () => Promise<string>) {
  let hashes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === ARGON2_TASK) hashes += 1;
    },
  }).enable();
  const outcomes: Record<string, number> = {};
  for (const outcome of await Promise.all(Array.from({ length: MANY }, attempt))) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  hook.disable();
  return { hashes, outcomes };
}

/** What Node.js calls the thread task of the Argon2 module, which gives it no name. */
const ARGON2_TASK = 'undefined';
