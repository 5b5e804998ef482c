import { describe, expect, test } from 'vitest';
import {
  beginTotp,
  changePassword,
  confirmTotp,
  disableTotp,
  findSession,
  regenerateRecoveryCodes,
  resealTotpSecrets,
  signIn,
} from '../../src/accounts/index.ts';
import { CODE_LIMIT } from '../../src/accounts/throttle.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { codeAt, createAccountsHarness, outcomeOf, PASSWORD, signInRequest, uniqueAddress } from './harness.ts';

const STEP_MS = 30_000;

describeDatabases('the second factor', (database) => {
  test('is requested only after a correct password, and then signs the user in', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    deps.clock.advance(STEP_MS);
    const request = { ...signInRequest(person.email), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, { ...request, password: 'wrong password 1' }))).toBe('WRONG_CREDENTIALS');
    expect(await outcomeOf(signIn(deps, { ...request, password: 'wrong password 1', code: totp.code() }))).toBe(
      'WRONG_CREDENTIALS',
    );
    expect(await outcomeOf(signIn(deps, request))).toBe('CODE_REQUIRED');
    expect(await outcomeOf(signIn(deps, { ...request, code: '000000' }))).toBe('WRONG_CODE');
    const { token } = await deps.enter(person, totp.code());
    expect(await findSession(deps, token)).toMatchObject({ hasTotp: true, recoveryCodes: 10 });
  });

  test('accepts a code once, however many requests use it at the same time, and no earlier code', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    // The code that enabled it is used up.
    const request = { ...signInRequest(person.email), code: totp.code() };
    expect(await outcomeOf(signIn(deps, { ...request, address: uniqueAddress() }))).toBe('WRONG_CODE');
    deps.clock.advance(STEP_MS);
    const earlier = totp.code();
    deps.clock.advance(STEP_MS);
    const now = { ...request, code: totp.code() };
    const outcomes = await Promise.all(
      Array.from({ length: CODE_LIMIT.free - 1 }, () => outcomeOf(signIn(deps, { ...now, address: uniqueAddress() }))),
    );
    expect(outcomes.sort()).toEqual(['WRONG_CODE', 'WRONG_CODE', 'WRONG_CODE', 'done']);
    expect(await outcomeOf(signIn(deps, { ...request, code: earlier, address: uniqueAddress() }))).toBe('WRONG_CODE');
  });

  test('accepts a recovery code once, however it is typed and however many requests use it', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const { recoveryCodes } = await deps.addTotp(person);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^(?:[0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    const request = { ...signInRequest(person.email), code: first };
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => outcomeOf(signIn(deps, { ...request, address: uniqueAddress() }))),
    );
    expect(outcomes.sort()).toEqual(['WRONG_CODE', 'WRONG_CODE', 'WRONG_CODE', 'done']);
    const typed = second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    const { token } = await deps.enter(person, typed);
    expect(await findSession(deps, token)).toMatchObject({ recoveryCodes: 8 });
    const rows = await deps.db.selectFrom('recovery_code').select('code_hash').execute();
    expect(JSON.stringify(rows)).not.toContain(second.replaceAll('-', ''));
  });

  test('is required to change the password, which otherwise stays the same', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    deps.clock.advance(STEP_MS);
    const { signedIn } = await deps.enter(person, totp.code());
    const password = 'another quiet harbour';
    const change = (code: string | null, currentPassword = PASSWORD) =>
      outcomeOf(changePassword(deps, signedIn, { currentPassword, code, password, email: person.email }));
    expect(await change(null)).toBe('INVALID_REQUEST');
    expect(await change('000000')).toBe('WRONG_CODE');
    expect(await change(totp.code())).toBe('WRONG_CODE');
    deps.clock.advance(STEP_MS);
    expect(await change(totp.code(), 'wrong password 1')).toBe('WRONG_PASSWORD');
    expect(await change(totp.code())).toBe('done');
    const request = { ...signInRequest(person.email, password), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, request))).toBe('CODE_REQUIRED');
    const next = { currentPassword: password, code: '000000', password: 'a third quiet harbour', email: person.email };
    const guess = () => outcomeOf(changePassword(deps, signedIn, next));
    const outcomes = await Promise.all(Array.from({ length: CODE_LIMIT.free + 5 }, guess));
    expect(outcomes.filter((outcome) => outcome === 'WRONG_CODE')).toHaveLength(CODE_LIMIT.free + 1);
  });

  test('cannot be guessed by trying many codes at once', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    await deps.addTotp(person);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => {
        const code = String(100_000 + guess);
        return outcomeOf(signIn(deps, { ...signInRequest(person.email), code, address: uniqueAddress() }));
      }),
    );
    expect(outcomes.filter((code) => code !== 'TOO_MANY_ATTEMPTS').length).toBeLessThanOrEqual(CODE_LIMIT.free + 1);
  });

  test('cannot be used up by the thief of a session who does not know the password', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    deps.clock.advance(STEP_MS);
    const { signedIn } = await deps.enter(person, totp.code());
    const wrong = { password: 'wrong password 1', code: '000000' };
    const change = { currentPassword: wrong.password, code: wrong.code, password: PASSWORD, email: person.email };
    for (let attempt = 0; attempt < 2 * CODE_LIMIT.free; attempt += 1) {
      expect(await outcomeOf(confirmTotp(deps, signedIn, '000000'))).toBe('TOTP_IS_ON');
      await outcomeOf(disableTotp(deps, signedIn, wrong));
      await outcomeOf(changePassword(deps, signedIn, change));
    }
    deps.clock.advance(STEP_MS);
    const request = { ...signInRequest(person.email), code: totp.code(), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, request))).toBe('done');
  });

  test('is set up with the password and one code, and ends sessions that began without it', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const [mine, other] = [await deps.enter(person), await deps.enter(person)];
    expect(await outcomeOf(confirmTotp(deps, mine.signedIn, '123456'))).toBe('TOTP_IS_OFF');
    expect(await outcomeOf(beginTotp(deps, mine.signedIn, 'wrong password 1'))).toBe('WRONG_PASSWORD');
    const abandoned = await beginTotp(deps, mine.signedIn, PASSWORD);
    const { secret } = await beginTotp(deps, mine.signedIn, PASSWORD);
    await expect(confirmTotp(deps, mine.signedIn, codeAt(abandoned.secret, deps.clock.now()))).rejects.toMatchObject({
      code: 'WRONG_CODE',
      message: 'That code is wrong or expired. Enter the code your app shows now.',
    });
    // Until it is confirmed, sign-in does not require it.
    expect(await outcomeOf(signIn(deps, { ...signInRequest(person.email), address: uniqueAddress() }))).toBe('done');
    await confirmTotp(deps, mine.signedIn, ` ${codeAt(secret, deps.clock.now())}`);
    expect(await findSession(deps, other.token)).toBeNull();
    expect(await findSession(deps, mine.token)).toMatchObject({ hasTotp: true });
    expect(await outcomeOf(beginTotp(deps, mine.signedIn, PASSWORD))).toBe('TOTP_IS_ON');
    expect(await outcomeOf(confirmTotp(deps, mine.signedIn, codeAt(secret, deps.clock.now())))).toBe('TOTP_IS_ON');
  });

  test('can be changed and turned off only with both factors', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const { signedIn } = await deps.enter(person);
    const none = { password: PASSWORD, code: '123456' };
    expect(await outcomeOf(disableTotp(deps, signedIn, none))).toBe('TOTP_IS_OFF');
    expect(await outcomeOf(regenerateRecoveryCodes(deps, signedIn, none))).toBe('TOTP_IS_OFF');
    const totp = await deps.addTotp(person);
    deps.clock.advance(STEP_MS);
    const entered = await deps.enter(person, totp.code());
    for (const change of [disableTotp, regenerateRecoveryCodes]) {
      expect(await outcomeOf(change(deps, entered.signedIn, { password: PASSWORD, code: '000000' }))).toBe(
        'WRONG_CODE',
      );
    }
    deps.clock.advance(STEP_MS);
    const wrong = { password: 'wrong password 1', code: totp.code() };
    expect(await outcomeOf(disableTotp(deps, entered.signedIn, wrong))).toBe('WRONG_PASSWORD');
    const fresh = await regenerateRecoveryCodes(deps, entered.signedIn, { password: PASSWORD, code: totp.code() });
    const [former = ''] = totp.recoveryCodes;
    expect(await outcomeOf(disableTotp(deps, entered.signedIn, { password: PASSWORD, code: former }))).toBe(
      'WRONG_CODE',
    );
    await disableTotp(deps, entered.signedIn, { password: PASSWORD, code: fresh[0] ?? '' });
    expect(await findSession(deps, entered.token)).toMatchObject({ hasTotp: false, recoveryCodes: 0 });
    expect(await outcomeOf(signIn(deps, { ...signInRequest(person.email), address: uniqueAddress() }))).toBe('done');
  });

  describe('when the key of the service is replaced', () => {
    test('is resealed, and works as before', async () => {
      const deps = createAccountsHarness(database());
      const person = await deps.add('owner');
      const totp = await deps.addTotp(person);
      deps.clock.advance(STEP_MS);
      const box = createSecretBox(new Uint8Array(32).fill(7), new Uint8Array(32));
      const first = await resealTotpSecrets(deps.db, box);
      expect(first.resealed).toBeGreaterThan(0);
      expect(await resealTotpSecrets(deps.db, box)).toEqual({ resealed: 0, current: first.resealed, unreadable: [] });
      const request = { ...signInRequest(person.email), code: totp.code(), address: uniqueAddress() };
      expect(await outcomeOf(signIn({ ...deps, secretBox: box }, request))).toBe('done');
      const otherBox = createSecretBox(new Uint8Array(32).fill(9));
      expect((await resealTotpSecrets(deps.db, otherBox)).unreadable).toContain(person.id);
    });
  });
});
