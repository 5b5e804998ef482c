import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { reauthenticate, requireRecentPassword } from '../../../../src/accounts/index.ts';
import { insertDeadLetters } from '../../../../src/platform/engine/index.ts';
import { createAccountsHarness, outcomeOf, PASSWORD } from '../../../accounts/harness.ts';
import { expectUsable } from '../../../support/browser/axe.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { POLLING } from '../../../support/polling.ts';
import { level } from '../../../support/run/level.ts';
import type { TestConsole } from '../support/console.ts';
import { MAIL_SERVER } from '../support/console-service.ts';
import { describeConsole, describeConsolePages } from '../support/describe-console.ts';
import { AUDITED_ACTIONS } from './audited-actions.ts';
import { createResources, type MerchantResources } from './resources.ts';
import { listConsoleRoutes, nameOf } from './route-table.ts';

/** Routes that decide where money goes, or who may decide it. */
const NEEDS_PASSWORD: ReadonlySet<string> = new Set([
  'POST /merchant/wallets',
  'POST /merchant/wallets/:id/skip',
  'POST /merchant/keys',
  'POST /merchant/keys/:id/rotate',
  'POST /merchant/webhooks',
  'PATCH /merchant/webhooks/:id',
  'POST /merchant/webhooks/:id/secret',
  'POST /merchant/webhooks/:id/rotate-secret',
  'POST /users',
  'POST /users/:id/resend-invitation',
  'PATCH /users/:id',
]);
/**
 * Operators create merchants, whose owners decide where money goes, decide any payment, hide
 * problems, and change what merchants may do.
 */
const NEEDS_PASSWORD_OF_OPERATOR: ReadonlySet<string> = new Set([
  'POST /merchants',
  'POST /actors/:id/events',
  'POST /runs/:id/start',
  'POST /charts/:kind/migrations',
  'POST /dead-letters/:id/retry',
  'POST /dead-letters/:id/dismiss',
  'POST /alerts/:id/resolve',
  'POST /merchants/:id/approve',
  'POST /merchants/:id/plan',
  'PATCH /plans/:tier',
]);

/** One minute more than the default of REAUTH_MINUTES. */
const FORGET_MINUTES = 11;

/** Addresses of a wallet that another merchant of the same service is paid into are not skipped. */
const OWN_WALLETS = [
  {
    crypto: 'BTC',
    extended_public_key: HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'").publicExtendedKey,
    address_type: 'p2wpkh',
  },
];

const SETUP = { wallets: OWN_WALLETS, env: MAIL_SERVER };

describeConsole('a session whose password was entered long ago', SETUP, async (console) => {
  const routes = (await listConsoleRoutes()).filter(({ method }) => method !== 'GET');
  let of: MerchantResources;
  beforeAll(async () => {
    of = await createResources(console);
    // Ages both sessions beyond the reauthentication period.
    await console.cookieOf('operator');
    await sql`update session set created_at = created_at - make_interval(mins => ${FORGET_MINUTES}),
      password_given_at = null`.execute(console.db);
  }, 60_000);

  const giveAgain = (who: 'owner' | 'operator', password: string) =>
    console.call(who, { method: 'POST', path: '/reauthenticate', body: { password } });
  const endpoints = async () => (await console.call('owner', { path: '/merchant/webhooks' })).data.endpoints.length;
  const mailsAbout = (subject: string) =>
    console.db
      .selectFrom('mail')
      .select(['recipient', 'text'])
      .where('subject', '=', subject)
      .where('merchant_id', '=', console.merchantId)
      .execute();

  test.each(routes.map((route) => [nameOf(route), route] as const))('%s', async (name, route) => {
    if (['POST /sign-out', 'DELETE /sessions/:id', 'POST /reauthenticate'].includes(name)) return;
    const path = route.path.replace(/:\w+/g, 'none');
    const who = /^\/(merchant\/|users)/.test(route.path) ? 'owner' : 'operator';
    const { status, error } = await console.call(who, { method: route.method as 'POST', path, body: {} });
    if (NEEDS_PASSWORD.has(name) || NEEDS_PASSWORD_OF_OPERATOR.has(name))
      expect({ status, error }).toEqual({ status: 403, error: 'REAUTH_REQUIRED' });
    else expect(error).not.toBe('REAUTH_REQUIRED');
  });

  test('cannot remove address restrictions from a key, or relax the acceptance of payments', async () => {
    const key = `/merchant/keys/${of.key}`;
    const patch = (path: string, body: object) => console.call('owner', { method: 'PATCH', path, body });
    const settings = async () => (await console.call('owner', { path: '/merchant/settings' })).data.values;
    const seen = { toleranceBasisPoints: 50, minConfirmations: 2 };
    expect((await patch('/merchant/settings', { changes: seen, seen: await settings() })).status).toBe(200);
    const contact = { changes: { supportContact: 'thief@example.com' }, seen: { supportContact: null } };
    const { contactEmail } = await settings();
    const contactOfOperator = { changes: { contactEmail: 'thief@example.com' }, seen: { contactEmail } };
    const guarded = [
      [key, { allowedCidrs: [] }],
      ['/merchant/settings', { changes: { toleranceBasisPoints: 500 }, seen }],
      ['/merchant/settings', { changes: { toleranceBasisPoints: 10, minConfirmations: 1 }, seen }],
      ['/merchant/settings', contact],
      ['/merchant/settings', contactOfOperator],
      ['/merchant/settings', { changes: { windowMinutes: 600 }, seen: { windowMinutes: null } }],
      ['/merchant/settings', { changes: { windowMinutes: null }, seen: { windowMinutes: 10 } }],
    ] as const;
    for (const [path, body] of guarded) {
      expect(await patch(path, body)).toMatchObject({ status: 403, error: 'REAUTH_REQUIRED' });
    }
    const lied = { changes: { minConfirmations: 1 }, seen: { minConfirmations: 1 } };
    expect(await patch('/merchant/settings', lied)).toMatchObject({ status: 409, error: 'CONFLICT' });
    expect(await settings()).toMatchObject(seen);
    expect((await patch(key, { name: 'the shop' })).status).toBe(200);
    const stricter = { changes: { toleranceBasisPoints: 10, minConfirmations: 3 }, seen };
    expect((await patch('/merchant/settings', stricter)).status).toBe(200);

    expect((await giveAgain('owner', console.users.owner.password)).status).toBe(200);
    expect((await patch(key, { allowedCidrs: ['203.0.113.7'] })).status).toBe(200);
    expect((await patch('/merchant/settings', { changes: seen, seen: stricter.changes })).status).toBe(200);
    expect((await patch('/merchant/settings', contact)).status).toBe(200);
    expect((await patch('/merchant/settings', contactOfOperator)).status).toBe(200);
    for (const [subject, fact] of [
      ['The allowed IP addresses of an API key were changed', /203\.0\.113\.7/],
      ['Payments are accepted with lower requirements', /0\.5 %, before 0\.1 %[^]*2, before 3/],
      ['What customers see has changed', /thief@example\.com, before none/],
      ['The contact address of your shop has changed', /thief@example\.com, before \S+@/],
    ] as const) {
      const mails = await mailsAbout(subject);
      expect(
        mails.map(({ recipient }) => recipient),
        subject,
      ).toContain(console.users.owner.email);
      for (const { text } of mails) expect(text).toMatch(fact);
    }
    await sql`update session set password_given_at = null`.execute(console.db);
    const back = { changes: { toleranceBasisPoints: 50, minConfirmations: 1 }, seen };
    expect((await patch('/merchant/settings', back)).error).toBe('REAUTH_REQUIRED');
    expect((await patch(key, { allowedCidrs: [] })).error).toBe('REAUTH_REQUIRED');
  });

  test('changes nothing until the password is entered again, and each change then sends an email to all owners', async () => {
    const context = {
      console,
      of,
      ask: (request: Parameters<typeof console.call>[1]) => console.call('owner', request),
    };
    const actions = AUDITED_ACTIONS.filter(({ route }) => NEEDS_PASSWORD.has(route));
    expect(actions.map(({ route }) => route).toSorted()).toEqual([...NEEDS_PASSWORD].toSorted());
    const before = await endpoints();
    const operate: typeof context.ask = (request) => console.call('operator', request);
    for (const action of actions)
      expect((await action.do({ ...context, operate })).error, action.route).toBe('REAUTH_REQUIRED');
    expect(await endpoints()).toBe(before);
    expect(await giveAgain('owner', 'not the password')).toMatchObject({ status: 403, error: 'WRONG_PASSWORD' });
    expect((await actions[1]?.do({ ...context, operate }))?.error).toBe('REAUTH_REQUIRED');
    expect((await giveAgain('owner', console.users.owner.password)).status).toBe(200);
    for (const action of actions) {
      const { status, text } = await action.do({ ...context, operate });
      expect(status, `${action.route}: ${text}`).toBeLessThan(300);
    }
    for (const subject of [
      'A wallet was added',
      'An API key was created',
      'An API key was replaced',
      'A webhook endpoint was added',
      'A webhook endpoint was changed',
      'A login was changed',
      'Addresses of a wallet were skipped',
    ]) {
      const mails = await mailsAbout(subject);
      expect(new Set(mails.map(({ recipient }) => recipient)), subject).toContain(console.users.owner.email);
      for (const { text } of mails) expect(text).toContain(console.users.owner.email);
      for (const { text } of mails) expect(text).toMatch(/127\.0\.0\.1|::1/);
    }
  });

  test.each(['owner', 'staff'] as const)('as %s, completes no live payment for less than is due', async (who) => {
    await console.cookieOf(who);
    await sql`update session set created_at = created_at - make_interval(mins => ${FORGET_MINUTES}),
      password_given_at = null`.execute(console.db);
    const needsPassword = { status: 403, error: 'REAUTH_REQUIRED' };
    const dust = await payLate(console, [PAY_DUST, CONFIRM]);
    const unconfirmed = await payLate(console, [PAY_ALL]);
    const review = await payLate(console, [{ action: 'drop_balance' }], 'ETH');
    const paid = await payLate(console, [PAY_ALL, CONFIRM]);
    const test = await payLate(console, [PAY_DUST, CONFIRM], 'LTC', 'test');
    expect(await decide(console, who, dust, 'mark_paid')).toMatchObject(needsPassword);
    expect(await decide(console, who, unconfirmed, 'mark_paid')).toMatchObject(needsPassword);
    expect(await decide(console, who, review, 'confirm')).toMatchObject(needsPassword);
    for (const [id, decision] of [
      [paid, 'mark_paid'],
      [test, 'mark_paid'],
      [unconfirmed, 'dismiss'],
      [review, 'reject'],
    ] as const) {
      const { status, text } = await decide(console, who, id, decision);
      expect(status, text).toBe(200);
    }
    const { password } = console.users[who];
    expect((await console.call(who, { method: 'POST', path: '/reauthenticate', body: { password } })).status).toBe(200);
    expect((await decide(console, who, dust, 'mark_paid')).data).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['An API key was revoked', { method: 'POST', what: 'key', path: '/merchant/keys/:id/revoke' }],
    ['A webhook endpoint was deleted', { method: 'DELETE', what: 'endpoint', path: '/merchant/webhooks/:id' }],
  ] as const)('can end what a thief may use, and the owners get an email: %s', async (subject, request) => {
    const { method, what, path } = request;
    const { [what]: id } = of;
    await sql`update session set password_given_at = null`.execute(console.db);
    const { status, text } = await console.call('owner', { method, path: path.replace(':id', id), body: {} });
    expect(status, text).toBeLessThan(300);
    const mails = (await mailsAbout(subject)).filter(({ text: body }) => body.includes(id));
    expect(mails.map(({ recipient }) => recipient)).toContain(console.users.owner.email);
  });
});

describeDatabases('a confirmed password', (database) => {
  test('counts for as long as the setting states, and with 0 for one request', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('owner'));
    const check = (reauthMinutes: number) =>
      outcomeOf(requireRecentPassword({ ...deps, reauthMinutes }, signedIn.sessionId));
    expect(await check(10)).toBe('done');
    expect(await check(0)).toBe('REAUTH_REQUIRED');
    deps.clock.advance(10 * 60_000);
    expect(await check(10)).toBe('REAUTH_REQUIRED');
    await reauthenticate(deps, signedIn, { password: PASSWORD, code: null });
    expect(await check(10)).toBe('done');
    const outcomes = await Promise.all([check(0), check(0), check(0)]);
    expect(outcomes.toSorted()).toEqual(['REAUTH_REQUIRED', 'REAUTH_REQUIRED', 'done']);
    await reauthenticate(deps, signedIn, { password: PASSWORD, code: null });
    deps.clock.advance(60_000);
    expect(await check(0)).toBe('REAUTH_REQUIRED');
  });

  test('requires a code as well if an authenticator is enabled, and each code once', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const totp = await deps.addTotp(person);
    deps.clock.advance(30_000);
    const { signedIn } = await deps.enter(person, totp.code());
    const give = (code: string | null, password = PASSWORD) =>
      outcomeOf(reauthenticate({ ...deps, reauthMinutes: 0 }, signedIn, { password, code }));
    const check = () => outcomeOf(requireRecentPassword({ ...deps, reauthMinutes: 0 }, signedIn.sessionId));
    expect(await give(null)).toBe('INVALID_REQUEST');
    expect(await give(totp.code())).toBe('WRONG_CODE');
    deps.clock.advance(30_000);
    expect(await give(totp.code(), 'not the password')).toBe('WRONG_PASSWORD');
    expect(await check()).toBe('REAUTH_REQUIRED');
    expect(await give(totp.code())).toBe('done');
    expect(await check()).toBe('done');
  });
});

const ASKS_ALWAYS = { env: { REAUTH_MINUTES: '0', PLANS: 'on' }, wallets: OWN_WALLETS };

describeConsolePages('the password dialog', ASKS_ALWAYS, (console) => {
  test('asks, repeats the request, and changes nothing when it is closed', async () => {
    const { page, troubles } = await console.open('owner', '/keys');
    const keys = async () => (await console.call('owner', { path: '/merchant/keys' })).data.keys.length;
    const before = await keys();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Mode').selectOption('test');
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.waitFor();
    await expectUsable({ page });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('dialog', { name: 'Create a key' }).getByRole('alert').waitFor();
    expect(await keys()).toBe(before);

    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText(/password is wrong/).waitFor();
    await dialog.getByLabel('Your password').fill(console.users.owner.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new key' });
    expect(await shown.locator('.once-value').textContent()).toMatch(/^sk_test_/);
    expect(await keys()).toBe(before + 1);
    expect(troubles.filter((text) => !/40[03]/.test(String(text)))).toEqual([]);
  });

  // At the quick level the tests above cover this, without the page.
  if (level.isFull) {
    test('appears before a live payment is completed for dust', async () => {
      const id = await payLate(console, [PAY_DUST, CONFIRM]);
      const { page, troubles } = await console.open('staff', `/payments/${id}`);
      await page.getByRole('button', { name: /^Mark as paid/ }).click();
      await page.getByLabel('Why?').fill('a regular customer');
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
      await dialog.getByLabel('Your password').fill(console.users.staff.password);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      const read = async () => (await console.call('staff', { path: `/merchant/payments/${id}` })).data;
      await expect.poll(read, POLLING).toMatchObject({ status: 'completed', completedBy: 'merchant' });
      await page.getByRole('dialog', { name: 'Mark this payment as paid' }).waitFor({ state: 'detached' });
      expect(troubles.filter((text) => !/403/.test(String(text)))).toEqual([]);
    });

    test('appears when the acceptance of payments is relaxed, and not for stricter settings', async () => {
      const { page, troubles } = await console.open('owner', '/settings');
      const saved = async () => (await console.call('owner', { path: '/merchant/settings' })).data.values;
      const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
      const tolerance = page.getByLabel('Underpayment tolerance, in percent');
      const save = page.getByRole('button', { name: 'Save' });
      await tolerance.fill('0.25');
      await save.click();
      await page.getByText('Saved. Applies to payments created from now on.').waitFor();
      expect(await dialog.isVisible()).toBe(false);
      await tolerance.fill('5');
      await save.click();
      await dialog.waitFor();
      expect((await saved()).toleranceBasisPoints).toBe(25);
      await expectUsable({ page });
      await dialog.getByLabel('Your password').fill(console.users.owner.password);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await expect.poll(async () => (await saved()).toleranceBasisPoints, POLLING).toBe(500);
      expect(troubles.filter((text) => !/403/.test(String(text)))).toEqual([]);
    });

    test.each([
      [
        'a dead letter is dismissed',
        '/dead-letters',
        async (page: Page) => {
          await page.getByRole('cell', { name: 'no such actor', exact: true }).click();
          await page.getByRole('dialog').getByLabel('Reason').fill('ours');
          await page.getByRole('button', { name: 'Dismiss' }).click();
        },
        'Dismissed.',
      ],
      [
        'an alert is resolved',
        '/health',
        async (page: Page) => {
          await page.getByRole('button', { name: /^Resolve .*a wallet$/ }).click();
          await page.getByRole('dialog').getByLabel('Reason').fill('ours');
          await page.getByRole('button', { name: 'Resolve alert' }).click();
        },
        'Alert resolved.',
      ],
      [
        'a merchant is approved',
        '/merchants',
        async (page: Page) => {
          await page.locator('[data-row]').filter({ hasText: 'not approved' }).getByRole('link').click();
          await page.getByRole('button', { name: 'Approve' }).click();
          await page.getByRole('dialog').getByLabel('Reason').fill('ours');
          await page.getByRole('button', { name: 'Approve merchant' }).click();
        },
        /is approved\.$/,
      ],
      [
        'a plan is changed',
        '/plans',
        async (page: Page) => {
          await page.getByRole('button', { name: 'Change business' }).click();
          await page.getByRole('dialog').getByLabel('Webhook endpoints').fill('7');
          await page.getByRole('dialog').getByLabel('Reason').fill('ours');
          await page.getByRole('button', { name: 'Change for all merchants on this plan' }).click();
        },
        'The business plan was changed.',
      ],
    ] as const)('appears before an operator’s change: %s', async (_, path, submit, toast) => {
      await addOperatorWork(console);
      const { page, troubles } = await console.open('operator', path);
      await submit(page);
      const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
      await dialog.getByLabel('Your password').fill(console.users.operator.password);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText(toast).waitFor();
      expect(troubles.filter((text) => !/403/.test(String(text)))).toEqual([]);
    });
  }
});

describe('the routes that require a password', () => {
  test('exist', async () => {
    const names = new Set((await listConsoleRoutes()).map(nameOf));
    for (const name of [...NEEDS_PASSWORD, ...NEEDS_PASSWORD_OF_OPERATOR]) expect(names, name).toContain(name);
  });
});

// Helpers

const CLOSE_WINDOW = { action: 'advance_clock', seconds: 3_601 };
const PAY_ALL = { action: 'pay_late' };
const PAY_DUST = { action: 'pay_late', amount_crypto: 0.0001 };
const CONFIRM = { action: 'confirm' };

/** A payment that awaits a decision: simulated as a test payment, and made live after that. */
async function payLate(
  { api, db }: TestConsole,
  steps: readonly { readonly action: string }[],
  crypto = 'LTC',
  mode: 'live' | 'test' = 'live',
): Promise<string> {
  const post = async (path: string, body: object) => {
    const { status, data, text } = await api({ method: 'POST', path: `/transactions/${path}`, body });
    expect(status, text).toBeLessThan(300);
    return data;
  };
  const { transaction_id: id } = await post('create', { crypto, amount: 25 });
  const isLate = steps.some(({ action }) => action === 'pay_late');
  for (const step of [...(isLate ? [CLOSE_WINDOW] : []), ...steps]) await post(`${id}/simulate`, step);
  await changeTransactions(db, { mode }, { id });
  return id;
}

async function decide({ call }: TestConsole, who: 'owner' | 'staff', id: string, decision: string) {
  const path = `/merchant/payments/${id}`;
  const { step: seenStep } = (await call(who, { path })).data;
  const body = { decision, reason: 'ours', seenStep, requestId: randomUUID() };
  return call(who, { method: 'POST', path: `${path}/decisions`, body });
}

/** A dead letter, an alert, and a merchant that awaits approval. */
async function addOperatorWork({ db, neighbour }: TestConsole): Promise<void> {
  const data = { actorId: 'txn_none', eventId: 'merchant:1', event: { type: 'merchant.paused' } };
  const letter = { queue: 'engine', messageId: randomUUID(), actorId: 'txn_none', data, reason: 'no such actor' };
  await db.deleteFrom('dead_letter').execute();
  await db.deleteFrom('operator_alert').execute();
  await insertDeadLetters(db, [letter]);
  await db.insertInto('operator_alert').values({ alert: 'wallet_used_before', detail: 'a wallet' }).execute();
  const approvalPendingSince = new Date();
  await db
    .updateTable('merchant')
    .set({ approval_pending_since: approvalPendingSince })
    .where('id', '=', neighbour.merchantId)
    .execute();
}
