import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changePassword,
  findSession,
  listSessions,
  requestPasswordReset,
  resetPassword,
  revokeSession,
  type SignedInUser,
  signIn,
  signOut,
} from '../../src/accounts/index.ts';
import {
  endSessions,
  IDLE_MS,
  MAX_OPEN_SESSIONS,
  MAX_SESSION_MS,
  SEEN_EVERY_MS,
  startSession,
} from '../../src/accounts/sessions/sessions.ts';
import { hashToken } from '../../src/platform/hash-token.ts';
import { describeBothDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import {
  type AccountsHarness,
  createAccountsHarness,
  lastMail,
  outcomeOf,
  PASSWORD,
  signedInUserOf,
  signInRequest,
  uniqueAddress,
} from './harness.ts';

describeBothDatabases('a session', (database) => {
  test('ends after 12 idle hours, and after 30 days however much it is used', async () => {
    const deps = createAccountsHarness(database());
    const { token } = await deps.enter(await deps.add('owner'));
    for (let used = 0; used < MAX_SESSION_MS - IDLE_MS; used += IDLE_MS - 1) {
      expect(await findSession(deps, token)).not.toBeNull();
      deps.clock.advance(IDLE_MS - 1);
    }
    const silent = await deps.enter(await deps.add('owner'));
    deps.clock.advance(IDLE_MS);
    expect(await findSession(deps, silent.token)).toBeNull();
  });

  test('is stored as a hash of 256 random bits, and is found only by its token', async () => {
    const deps = createAccountsHarness(database());
    const { token, signedIn } = await deps.enter(await deps.add('owner'));
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const row = await deps.db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', signedIn.sessionId)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(token);
    for (const guess of [row.token_hash, row.id, `${token} `, token.slice(1), '', `${token}\0`, 'x'.repeat(5_000)]) {
      expect(await findSession(deps, guess)).toBeNull();
    }
  });

  test('has the current role of its user, and none once the login is disabled', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const { token } = await deps.enter(person);
    await deps.db.updateTable('merchant_user').set({ role: 'staff' }).where('id', '=', person.id).execute();
    expect(await findSession(deps, token)).toMatchObject({ role: 'staff', email: person.email });
    await deps.db
      .updateTable('merchant_user')
      .set({ disabled_at: new Date(0) })
      .where('id', '=', person.id)
      .execute();
    expect(await findSession(deps, token)).toBeNull();
  });

  test('ends on all other devices when the password is changed, and on all when it is reset', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const [mine, other] = [await deps.enter(person), await deps.enter(person)];
    const change = { currentPassword: PASSWORD, code: null, password: 'another quiet harbour', email: person.email };
    await changePassword(deps, mine.signedIn, change);
    expect([(await findSession(deps, mine.token)) !== null, await findSession(deps, other.token)]).toEqual([
      true,
      null,
    ]);
    expect((await lastMail(deps, person.email))?.subject).toBe('Your password was changed');
    await requestPasswordReset(deps, { email: person.email, address: uniqueAddress() });
    const { token = '' } = (await lastMail(deps, person.email)) ?? {};
    await resetPassword(deps, { token, password: 'a third quiet harbour' });
    expect(await findSession(deps, mine.token)).toBeNull();
  });

  test('can be ended by its own user only', async () => {
    const deps = createAccountsHarness(database());
    const [ann, bob] = [await deps.enter(await deps.add('owner')), await deps.enter(await deps.add('operator'))];
    expect(await outcomeOf(revokeSession(deps, bob.signedIn, ann.signedIn.sessionId))).toBe('SESSION_NOT_FOUND');
    expect(await findSession(deps, ann.token)).not.toBeNull();
    expect(await outcomeOf(revokeSession(deps, ann.signedIn, ann.signedIn.sessionId))).toBe('done');
    expect(await outcomeOf(revokeSession(deps, ann.signedIn, ann.signedIn.sessionId))).toBe('SESSION_NOT_FOUND');
  });

  test('ends when a hundred others of its user were used since and a new one starts', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const oldest = await deps.enter(person);
    const used = await deps.enter(person);
    const start = { userId: person.id, userAgent: 'A browser', networkHash: 'none' };
    await deps.db.transaction().execute(async (trx) => {
      for (let more = 2; more < MAX_OPEN_SESSIONS; more += 1) {
        await startSession(trx, { ...start, now: deps.clock.now() + more });
      }
    });
    deps.clock.advance(SEEN_EVERY_MS);
    await findSession(deps, used.token);
    const newest = await deps.enter(person);
    expect(await findSession(deps, oldest.token)).toBeNull();
    expect(await findSession(deps, used.token)).not.toBeNull();
    expect(await listSessions(deps, newest.signedIn)).toHaveLength(MAX_OPEN_SESSIONS);
    const audited = await deps.db
      .selectFrom('audit_entry')
      .select('subject_id')
      .where('what', '=', 'session.ended')
      .where('who', '=', `user ${person.id}`)
      .execute();
    expect(audited).toEqual([{ subject_id: oldest.signedIn.sessionId }]);
  });

  test('shows the name of the browser as one short line', async () => {
    const deps = createAccountsHarness(database());
    const person = await deps.add('owner');
    const userAgent = `Evil\r\n\u0000\u202Ebrowser${'x'.repeat(1_000)}`;
    const { token } = await signIn(deps, { ...signInRequest(person.email), userAgent, address: uniqueAddress() });
    const [listed] = await listSessions(deps, await signedInUserOf(deps, token));
    expect(listed?.userAgent).toMatch(/^Evil browserx+$/);
    expect(listed?.userAgent.length).toBeLessThanOrEqual(300);
  });

  test('is accepted exactly when a model of its lifetime accepts it', async () => {
    const deps = createAccountsHarness(database());
    const [ann, bob] = [await deps.add('owner'), await deps.add('owner')];
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => live(deps, [ann.id, bob.id], steps)),
      { numRuns: level.runs(60) },
    );
  });
});

// Helpers

/** Possible steps; `session` is an index into all sessions ever started. */
type Step =
  | { readonly kind: 'begin'; readonly user: number; readonly replaces: number | null }
  | { readonly kind: 'signOut' | 'revoke' | 'use'; readonly session: number }
  | { readonly kind: 'endOthers'; readonly session: number }
  | { readonly kind: 'wait'; readonly ms: number };

const session = fc.nat({ max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      user: fc.nat({ max: 1 }),
      replaces: fc.option(session),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('signOut' as const, 'revoke' as const, 'use' as const), session }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('endOthers' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(
        1,
        SEEN_EVERY_MS - 1,
        SEEN_EVERY_MS,
        IDLE_MS / 2,
        IDLE_MS - 1,
        IDLE_MS,
        MAX_SESSION_MS - IDLE_MS,
        MAX_SESSION_MS,
      ),
    }),
  },
);

interface Modelled {
  readonly token: string;
  readonly signedIn: SignedInUser;
  readonly bornAt: number;
  seenAt: number;
  isEnded: boolean;
}

/** Plays a history and compares the accepted sessions with the expected ones after every step. */
async function live(deps: AccountsHarness, users: readonly string[], steps: readonly Step[]): Promise<void> {
  const all: Modelled[] = [];
  const now = () => deps.clock.now();
  const isOpen = ({ isEnded, bornAt, seenAt }: Modelled) =>
    !isEnded && now() < bornAt + MAX_SESSION_MS && now() < seenAt + IDLE_MS;
  for (const each of steps) {
    const named = 'session' in each ? all[each.session % Math.max(1, all.length)] : undefined;
    switch (each.kind) {
      case 'wait':
        deps.clock.advance(each.ms);
        break;
      case 'begin': {
        const former = each.replaces === null ? undefined : all[each.replaces % Math.max(1, all.length)];
        if (former !== undefined) former.isEnded = true;
        all.push(await begin(deps, users[each.user] ?? '', former?.token ?? null));
        break;
      }
      case 'signOut':
        if (named === undefined) break;
        await signOut(deps, named.token);
        named.isEnded = true;
        break;
      case 'revoke':
        if (named === undefined) break;
        await outcomeOf(revokeSession(deps, named.signedIn, named.signedIn.sessionId));
        named.isEnded = true;
        break;
      case 'use':
        if (named === undefined) break;
        expect((await findSession(deps, named.token)) !== null).toBe(isOpen(named));
        if (isOpen(named) && now() - named.seenAt >= SEEN_EVERY_MS) named.seenAt = now();
        break;
      case 'endOthers':
        if (named === undefined) break;
        await deps.db
          .transaction()
          .execute((trx) =>
            endSessions(trx, { userId: named.signedIn.userId, keepId: named.signedIn.sessionId, now: now() }),
          );
        for (const other of all) {
          if (other !== named && other.signedIn.userId === named.signedIn.userId) other.isEnded = true;
        }
        break;
    }
    await compare(deps, users, all, isOpen);
  }
  for (const each of all) expect((await findSession(deps, each.token)) !== null).toBe(isOpen(each));
  await deps.db.deleteFrom('session').execute();
}

/**
 * Starts a session without the cost of a password check, with the same code as sign-in otherwise.
 */
async function begin(deps: AccountsHarness, userId: string, formerToken: string | null): Promise<Modelled> {
  const now = deps.clock.now();
  const { token, sessionId } = await deps.db
    .transaction()
    .execute((trx) => startSession(trx, { userId, userAgent: 'A browser', networkHash: '', now }));
  if (formerToken !== null) await signOut(deps, formerToken);
  const signedIn: SignedInUser = { userId, sessionId, role: 'owner', merchantId: null };
  return { token, signedIn, bornAt: now, seenAt: now, isEnded: false };
}

/** Checking must not count as use, so it queries the rows and the list a user sees. */
async function compare(
  deps: AccountsHarness,
  users: readonly string[],
  all: readonly Modelled[],
  isOpen: (session: Modelled) => boolean,
): Promise<void> {
  const shown: string[] = [];
  for (const userId of users) {
    const listed = await listSessions(deps, { userId, sessionId: '' });
    shown.push(...listed.map(({ id }) => id));
  }
  expect(shown.sort()).toEqual(
    all
      .filter(isOpen)
      .map(({ signedIn }) => signedIn.sessionId)
      .sort(),
  );
  const known = await deps.db.selectFrom('session').select('token_hash').execute();
  for (const each of all.filter(isOpen)) expect(known).toContainEqual({ token_hash: hashToken(each.token) });
}
