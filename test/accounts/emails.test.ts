import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../machines/index.ts';
import { LINK_LIFE_MS } from '../../src/accounts/account-tokens.ts';
import {
  confirmSignUp,
  findSession,
  inviteUser,
  listUsers,
  readPasswordLink,
  requestPasswordReset,
  resetPassword,
  signIn,
  signUp,
} from '../../src/accounts/index.ts';
import { MAIL_LIMIT, SIGN_UP_LIMIT } from '../../src/accounts/throttle.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createAccountsHarness, lastMail, outcomeOf, PASSWORD, signInRequest, uniqueAddress } from './harness.ts';

const NEW_PASSWORD = 'seven new lanterns';
let names = 0;

const MAILS = { sendsMails: true };

describeDatabases('a link in an email', (database) => {
  test('sets a password once, however many requests use it at the same time', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const token = await askFor(deps, person.email);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => outcomeOf(resetPassword(deps, { token, password: NEW_PASSWORD }))),
    );
    expect(outcomes.sort()).toEqual(['INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK', 'done']);
    const request = { ...signInRequest(person.email), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, request))).toBe('WRONG_CREDENTIALS');
    expect(await outcomeOf(signIn(deps, { ...request, password: NEW_PASSWORD }))).toBe('done');
  });

  test('remains valid when the chosen password is too weak', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const token = await askFor(deps, person.email);
    expect(await outcomeOf(resetPassword(deps, { token, password: 'short' }))).toBe('WEAK_PASSWORD');
    expect(await outcomeOf(resetPassword(deps, { token, password: `x${person.email}` }))).toBe('WEAK_PASSWORD');
    expect(await outcomeOf(resetPassword(deps, { token, password: NEW_PASSWORD }))).toBe('done');
  });

  test('expires after an hour, with the next link, and with a password change, and is rejected when truncated or made up', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const follow = (token: string) => outcomeOf(resetPassword(deps, { token, password: NEW_PASSWORD }));
    const late = await askFor(deps, person.email);
    deps.clock.advance(LINK_LIFE_MS.password_reset);
    expect(await follow(late)).toBe('INVALID_LINK');
    const first = await askFor(deps, person.email);
    const second = await askFor(deps, person.email);
    expect(await follow(first)).toBe('INVALID_LINK');
    for (const wrong of ['', second.slice(1), `${second}A`, 'A'.repeat(43), '\0', late]) {
      expect(await follow(wrong)).toBe('INVALID_LINK');
    }
    expect(await follow(second)).toBe('done');
    expect(await follow(second)).toBe('INVALID_LINK');
  });

  test('of an invitation remains valid when another person requests a password reset', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('owner'));
    const email = `invited.${signedIn.userId.slice(4)}@people.example`;
    await inviteUser(deps, signedIn, { email, role: 'staff', merchantId: signedIn.merchantId }, MAILS);
    const { token = '' } = (await lastMail(deps, email)) ?? {};
    const other = await askFor(deps, email);
    expect(other).not.toBe(token);
    deps.clock.advance(LINK_LIFE_MS.password_reset);
    expect(await outcomeOf(resetPassword(deps, { token: other, password: NEW_PASSWORD }))).toBe('INVALID_LINK');
    expect(await outcomeOf(resetPassword(deps, { token, password: NEW_PASSWORD }))).toBe('done');
    expect(await outcomeOf(resetPassword(deps, { token, password: NEW_PASSWORD }))).toBe('INVALID_LINK');
  });

  test('names shop, role and address to its holder, and reveals nothing once it does not work', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('owner'));
    const { name } = await deps.db
      .selectFrom('merchant')
      .select('name')
      .where('id', '=', signedIn.merchantId ?? '')
      .executeTakeFirstOrThrow();
    const email = `reader.${signedIn.userId.slice(4)}@people.example`;
    await inviteUser(deps, signedIn, { email, role: 'staff', merchantId: signedIn.merchantId }, MAILS);
    const { token = '' } = (await lastMail(deps, email)) ?? {};
    const about = { email, role: 'staff', merchantName: name };
    expect(await readPasswordLink(deps, token)).toEqual({ ...about, purpose: 'invitation' });
    const reset = await askFor(deps, email);
    expect(await readPasswordLink(deps, reset)).toEqual({ ...about, purpose: 'password_reset' });
    const operator = await askFor(deps, (await deps.add('operator')).email);
    expect(await readPasswordLink(deps, operator)).toMatchObject({ role: 'operator', merchantName: null });

    const read = (text: string) => outcomeOf(readPasswordLink(deps, text));
    for (const wrong of ['', token.slice(1), `${token}A`, 'A'.repeat(43), '\0']) {
      expect(await read(wrong)).toBe('INVALID_LINK');
    }
    deps.clock.advance(LINK_LIFE_MS.password_reset);
    expect(await read(reset)).toBe('INVALID_LINK');
    // Reading has not used it up.
    expect(await outcomeOf(resetPassword(deps, { token, password: NEW_PASSWORD }))).toBe('done');
    expect(await read(token)).toBe('INVALID_LINK');
  });

  test('of an invitation is not sent for a merchant that awaits approval', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('owner'));
    const waiting = deps.db
      .updateTable('merchant')
      .set({ approval_pending_since: new Date(0) })
      .where('id', '=', signedIn.merchantId ?? '');
    await waiting.execute();
    const email = `other.${signedIn.userId.slice(4)}@people.example`;
    const invited = inviteUser(deps, signedIn, { email, role: 'staff', merchantId: signedIn.merchantId }, MAILS);
    expect(await outcomeOf(invited)).toBe('MERCHANT_NOT_APPROVED');
    expect(await lastMail(deps, email)).toBe(null);
  });

  test('is not sent to an address without a login or with a disabled one, and the response is the same', async () => {
    const deps = createAccountsHarness(database());
    const disabled = await deps.add('owner');
    await deps.db
      .updateTable('merchant_user')
      .set({ disabled_at: new Date(0) })
      .where('id', '=', disabled.id)
      .execute();
    for (const email of ['nobody@nowhere.example', disabled.email]) {
      const outcomes: string[] = [];
      for (let time = 0; time <= MAIL_LIMIT.free + 1; time += 1) {
        outcomes.push(await outcomeOf(requestPasswordReset(deps, { email, address: uniqueAddress() })));
      }
      expect(outcomes.slice(-2)).toEqual(['done', 'TOO_MANY_ATTEMPTS']);
      expect(await lastMail(deps, email)).toBeNull();
    }
    const known = await deps.add('owner');
    const outcomes: string[] = [];
    for (let time = 0; time <= MAIL_LIMIT.free + 1; time += 1) {
      outcomes.push(await outcomeOf(requestPasswordReset(deps, { email: known.email, address: uniqueAddress() })));
    }
    expect(outcomes.slice(-2)).toEqual(['done', 'TOO_MANY_ATTEMPTS']);
  });

  test('is sent although someone else requested it repeatedly at other addresses of the mailbox', async () => {
    const deps = createAccountsHarness(database());
    const { email } = await deps.add('owner');
    for (let time = 0; time <= MAIL_LIMIT.free + 1; time += 1) {
      const other = email.replace('@', `+${time}@`);
      await outcomeOf(requestPasswordReset(deps, { email: other, address: uniqueAddress() }));
    }
    expect(await outcomeOf(requestPasswordReset(deps, { email, address: uniqueAddress() }))).toBe('done');
    expect(await lastMail(deps, email)).not.toBeNull();
  });

  test('signs its user in immediately, despite failed attempts by others, but does not skip the second factor', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    await deps.addTotp(person);
    const guess = () =>
      outcomeOf(signIn(deps, { ...signInRequest(person.email, 'wrong one here'), address: uniqueAddress() }));
    while ((await guess()) !== 'TOO_MANY_ATTEMPTS');
    await resetPassword(deps, { token: await askFor(deps, person.email), password: NEW_PASSWORD });
    const request = { ...signInRequest(person.email, NEW_PASSWORD), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, request))).toBe('CODE_REQUIRED');
  });
});

describeDatabases('sign-up', (database) => {
  test('creates merchant and owner once the address is confirmed, and nothing before', async () => {
    const deps = createAccountsHarness(database());
    const [email, merchantName] = newcomer();
    await signUp(deps, { email, merchantName, address: uniqueAddress() });
    const request = { ...signInRequest(email), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, request))).toBe('WRONG_CREDENTIALS');
    const { token = '', text } = (await lastMail(deps, email)) ?? {};
    expect(text).toContain('You received this email because someone entered this address to sign up.');
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => outcomeOf(confirmSignUp(deps, { token, password: PASSWORD }))),
    );
    expect(outcomes.sort()).toEqual(['INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK', 'done']);
    const { token: cookie } = await signIn(deps, request);
    expect(await findSession(deps, cookie)).toMatchObject({ role: 'owner', email, merchant: { name: merchantName } });
    expect(await deps.db.selectFrom('sign_up').select('email').where('email', '=', email).execute()).toEqual([]);
    // An operator has not reviewed it yet, so it may not send mail to customers.
    const { approval_pending_since } = await deps.db
      .selectFrom('merchant')
      .select('approval_pending_since')
      .where('name', '=', merchantName)
      .executeTakeFirstOrThrow();
    expect(approval_pending_since).toBe(deps.clock.now());
  });

  test('returns the same response for an address that has a login, and notifies its owner', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const [, merchantName] = newcomer();
    const input = { email: person.email, merchantName, address: uniqueAddress() };
    expect(await outcomeOf(signUp(deps, input))).toBe('done');
    // With a new address, the same name can be requested twice as well: nothing is reserved before
    // it is confirmed.
    expect(await outcomeOf(signUp(deps, input))).toBe('done');
    expect(await lastMail(deps, person.email)).toMatchObject({ subject: 'You already have an account', token: '' });
    const [email] = newcomer();
    for (let time = 0; time < 2; time += 1) {
      expect(await outcomeOf(signUp(deps, { ...input, email, address: uniqueAddress() }))).toBe('done');
    }
  });

  test('never takes over a merchant, not even one created in the meantime', async () => {
    const deps = createAccountsHarness(database());
    const [email, merchantName] = newcomer();
    const sign = (to: string, name: string) =>
      signUp(deps, { email: to, merchantName: name, address: uniqueAddress() });
    await sign(email, merchantName);
    const { token = '' } = (await lastMail(deps, email)) ?? {};
    const values = { id: `mer_${names}`, name: merchantName, email: 'x@y.example', plan: 'business', settings: '{}' };
    await deps.db.insertInto('merchant').values(values).execute();
    expect(await outcomeOf(confirmSignUp(deps, { token, password: PASSWORD }))).toBe('MERCHANT_NAME_TAKEN');
    const row = await deps.db
      .selectFrom('merchant')
      .select(['email', 'plan'])
      .where('name', '=', merchantName)
      .execute();
    expect(row).toEqual([{ email: 'x@y.example', plan: 'business' }]);
    expect(await listUsers(deps.db, { merchantId: values.id })).toEqual([]);
    const lookalikes = [
      'the\u00a0OPERATOR',
      'the  OPERATOR',
      `\u2003${merchantName}`,
      `${merchantName}\ufe0f`,
      `${merchantName}\u3164`,
      'the\u3164OPERATOR',
      'the\u2800OPERATOR',
      'theoperator',
    ];
    for (const taken of [
      merchantName,
      merchantName.toUpperCase(),
      'the OPERATOR',
      ` ${merchantName} `,
      ...lookalikes,
    ]) {
      expect(await outcomeOf(sign(email, taken))).toBe('MERCHANT_NAME_TAKEN');
    }
  });

  test('gives the name to one of two users who confirm it at the same time', async () => {
    const deps = createAccountsHarness(database());
    const [, merchantName] = newcomer();
    const tokens: string[] = [];
    for (const [email] of [newcomer(), newcomer()]) {
      await signUp(deps, { email, merchantName, address: uniqueAddress() });
      tokens.push((await lastMail(deps, email))?.token ?? '');
    }
    const outcomes = await Promise.all(
      tokens.map((token) => outcomeOf(confirmSignUp(deps, { token, password: PASSWORD }))),
    );
    expect(outcomes.sort()).toEqual(['MERCHANT_NAME_TAKEN', 'done']);
  });

  test('is rejected when it is closed, with a wrong address or without a name', async () => {
    const deps = createAccountsHarness(database());
    const [email, merchantName] = newcomer();
    const input = { email, merchantName, address: uniqueAddress() };
    const closed = createAccountsHarness(database(), { signUpIsOpen: false });
    expect(await outcomeOf(signUp(closed, input))).toBe('SIGN_UP_CLOSED');
    expect(await outcomeOf(confirmSignUp(closed, { token: 'A'.repeat(43), password: PASSWORD }))).toBe(
      'SIGN_UP_CLOSED',
    );
    expect(await outcomeOf(signUp(deps, { ...input, email: 'none' }))).toBe('INVALID_EMAIL');
    for (const name of ['', '  ', '\u3164\u2800', 'x'.repeat(101), 'two\nlines', 'left\u202Eright']) {
      expect(await outcomeOf(signUp(deps, { ...input, merchantName: name }))).toBe('INVALID_NAME');
    }
    await expect(signUp(deps, { ...input, merchantName: 'left\u202Eright' })).rejects.toThrow(
      'merchantName must not contain U+202E, which changes the direction of text',
    );
    expect(await lastMail(deps, email)).toBeNull();
  });

  test('is rejected with a name that contains a web address, which the mail would deliver to anyone', async () => {
    const deps = createAccountsHarness(database());
    const [email] = newcomer();
    const sign = (merchantName: string) => signUp(deps, { email, merchantName, address: uniqueAddress() });
    const links = ['Unlock at https://evil.example', 'WWW.evil.example', 'Go to evil.example/unlock now'];
    for (const name of [...links, 'evil.xn--p1ai:8080/x', 'evil．example／unlock', 'ftp://198.51.100.7']) {
      await expect(sign(name)).rejects.toMatchObject({ code: 'INVALID_NAME', field: 'merchantName' });
      await expect(sign(name)).rejects.toThrow('merchantName must not contain a web address');
    }
    expect(await lastMail(deps, email)).toBeNull();
    for (const name of ['Blumen.de', 'Bakker S.A./N.V.', 'Nr. 5 / Hafen']) {
      const [other] = newcomer();
      expect(await outcomeOf(signUp(deps, { email: other, merchantName: name, address: uniqueAddress() }))).toBe(
        'done',
      );
    }
  });

  test('sends a limited number of emails per hour across the service, whatever the client addresses', async () => {
    const deps = createAccountsHarness(database());
    deps.clock.advance(365 * DAY_MS);
    const sign = () => {
      const [email, merchantName] = newcomer();
      return outcomeOf(signUp(deps, { email, merchantName, address: uniqueAddress() }));
    };
    for (let mail = 0; mail < SIGN_UP_LIMIT.free; mail += 1) expect(await sign()).toBe('done');
    await sign();
    expect(await sign()).toBe('TOO_MANY_ATTEMPTS');
    deps.clock.advance(HOUR_MS);
    for (let mail = 0; mail < 5; mail += 1) expect(await sign()).toBe('done');
  });

  test('lets the owner of the address choose the password; the mail names the shop and the client address', async () => {
    const deps = createAccountsHarness(database());
    const [email, merchantName] = newcomer();
    await signUp(deps, { email, merchantName, address: '203.0.113.9' });
    const { token = '', text = '' } = (await lastMail(deps, email)) ?? {};
    expect(text).toContain(merchantName);
    expect(text).toContain('203.0.113.9');
    expect(await outcomeOf(confirmSignUp(deps, { token, password: '1234567890' }))).toBe('WEAK_PASSWORD');
    // A rejected password does not use up the link.
    expect(await outcomeOf(confirmSignUp(deps, { token, password: PASSWORD }))).toBe('done');
    expect(await outcomeOf(signIn(deps, { ...signInRequest(email), address: uniqueAddress() }))).toBe('done');
  });

  test('expires after a day', async () => {
    const deps = createAccountsHarness(database());
    const [email, merchantName] = newcomer();
    const input = { email, merchantName, address: uniqueAddress() };
    await signUp(deps, input);
    const { token = '' } = (await lastMail(deps, email)) ?? {};
    deps.clock.advance(LINK_LIFE_MS.sign_up);
    expect(await outcomeOf(confirmSignUp(deps, { token, password: PASSWORD }))).toBe('INVALID_LINK');
    const [other] = newcomer();
    await signUp(deps, { ...input, email: other, address: uniqueAddress() });
    expect(await deps.db.selectFrom('sign_up').select('email').where('email', '=', email).execute()).toEqual([]);
  });
});

// Helpers

type Deps = ReturnType<typeof createAccountsHarness>;

async function askFor(deps: Deps, email: string): Promise<string> {
  await requestPasswordReset(deps, { email, address: uniqueAddress() });
  return (await lastMail(deps, email))?.token ?? '';
}

function newcomer(): readonly [email: string, merchantName: string] {
  names += 1;
  return [`newcomer${names}@people.example`, `Newcomer ${names}`];
}
