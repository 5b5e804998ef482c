import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../machines/index.ts';
import { reauthenticate, signIn, TooManyAttempts } from '../../src/accounts/index.ts';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  countAttempt,
  countRightPassword,
  forgetAttempts,
  forgetPasswordAttempts,
  type Limit,
  RIGHT_PASSWORD_LIMIT,
  throttleKey,
  uncountAttempt,
} from '../../src/accounts/throttle.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createAccountsHarness, outcomeOf, PASSWORD, signedInUserOf, signInRequest, uniqueAddress } from './harness.ts';

const LIMIT: Limit = { free: 3, longestWaitMs: 8_000, windowMs: 60_000 };

describeDatabases('the throttle', (database) => {
  test('allows the free attempts, then waits 1, 2, 4, 8 seconds up to the maximum, and resets after its window', async () => {
    const deps = createAccountsHarness(database());
    for (let attempt = 0; attempt < LIMIT.free; attempt += 1) await countAttempt(deps, 'exact', LIMIT);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await countAttempt(deps, 'exact', LIMIT);
      const rejection = await countAttempt(deps, 'exact', LIMIT).catch((error: unknown) => error);
      if (!(rejection instanceof TooManyAttempts)) throw new Error('was not refused');
      waits.push(rejection.retryAfterMs);
      deps.clock.advance(rejection.retryAfterMs);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    await countAttempt(deps, 'exact', LIMIT);
    deps.clock.advance(7_999);
    expect(await outcomeOf(countAttempt(deps, 'exact', LIMIT))).toBe('TOO_MANY_ATTEMPTS');
    deps.clock.advance(LIMIT.windowMs - 7_999);
    for (let attempt = 0; attempt < LIMIT.free; attempt += 1) await countAttempt(deps, 'exact', LIMIT);
  });

  test('allows the same number of a hundred concurrent attempts as of sequential ones', async () => {
    const deps = createAccountsHarness(database());
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => outcomeOf(countAttempt(deps, 'at-once', LIMIT))),
    );
    // The first attempt beyond the free ones starts the wait.
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(LIMIT.free + 1);
  });

  test('counts kinds, client addresses and users separately', async () => {
    const deps = createAccountsHarness(database());
    const keys = [
      throttleKey.passwordsOf('a@b.example'),
      throttleKey.emailsTo('a@b.example'),
      throttleKey.codesOf('usr_1'),
      throttleKey.emailsBy('usr_1'),
      throttleKey.signInsFrom('192.0.2.1'),
      throttleKey.emailsFrom('192.0.2.1'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(throttleKey.passwordsOf(' A@B.example ')).toBe(throttleKey.passwordsOf('a@b.example'));
    // A residential customer has a whole /64.
    expect(throttleKey.signInsFrom('2001:db8::1')).toBe(throttleKey.signInsFrom('2001:db8::ffff'));
    expect(throttleKey.signInsFrom('2001:db8::1')).not.toBe(throttleKey.signInsFrom('2001:db8:0:1::1'));
    // An attacker often has a whole /56, and every +tag of one mailbox.
    expect(throttleKey.emailsFrom('2001:db8:0:1::1')).toBe(throttleKey.emailsFrom('2001:db8:0:fe::1'));
    expect(throttleKey.emailsFrom('2001:db8:0:1::1')).not.toBe(throttleKey.emailsFrom('2001:db8:0:100::1'));
    expect(throttleKey.emailsTo('A+one+two@B.example')).toBe(throttleKey.emailsTo('a@b.example'));
    expect(throttleKey.emailsTo('+a@b.example')).not.toBe(throttleKey.emailsTo('+c@b.example'));
    for (const key of keys) for (let i = 0; i <= LIMIT.free; i += 1) await countAttempt(deps, key, LIMIT);
    const rows = await deps.db.selectFrom('login_throttle').select('key').execute();
    expect(rows.every(({ key }) => !key.includes('@'))).toBe(true);
  });

  test('reverts an attempt, resets on demand, and deletes old rows', async () => {
    const deps = createAccountsHarness(database());
    for (let attempt = 0; attempt <= LIMIT.free; attempt += 1) await countAttempt(deps, 'back', LIMIT);
    expect(await outcomeOf(countAttempt(deps, 'back', LIMIT))).toBe('TOO_MANY_ATTEMPTS');
    await uncountAttempt(deps.db, 'back');
    await countAttempt(deps, 'back', LIMIT);
    expect(await outcomeOf(countAttempt(deps, 'back', LIMIT))).toBe('TOO_MANY_ATTEMPTS');
    await forgetAttempts(deps.db, 'back');
    for (let attempt = 0; attempt < LIMIT.free; attempt += 1) await countAttempt(deps, 'back', LIMIT);
    deps.clock.advance(2 * 24 * 60 * 60 * 1_000);
    for (let attempt = 0; attempt < 20; attempt += 1) await countAttempt(deps, 'fresh', { ...LIMIT, free: 100 });
    const left = await deps.db.selectFrom('login_throttle').select('key').execute();
    expect(left).toEqual([{ key: 'fresh' }]);
  });

  describe('at sign-in', () => {
    test('lets a hundred concurrent wrong passwords try only a few, and makes the right one wait', async () => {
      const deps = createAccountsHarness(database());
      const person = await deps.add('owner');
      const wrong = { ...signInRequest(person.email, 'wrong password 1'), address: uniqueAddress() };
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => outcomeOf(signIn(deps, { ...wrong, address: uniqueAddress() }))),
      );
      const counts = { wrong: outcomes.filter((code) => code === 'WRONG_CREDENTIALS').length, all: outcomes.length };
      expect(counts).toEqual({ wrong: ACCOUNT_LIMIT.free + 1, all: 100 });
      expect(outcomes.filter((code) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(100 - counts.wrong);
      const right = { ...wrong, password: PASSWORD, address: uniqueAddress() };
      expect(await outcomeOf(signIn(deps, right))).toBe('TOO_MANY_ATTEMPTS');
      deps.clock.advance(ACCOUNT_LIMIT.longestWaitMs);
      expect(await outcomeOf(signIn(deps, right))).toBe('done');
    });

    test('slows down one client address that tries many logins, without making their owners wait', async () => {
      const deps = createAccountsHarness(database());
      const person = await deps.add('owner');
      const address = uniqueAddress();
      const tries = ADDRESS_LIMIT.free + 1;
      for (let login = 0; login < tries; login += 1) {
        const request = { ...signInRequest(`nobody${login}@nowhere.example`), address };
        expect(await outcomeOf(signIn(deps, request))).toBe('WRONG_CREDENTIALS');
      }
      const request = signInRequest(person.email);
      for (let again = 0; again < 20; again += 1) {
        expect(await outcomeOf(signIn(deps, { ...request, address }))).toBe('TOO_MANY_ATTEMPTS');
      }
      expect(await outcomeOf(signIn(deps, { ...request, address: uniqueAddress() }))).toBe('done');
    });

    test("never makes the owner wait for others' guesses where the owner has signed in before", async () => {
      const deps = createAccountsHarness(database());
      const person = await deps.add('owner');
      const home = { ...signInRequest(person.email), address: uniqueAddress() };
      const { token } = await signIn(deps, home);
      const signedIn = await signedInUserOf(deps, token);
      const guess = () => outcomeOf(signIn(deps, { ...home, password: 'wrong password 1', address: uniqueAddress() }));
      for (let time = 0; time <= ACCOUNT_LIMIT.free + 3; time += 1) await guess();
      expect(await guess()).toBe('TOO_MANY_ATTEMPTS');
      expect(await outcomeOf(signIn(deps, { ...home, address: uniqueAddress() }))).toBe('TOO_MANY_ATTEMPTS');
      expect(await outcomeOf(signIn(deps, home))).toBe('done');
      expect(await outcomeOf(reauthenticate(deps, signedIn, { password: PASSWORD, code: null }))).toBe('done');
      // Wrong attempts from there are counted per network, and only that network has to wait.
      const wrong = { ...home, password: 'wrong password 1' };
      const outcomes: string[] = [];
      for (let time = 0; time <= ACCOUNT_LIMIT.free + 1; time += 1) outcomes.push(await outcomeOf(signIn(deps, wrong)));
      expect(outcomes.at(-1)).toBe('TOO_MANY_ATTEMPTS');
      // Another login is unknown on that network.
      const other = await deps.add('owner');
      for (let time = 0; time <= ACCOUNT_LIMIT.free; time += 1) {
        await outcomeOf(signIn(deps, { ...wrong, email: other.email, address: uniqueAddress() }));
      }
      expect(await outcomeOf(signIn(deps, { ...home, email: other.email }))).toBe('TOO_MANY_ATTEMPTS');
    });

    test('accepts the right password of a login a number of times an hour, with confirmations together', async () => {
      const deps = createAccountsHarness(database());
      const person = await deps.add('owner');
      const request = { ...signInRequest(person.email), address: uniqueAddress() };
      const { signedIn } = await deps.enter(person);
      const confirm = (password = PASSWORD) => outcomeOf(reauthenticate(deps, signedIn, { password, code: null }));
      const enter = () => outcomeOf(signIn(deps, request));
      const { free } = RIGHT_PASSWORD_LIMIT;
      for (let time = 2; time < free; time += 1) expect(await (time % 2 === 0 ? enter() : confirm())).toBe('done');
      expect(await confirm('wrong password 1')).toBe('WRONG_PASSWORD');
      // The last free one, and one more, which begins the wait.
      expect([await confirm(), await enter(), await enter(), await confirm('wrong password 1')]).toEqual([
        'done',
        'done',
        'TOO_MANY_ATTEMPTS',
        'TOO_MANY_ATTEMPTS',
      ]);
      expect(await outcomeOf(deps.enter(await deps.add('owner')))).toBe('done');
      await forgetPasswordAttempts(deps.db, person.email);
      expect(await enter()).toBe('done');
      deps.clock.advance(HOUR_MS);
      for (let time = 0; time < free; time += 1) expect(await confirm()).toBe('done');
    });

    test('a wrong password shortens no wait that right ones have caused', async () => {
      const deps = createAccountsHarness(database());
      const check = (isRight: boolean, meanwhile: () => Promise<unknown> = async () => {}) =>
        outcomeOf(
          countRightPassword(deps, 'ann@people.example', async () => {
            await meanwhile();
            return isRight;
          }),
        );
      const { free } = RIGHT_PASSWORD_LIMIT;
      for (let time = 2; time <= free; time += 1) expect(await check(true)).toBe('done');
      // The wrong one is the last free attempt, and ends after a right one that begins a wait.
      expect(await check(false, () => check(true))).toBe('done');
      expect(await check(true)).toBe('TOO_MANY_ATTEMPTS');
    });

    test('counts no attempt with the right password', async () => {
      const deps = createAccountsHarness(database());
      const person = await deps.add('owner');
      const request = { ...signInRequest(person.email), address: uniqueAddress() };
      for (let time = 0; time < ADDRESS_LIMIT.free + 5; time += 1)
        expect(await outcomeOf(signIn(deps, request))).toBe('done');
    });
  });
});
