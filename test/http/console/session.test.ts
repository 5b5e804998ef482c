import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRateLimiter, type RequestLimits } from '../../../src/merchants/index.ts';
import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import { type ConsoleApp, type ConsoleRequest, startConsole } from '../../accounts/console-app.ts';
import {
  type AccountsHarness,
  createAccountsHarness,
  keptLog,
  lastMail,
  PASSWORD,
  uniqueAddress,
} from '../../accounts/harness.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';

describeDatabases('sign-in to the console', (database) => {
  let deps: AccountsHarness;
  let app: ConsoleApp;
  beforeAll(async () => {
    deps = createAccountsHarness(database());
    app = await startConsole(deps);
  });
  afterAll(async () => {
    await app.stop();
  });
  const post = (path: string, body: unknown, more: Partial<ConsoleRequest> = {}) =>
    app.call({ method: 'POST', path, body, ...more });

  test('sets a cookie that no script reads, no other site sends and no sibling domain sets', async () => {
    const person = await deps.add('owner');
    const { setCookie, status, data } = await post('/sign-in', { email: person.email, password: PASSWORD });
    expect([status, data]).toEqual([
      200,
      expect.objectContaining({ userId: person.id, role: 'owner', hasTotp: false }),
    ]);
    const [pair = '', ...flags] = (setCookie ?? '').split('; ');
    expect(pair).toMatch(/^__Host-quittance=[A-Za-z0-9_-]{43}$/);
    expect(flags.map((flag) => flag.replace(/^Expires=.*/, 'Expires')).sort()).toEqual([
      'Expires',
      'HttpOnly',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect((await app.call({ path: '/me', cookie: pair })).data).toEqual(data);
  });

  test('on plain HTTP sets a cookie that browsers keep there', async () => {
    const local = await startConsole(deps, { publicUrl: 'http://127.0.0.1:8080' });
    const person = await deps.add('operator');
    const body = { email: person.email, password: PASSWORD };
    const { setCookie } = await local.call({ method: 'POST', path: '/sign-in', body });
    expect(setCookie).toMatch(/^quittance_session=[A-Za-z0-9_-]{43}; Path=\/; .*HttpOnly; SameSite=Lax$/);
    expect(setCookie).not.toContain('Secure');
    await local.stop();
  });

  test('never reuses the session of the browser: it ends, and a new one starts', async () => {
    const [ann, mallory] = [await deps.add('owner'), await deps.add('owner')];
    const planted = await app.cookieOf(mallory.email, PASSWORD);
    for (const cookie of [planted, `__Host-quittance=${'A'.repeat(43)}`]) {
      const { setCookie } = await post('/sign-in', { email: ann.email, password: PASSWORD }, { cookie });
      expect(setCookie).toMatch(/^__Host-quittance=/);
      expect(setCookie?.split(';')[0]).not.toBe(cookie);
      expect((await app.call({ path: '/me', cookie })).status).toBe(401);
    }
    const first = await app.cookieOf(ann.email, PASSWORD);
    expect(await app.cookieOf(ann.email, PASSWORD)).not.toBe(first);
  });

  test('sign-out ends the session permanently and clears the cookie; repeating it is no error', async () => {
    const person = await deps.add('staff');
    const cookie = await app.cookieOf(person.email, PASSWORD);
    const { status, setCookie } = await post('/sign-out', undefined, { cookie });
    expect([status, setCookie]).toEqual([200, expect.stringMatching(/^__Host-quittance=; .*Expires=Thu, 01 Jan 1970/)]);
    expect(setCookie).toMatch(/Secure/);
    expect((await app.call({ path: '/me', cookie })).error).toBe('NOT_SIGNED_IN');
    expect((await post('/sign-out', undefined, { cookie })).status).toBe(200);
    expect((await post('/sign-out', undefined)).status).toBe(200);
  });

  test('requests the code after the password, and accepts an app or recovery code', async () => {
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    deps.clock.advance(30_000);
    const body = { email: person.email, password: PASSWORD };
    expect((await post('/sign-in', { ...body, password: 'some wrong password' })).error).toBe('WRONG_CREDENTIALS');
    expect(await post('/sign-in', body)).toMatchObject({ status: 401, error: 'CODE_REQUIRED', setCookie: null });
    expect(await post('/sign-in', { ...body, code: '000000' })).toMatchObject({
      status: 403,
      error: 'WRONG_CODE',
      setCookie: null,
    });
    expect((await post('/sign-in', { ...body, code: totp.code() })).data).toMatchObject({
      hasTotp: true,
      recoveryCodes: 10,
    });
    const [code] = totp.recoveryCodes;
    expect((await post('/sign-in', { ...body, code })).data).toMatchObject({ recoveryCodes: 9 });
  });

  test('returns 500 when the service key was lost, and recovery codes still work', async () => {
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    const { log, text } = keptLog();
    const other = await startConsole({ ...deps, secretBox: createSecretBox(new Uint8Array(32).fill(1)) }, { log });
    const body = { email: person.email, password: PASSWORD };
    const response = await other.call({ method: 'POST', path: '/sign-in', body: { ...body, code: totp.code() } });
    expect([response.status, response.error]).toEqual([500, 'INTERNAL_ERROR']);
    expect(response.text).not.toMatch(/key/i);
    expect(text()).toContain('SECRET_UNREADABLE');
    expect(await other.cookieOf(person.email, PASSWORD, totp.recoveryCodes[0])).toMatch(/^__Host-/);
    await other.stop();
  });

  test('returns how long to wait after too many attempts', async () => {
    const person = await deps.add('owner');
    const body = { email: person.email, password: 'some wrong password' };
    let response = await post('/sign-in', body);
    for (let time = 0; time < 10; time += 1) response = await post('/sign-in', body);
    expect(response).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS', headers: { 'retry-after': '1' } });
    expect(response.message).toMatch(/wait \d+ s/);
  });

  test('lets the owner of an account manage all of it', async () => {
    const person = await deps.add('owner');
    const cookie = await app.cookieOf(person.email, PASSWORD);
    const other = await app.cookieOf(person.email, PASSWORD);
    const begun = await post('/totp/begin', { password: PASSWORD }, { cookie });
    expect(begun.data).toMatchObject({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(/^otpauth:/),
    });
    expect((await post('/totp/confirm', { code: '000000' }, { cookie })).error).toBe('WRONG_CODE');
    const sessions = (await app.call({ path: '/sessions', cookie })).data as { id: string; isThisOne: boolean }[];
    expect(sessions.map(({ isThisOne }) => String(isThisOne)).sort()).toEqual(['false', 'true']);
    const there = sessions.find(({ isThisOne }) => !isThisOne)?.id;
    expect((await app.call({ method: 'DELETE', path: `/sessions/${there}`, cookie })).status).toBe(200);
    expect((await app.call({ method: 'DELETE', path: `/sessions/${there}`, cookie })).status).toBe(404);
    expect((await app.call({ path: '/me', cookie: other })).status).toBe(401);
    const password = 'another quiet harbour';
    expect((await post('/password', { currentPassword: 'not it at all', password }, { cookie })).error).toBe(
      'WRONG_PASSWORD',
    );
    expect((await post('/password', { currentPassword: PASSWORD, password: 'short' }, { cookie })).error).toBe(
      'WEAK_PASSWORD',
    );
    expect((await post('/password', { currentPassword: PASSWORD, password }, { cookie })).status).toBe(200);
    expect((await app.call({ path: '/me', cookie })).status).toBe(200);
    const invitation = { email: `x.${person.email}`, role: 'staff' };
    const { status, data } = await post('/users', invitation, { cookie });
    const { id } = data as { id: string };
    expect(status).toBe(201);
    expect(
      (await app.call({ method: 'PATCH', path: `/users/${id}`, body: { role: 'owner', isDisabled: true }, cookie }))
        .status,
    ).toBe(200);
    const users = (await app.call({ path: '/users?merchantId=mer_other', cookie })).data;
    expect(users).toHaveLength(2);
    expect(users).toContainEqual(expect.objectContaining({ id, role: 'owner', isInvited: true, isDisabled: true }));
    expect(JSON.stringify(users)).not.toMatch(/argon2|password/i);
  });

  test('signs up and resets a password through the links in mails', async () => {
    const email = `new${uniqueAddress()}@people.example`;
    expect((await app.call({ path: '/sign-up' })).data).toEqual({ isOpen: true });
    expect((await app.call({ path: '/mail-info' })).data).toEqual({ sendsMails: true });
    const body = { email, merchantName: `Shop of ${email}` };
    expect(await post('/sign-up', body)).toMatchObject({ status: 202, data: null });
    const { token } = (await lastMail(deps, email)) ?? {};
    expect((await post('/sign-up/confirm', { token, password: PASSWORD })).status).toBe(200);
    expect((await post('/sign-up/confirm', { token, password: PASSWORD })).error).toBe('INVALID_LINK');
    await post('/password-reset/request', { email });
    const reset = await vi.waitUntil(async () => {
      const mail = await lastMail(deps, email);
      return mail?.subject === 'Set a new password' ? mail : null;
    }, POLLING);
    expect(reset?.text).toContain(`https://pay.example.com/console/password-reset#${reset?.token}`);
    const password = 'another quiet harbour';
    expect((await post('/password-reset/confirm', { token: reset?.token, password })).status).toBe(200);
    expect((await post('/password-reset/confirm', { token: reset?.token, password })).error).toBe('INVALID_LINK');
    expect(await app.cookieOf(email, password)).toMatch(/^__Host-/);
  });

  test('rejects invalid input with the field and the remedy, and changes nothing', async () => {
    const person = await deps.add('owner');
    const cookie = await app.cookieOf(person.email, PASSWORD);
    const cases: readonly (readonly [string, unknown, RegExp])[] = [
      ['/sign-in', {}, /^email must be text/],
      ['/sign-in', { email: 1, password: PASSWORD }, /^email must be text/],
      ['/sign-in', { email: person.email }, /^password must be text/],
      ['/sign-in', { email: person.email, password: 'x'.repeat(1_001) }, /^password must be text/],
      ['/sign-in', { email: 'a\0b', password: PASSWORD }, /^email must be text/],
      ['/sign-in', { email: '\ud800', password: PASSWORD }, /^email must be text/],
      ['/sign-in', { email: person.email, pasword: PASSWORD }, /"pasword" is unknown; the fields are email, password/],
      ['/sign-in', { email: person.email, password: PASSWORD, next: 'https://evil.example' }, /"next" is unknown/],
      ['/sign-in', [], /^body must be a JSON object/],
      ['/sign-in', null, /^body must be a JSON object|could not be read/],
      ['/sign-in', '{', /could not be read/],
      ['/users', { email: 'a@b.example', role: 'king' }, /^role must be one of owner, staff/],
      ['/users', { email: 'ab.example', role: 'staff' }, /^email must be an email address/],
      ['/password-reset/link', { token: 'nothing' }, /^This link has expired or was already used/],
      [
        '/password-reset/confirm',
        { token: 'nothing', password: PASSWORD },
        /^This link has expired or was already used/,
      ],
    ];
    const before = await deps.db.selectFrom('audit_entry').select('id').execute();
    for (const [path, body, message] of cases) {
      const response = await post(path, body, { cookie });
      expect([path, response.status, response.message]).toEqual([path, 400, expect.stringMatching(message)]);
    }
    expect(
      await app.call({ method: 'PATCH', path: '/users/usr_none', body: { isDisabled: 'yes' }, cookie }),
    ).toMatchObject({ status: 400 });
    expect(
      await app.call({ method: 'PATCH', path: '/users/usr_none', body: { isDisabled: true }, cookie }),
    ).toMatchObject({ status: 404 });
    const plain = await post('/sign-in', 'email=a', { headers: { 'content-type': 'text/plain' } });
    expect([plain.status, plain.error]).toEqual([415, 'INVALID_REQUEST']);
    const large = await post('/sign-in', { email: 'x'.repeat(20_000), password: PASSWORD });
    expect([large.status, large.message]).toEqual([413, expect.stringMatching(/too large/)]);
    expect(await deps.db.selectFrom('audit_entry').select('id').execute()).toEqual(before);
  });
});

describe('a request from another site', () => {
  const ours = 'https://pay.example.com';
  const cases: readonly (readonly [string, Readonly<Record<string, string | null>>, boolean])[] = [
    ['as a page of the console sends it', {}, true],
    ['of a program without a browser', { origin: null }, true],
    ['that the browser calls same-origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['at another name of the same host', { origin: 'https://10.0.0.1', host: '10.0.0.1' }, true],
    ['without the header', { 'x-quittance-console': null }, false],
    ['with another header', { 'x-quittance-console': 'yes' }, false],
    ['of another origin', { origin: 'https://evil.example' }, false],
    ['of a neighbour', { origin: 'https://shop.example.com' }, false],
    ['of our name with another scheme', { origin: 'http://pay.example.com.evil.example' }, false],
    ['of no origin at all', { origin: 'null' }, false],
    ['of an opaque page at our host', { origin: 'file://pay.example.com' }, false],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }, false],
    ['that the browser calls same-site', { 'sec-fetch-site': 'same-site' }, false],
    ['that was typed into the address bar', { 'sec-fetch-site': 'none' }, false],
    ['that says two things', { origin: ours, 'sec-fetch-site': 'cross-site' }, false],
  ];

  let app: ConsoleApp;
  beforeAll(async () => {
    app = await startWithoutDatabase({ isOpen: true });
  });
  afterAll(() => app.stop());

  test.each(cases)('%s: %o', async (_, headers, isAllowed) => {
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      const path = method === 'POST' ? '/sign-out' : method === 'PATCH' ? '/users/usr_1' : '/sessions/ses_1';
      const { status, error } = await app.call({ method, path, headers });
      if (isAllowed) expect([method, status]).toEqual([method, method === 'POST' ? 200 : 401]);
      else expect([method, status, error]).toEqual([method, 403, 'CROSS_SITE_REQUEST']);
    }
    // Reading changes nothing, and links from other sites must work.
    const read = await app.call({ path: '/sign-up', headers: { ...headers, 'x-quittance-console': null } });
    expect(read.status).toBe(200);
  });
});

describe('before the service is ready', () => {
  test('every route returns when to retry, and no user is signed out', async () => {
    const app = await startWithoutDatabase({ isOpen: false });
    await expectAway(app, 'STARTING');
    await app.stop();
  });
});

describePostgres('while the database is down', () => {
  test('every route returns when to retry, and no user is signed out', async () => {
    const database = await createPostgresDatabase();
    const app = await startConsole(createAccountsHarness(database));
    await database.drop();
    await expectAway(app, 'DATABASE_UNAVAILABLE');
    await app.stop();
  });
});

// Helpers

async function expectAway(app: ConsoleApp, code: string): Promise<void> {
  const cookie = `__Host-quittance=${'A'.repeat(43)}`;
  for (const request of [
    { path: '/me', cookie },
    { method: 'POST', path: '/sign-in', body: { email: 'a@b.example', password: PASSWORD } },
    { method: 'POST', path: '/sign-out', cookie },
    { path: '/broken', cookie },
  ] as const) {
    const response = await app.call(request);
    expect([request.path, response.status, response.error]).toEqual([request.path, 503, code]);
    expect(response.headers['retry-after']).toMatch(/^[1-9]/);
    expect(response.setCookie).toBeNull();
  }
}

/** As during startup: nothing may query the database. */
function startWithoutDatabase({ isOpen }: { readonly isOpen: boolean }): Promise<ConsoleApp> {
  const deps = createAccountsHarness({ db: undefined as never });
  // Like the limiter while there is no database.
  const limiter = { count: async (_: string, limits: RequestLimits) => createRateLimiter(deps).uncounted(limits) };
  return startConsole(deps, { isOpen: () => isOpen, limiter });
}
