import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  findSession,
  inviteUser,
  listUsers,
  manageUser,
  resendInvitation,
  resetPassword,
  signIn,
  USER_ROLES,
  type UserRole,
} from '../../src/accounts/index.ts';
import { createUserWithPassword, replacePassword } from '../../src/accounts/password/first-password.ts';
import { resetTotp } from '../../src/accounts/second-factor/reset-totp.ts';
import { MAILER_LIMIT } from '../../src/accounts/throttle.ts';
import { mayManage } from '../../src/accounts/users/role.ts';
import type { AuditedChange } from '../../src/merchants/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import {
  type AccountsHarness,
  createAccountsHarness,
  lastMail,
  outcomeOf,
  PASSWORD,
  signInRequest,
  uniqueAddress,
} from './harness.ts';

const MAILS = { sendsMails: true };
const NO_MAILS = { sendsMails: false };

describe('user management', () => {
  test('is for owners at their own merchant, and for operators at the service', () => {
    const allowed: string[] = [];
    for (const signedIn of USER_ROLES) {
      for (const target of USER_ROLES) {
        const member = (role: UserRole, merchantId: string) => ({
          role,
          merchantId: role === 'owner' || role === 'staff' ? merchantId : null,
        });
        if (mayManage(member(signedIn, 'mer_1'), member(target, 'mer_1'))) allowed.push(`${signedIn} > ${target} here`);
        if (mayManage(member(signedIn, 'mer_1'), member(target, 'mer_2')))
          allowed.push(`${signedIn} > ${target} elsewhere`);
      }
    }
    expect(allowed).toEqual([
      'owner > owner here',
      'owner > staff here',
      'operator > operator here',
      'operator > operator elsewhere',
      'operator > observer here',
      'operator > observer elsewhere',
    ]);
  });
});

describeDatabases('users', (database) => {
  test('are invited by mail, choose a password, and sign in', async () => {
    const deps = createAccountsHarness(database());
    const owner = await deps.enter(await deps.add('owner'));
    const { merchantId } = owner.signedIn;
    const email = 'New.Person@shop.example';
    const { id } = await inviteUser(deps, owner.signedIn, { email, role: 'staff', merchantId }, MAILS);
    const listed = await listUsers(deps.db, { merchantId });
    expect(listed.find((user) => user.id === id)).toMatchObject({
      email,
      role: 'staff',
      isInvited: true,
      isDisabled: false,
    });
    const request = { ...signInRequest(email), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, { ...request, password: '' }))).toBe('WRONG_CREDENTIALS');
    const { token = '', subject } = (await lastMail(deps, email)) ?? {};
    expect(subject).toMatch(/^Your login for Shop /);
    await resetPassword(deps, { token, password: request.password });
    // The same address in another case.
    const entered = await signIn(deps, { ...request, email: ' new.person@SHOP.example ' });
    expect(await findSession(deps, entered.token)).toMatchObject({ role: 'staff', merchant: { id: merchantId } });
  });

  test('get another invitation until they choose a password, and only the newest works', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('owner'));
    const email = 'forgetful@shop.example';
    const invitation = { email, role: 'staff', merchantId: signedIn.merchantId } as const;
    const { id } = await inviteUser(deps, signedIn, invitation, MAILS);
    const first = await lastMail(deps, email);
    expect(await resendInvitation(deps, signedIn, id, MAILS)).toEqual({ invitationUrl: null });
    const second = await lastMail(deps, email);
    expect(second?.subject).toBe(first?.subject);
    const choose = (token = '') => outcomeOf(resetPassword(deps, { token, password: PASSWORD }));
    expect(await choose(first?.token)).toBe('INVALID_LINK');
    const otherOwner = (await deps.enter(await deps.add('owner'))).signedIn;
    expect(await outcomeOf(resendInvitation(deps, otherOwner, id, MAILS))).toBe('USER_NOT_FOUND');
    const staff = (await deps.enter(await deps.add('staff', signedIn.merchantId ?? undefined))).signedIn;
    expect(await outcomeOf(resendInvitation(deps, staff, id, MAILS))).toBe('FORBIDDEN');
    const operator = (await deps.enter(await deps.add('operator'))).signedIn;
    expect(await outcomeOf(resendInvitation(deps, operator, id, NO_MAILS))).toBe('FORBIDDEN');
    expect(await choose(second?.token)).toBe('done');
    expect(await outcomeOf(resendInvitation(deps, signedIn, id, MAILS))).toBe('ALREADY_ACCEPTED');
    const { rows } = await sql<{ what: string }>`
      select what from audit_entry where subject_id = ${id} and who = ${`user ${signedIn.userId}`} order by id`.execute(
      deps.db,
    );
    expect(rows.map(({ what }) => what)).toEqual(['user.invited', 'user.invitation_resent']);
  });

  test('of the service get a link from the operator where no emails are sent; those of a merchant get none', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('operator'));
    const invitation = { email: 'watcher@service.example', role: 'observer', merchantId: null } as const;
    const { id, invitationUrl } = await inviteUser(deps, signedIn, invitation, NO_MAILS);
    const tokenIn = (url: string | null) => url?.split('#')[1] ?? '';
    const again = await resendInvitation(deps, signedIn, id, NO_MAILS);
    const choose = (url: string | null) => outcomeOf(resetPassword(deps, { token: tokenIn(url), password: PASSWORD }));
    expect([await choose(invitationUrl), await choose(again.invitationUrl)]).toEqual(['INVALID_LINK', 'done']);

    const owner = (await deps.enter(await deps.add('owner'))).signedIn;
    const { merchantId } = owner;
    const colleague = { email: 'colleague@shop.example', role: 'staff', merchantId } as const;
    expect(await outcomeOf(inviteUser(deps, owner, colleague, NO_MAILS))).toBe('SENDS_NO_MAILS');
    expect(await listUsers(deps.db, { merchantId })).toHaveLength(1);
    const invited = await inviteUser(deps, owner, colleague, MAILS);
    expect(await outcomeOf(resendInvitation(deps, owner, invited.id, NO_MAILS))).toBe('SENDS_NO_MAILS');
  });

  test('can be invited, changed and disabled only by the roles that may', async () => {
    const deps = createAccountsHarness(database());
    const home = await deps.addMerchant();
    const elsewhere = await deps.addMerchant();
    for (const role of USER_ROLES) {
      const isOfMerchant = role === 'owner' || role === 'staff';
      const signedIn = (await deps.enter(await deps.add(role, home))).signedIn;
      for (const [targetRole, merchantId] of [
        ['staff', home],
        ['staff', elsewhere],
        ['observer', null],
      ] as const) {
        const may = mayManage(
          { role, merchantId: isOfMerchant ? home : null },
          { role: targetRole, merchantId: merchantId },
        );
        const email = `${signedIn.userId.slice(4, 10)}.${targetRole}.${merchantId ?? 'none'}@people.example`;
        const invited = await outcomeOf(
          inviteUser(deps, signedIn, { email, role: targetRole, merchantId: merchantId }, MAILS),
        );
        expect([role, targetRole, merchantId, invited]).toEqual([
          role,
          targetRole,
          merchantId,
          may ? 'done' : 'FORBIDDEN',
        ]);
        const target = await deps.add(targetRole, merchantId ?? undefined);
        const rejection = role === 'owner' ? 'USER_NOT_FOUND' : 'FORBIDDEN';
        expect(await outcomeOf(manageUser(deps, signedIn, target.id, { isDisabled: true }))).toBe(
          may ? 'done' : rejection,
        );
        const [row] = (await listUsers(deps.db, { merchantId: null })).filter(({ id }) => id === target.id);
        expect(row?.isDisabled).toBe(may);
      }
    }
  });

  test('of a merchant cannot get operator roles, nor operators the roles of a merchant', async () => {
    const deps = createAccountsHarness(database());
    const operator = (await deps.enter(await deps.add('operator'))).signedIn;
    const owner = (await deps.enter(await deps.add('owner'))).signedIn;
    const staff = await deps.add('staff', owner.merchantId ?? undefined);
    for (const role of ['operator', 'observer'] as const) {
      expect(await outcomeOf(manageUser(deps, owner, staff.id, { role }))).toBe('INVALID_ROLE');
      expect(await outcomeOf(manageUser(deps, operator, staff.id, { role }))).toBe('FORBIDDEN');
      const invitation = { email: `${role}@people.example`, role, merchantId: owner.merchantId };
      expect(await outcomeOf(inviteUser(deps, owner, invitation, MAILS))).toBe('FORBIDDEN');
      expect(await outcomeOf(inviteUser(deps, operator, invitation, MAILS))).toBe('FORBIDDEN');
    }
    expect(await outcomeOf(manageUser(deps, owner, staff.id, { role: 'owner' }))).toBe('done');
    const bare = { email: 'owner@people.example', role: 'owner', merchantId: null } as const;
    expect(await outcomeOf(inviteUser(deps, operator, bare, MAILS))).toBe('FORBIDDEN');
  });

  test('cannot change their own login, and two owners cannot leave a merchant without one', async () => {
    const deps = createAccountsHarness(database());
    const [ann, bob] = await twoOwners(deps);
    expect(await outcomeOf(manageUser(deps, ann, ann.userId, { role: 'staff' }))).toBe('OWN_LOGIN');
    expect(await outcomeOf(manageUser(deps, ann, ann.userId, { isDisabled: true }))).toBe('OWN_LOGIN');
    const outcomes = await Promise.all([
      outcomeOf(manageUser(deps, ann, bob.userId, { role: 'staff' })),
      outcomeOf(manageUser(deps, bob, ann.userId, { isDisabled: true })),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'FORBIDDEN')).toHaveLength(1);
    const users = await listUsers(deps.db, { merchantId: ann.merchantId });
    expect(users.filter(({ role, isDisabled }) => role === 'owner' && !isDisabled)).toHaveLength(1);
  });

  test('lose their sessions and links immediately when disabled, and can be enabled again', async () => {
    const deps = createAccountsHarness(database());
    const [ann, bob] = await twoOwners(deps);
    const person = (await listUsers(deps.db, { merchantId: ann.merchantId })).find(({ id }) => id === bob.userId);
    const { token } = await deps.enter({ id: bob.userId, email: person?.email ?? '', merchantId: ann.merchantId });
    await manageUser(deps, ann, bob.userId, { isDisabled: true });
    expect(await findSession(deps, token)).toBeNull();
    const request = { ...signInRequest(person?.email ?? ''), address: uniqueAddress() };
    expect(await outcomeOf(signIn(deps, request))).toBe('WRONG_CREDENTIALS');
    await manageUser(deps, ann, bob.userId, { isDisabled: false });
    expect(await findSession(deps, token)).toBeNull();
    expect(await outcomeOf(signIn(deps, request))).toBe('done');
  });

  test('have unique addresses, ignoring case, and valid ones', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('operator'));
    const taken = await deps.add('owner');
    const invite = (email: string) =>
      outcomeOf(inviteUser(deps, signedIn, { email, role: 'observer', merchantId: null }, MAILS));
    expect(await invite(taken.email.toUpperCase())).toBe('EMAIL_TAKEN');
    for (const wrong of [
      'no-at-sign',
      '@b.example',
      'a@',
      'a@localhost',
      'a b@c.example',
      'a@b.example\r\nBcc: c@d.example',
      `${'x'.repeat(250)}@b.example`,
    ]) {
      expect(await invite(wrong), wrong).toBe('INVALID_EMAIL');
    }
  });

  test('cannot be invited without limit', async () => {
    const deps = createAccountsHarness(database());
    const { signedIn } = await deps.enter(await deps.add('owner'));
    const { merchantId } = signedIn;
    const outcomes: string[] = [];
    for (let number = 0; number < MAILER_LIMIT.free + 3; number += 1) {
      outcomes.push(
        await outcomeOf(
          inviteUser(
            deps,
            signedIn,
            { email: `i${number}@${signedIn.userId.slice(4)}.example`, role: 'staff', merchantId },
            MAILS,
          ),
        ),
      );
    }
    expect(outcomes.filter((outcome) => outcome === 'TOO_MANY_ATTEMPTS')).toHaveLength(2);
    const [invited] = (await listUsers(deps.db, { merchantId })).filter(({ isInvited }) => isInvited);
    expect(await outcomeOf(resendInvitation(deps, signedIn, invited?.id ?? '', MAILS))).toBe('TOO_MANY_ATTEMPTS');
  });

  test('who lost their password or app get new ones from an operator', async () => {
    const deps = createAccountsHarness(database());
    const change = <T>(work: (change: AuditedChange) => Promise<T>) =>
      deps.db.transaction().execute((trx) => work({ trx, who: 'command line', now: deps.clock.now() }));
    const made = await change((by) =>
      createUserWithPassword(by, { email: 'op@people.example', role: 'operator', merchantId: null }),
    );
    const person = { id: made.id, email: made.email, merchantId: null };
    const request = { ...signInRequest(made.email, made.password), address: uniqueAddress() };
    const { token } = await signIn(deps, request);
    const password = await change((by) => replacePassword(by, made.id));
    expect(await findSession(deps, token)).toBeNull();
    expect(await outcomeOf(signIn(deps, request))).toBe('WRONG_CREDENTIALS');
    expect(await outcomeOf(signIn(deps, { ...request, password }))).toBe('done');
    expect(await outcomeOf(change((by) => resetTotp(by, person.id)))).toBe('done');
    const other = await deps.add('staff');
    await deps.addTotp(other);
    await change((by) => resetTotp(by, other.id));
    expect(await outcomeOf(deps.enter(other))).toBe('done');
  });
});

// Helpers

async function twoOwners(deps: AccountsHarness) {
  const merchantId = await deps.addMerchant();
  const [ann, bob] = [await deps.add('owner', merchantId), await deps.add('owner', merchantId)];
  return [(await deps.enter(ann)).signedIn, (await deps.enter(bob)).signedIn] as const;
}
