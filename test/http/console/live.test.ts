import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeUnusedConnections } from '../../../src/http/api/plugins/drain.ts';
import { liveRoute } from '../../../src/http/console/live/live-route.ts';
import { liveRoutes } from '../../../src/http/console/merchant/routes.ts';
import { guardConsole, requireRole } from '../../../src/http/console/session/guard.ts';
import { sessionRoutes } from '../../../src/http/console/session/routes.ts';
import { createRateLimiter } from '../../../src/merchants/index.ts';
import { createLiveFeed, type LiveFeed } from '../../../src/operations/index.ts';
import {
  type AccountsHarness,
  createAccountsHarness,
  PASSWORD,
  type TestUser,
  uniqueAddress,
} from '../../accounts/harness.ts';
import { createInstallation, type Installation } from '../../operations/installation.ts';
import { createEmbeddedDatabase } from '../../support/database/embedded-database.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { COMPONENTS } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { silentLog } from '../../support/silent-log.ts';

let database: TestDatabase;
let deps: AccountsHarness;
let all: Installation;
let feed: LiveFeed;
let app: FastifyInstance;
let origin: string;

beforeAll(async () => {
  // PGlite takes longer to start.
  database = await (level.isFull || !COMPONENTS.postgres.isThere()
    ? createEmbeddedDatabase()
    : createPostgresDatabase());
  deps = createAccountsHarness(database);
  all = createInstallation(database);
  feed = createLiveFeed({ db: all.db, log: silentLog, pollEveryMs: 10 });
  app = fastify({ trustProxy: true });
  // As the service does: an aborted fetch opens the next connection in advance.
  closeUnusedConnections(app);
  const guard = {
    accounts: deps,
    isOpen: () => true,
    sendsMails: true,
    publicUrl: 'https://pay.example.com',
    limiter: createRateLimiter(deps),
  };
  await app.register(sessionRoutes, guard);
  await app.register(
    async (scope) => {
      await guardConsole(scope, guard);
      liveRoute(scope, {
        follow: (_request, listener, since) => feed.join(listener, since),
        onRequest: requireRole('operator', 'observer'),
        heartbeatMs: 20,
      });
      await scope.register(
        async (merchants) => {
          merchants.addHook('onRequest', requireRole('owner', 'staff'));
          await merchants.register(liveRoutes, { feed, heartbeatMs: 20 });
        },
        { prefix: '/merchant' },
      );
    },
    { prefix: '/console/api' },
  );
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await feed.stop();
  await database.drop();
});

test('a merchant receives events of its own actors only, and after a pause all that it missed', async () => {
  const [owner, neighbour] = [await deps.add('owner'), await deps.add('staff')];
  const [own, other] = [await open('/merchant/live', owner), await open('/merchant/live', neighbour)];
  const first = await all.startTransaction({ merchantId: idOf(owner) });
  const theirs = await all.startTransaction({ merchantId: idOf(neighbour) });
  await all.startSchedule();
  await expect.poll(own.actors, POLLING).toEqual([first]);
  await expect.poll(other.actors, POLLING).toEqual([theirs]);
  // Changes of other merchants move the position on too.
  const lastId = own.lastId();
  await all.startTransaction({ merchantId: idOf(neighbour) });
  await expect.poll(own.lastId, POLLING).not.toBe(lastId);
  own.stop();

  const missed = await all.startTransaction({ merchantId: idOf(owner) });
  await all.startTransaction({ merchantId: idOf(neighbour) });
  const again = await open('/merchant/live', owner, own.lastId());
  await expect.poll(again.actors, POLLING).toEqual([missed]);
  const foreign = await open('/merchant/live', owner, '999999999999999-1');
  await expect.poll(foreign.text, POLLING).toContain('event: reload');
  expect(again.text() + own.text()).not.toContain(theirs);
});

test('a reader that is disconnected before the first event can resume', async () => {
  const owner = await deps.add('owner');
  const cut = await open('/merchant/live', owner);
  await expect.poll(cut.lastId, POLLING).not.toBe('');
  cut.stop();
  const missed = await all.startTransaction({ merchantId: idOf(owner) });
  const again = await open('/merchant/live', owner, cut.lastId());
  await expect.poll(again.actors, POLLING).toEqual([missed]);
  again.stop();
});

const ENDS: Readonly<Record<string, (person: TestUser) => Promise<unknown>>> = {
  'is signed out elsewhere': ({ id }) =>
    deps.db
      .updateTable('session')
      .set({ revoked_at: new Date(deps.clock.now()) })
      .where('user_id', '=', id)
      .execute(),
  'is disabled': ({ id }) =>
    deps.db
      .updateTable('merchant_user')
      .set({ disabled_at: new Date(0) })
      .where('id', '=', id)
      .execute(),
  'gets another role': ({ id, merchantId }) =>
    deps.db
      .updateTable('merchant_user')
      .set({ role: merchantId === null ? 'observer' : 'staff' })
      .where('id', '=', id)
      .execute(),
};

for (const [role, path] of [
  ['owner', '/merchant/live'],
  ['operator', '/live'],
] as const) {
  test.each(Object.keys(ENDS))(`the stream of an ${role} ends when its user %s`, async (name) => {
    const [person, colleague] = [await deps.add(role), await deps.add(role)];
    const [stream, other] = [await open(path, person), await open(path, colleague)];
    await expect.poll(stream.text, POLLING).toContain(': still here');
    await ENDS[name]?.(person);
    await expect.poll(stream.hasEnded, POLLING).toBe(true);
    const beats = other.text().length;
    await expect.poll(() => other.text().length > beats, POLLING).toBe(true);
    expect(other.hasEnded()).toBe(false);
    other.stop();
  });
}

test('each stream is limited to its own audience', async () => {
  const statuses = async (role: 'owner' | 'staff' | 'operator' | 'observer') => {
    const cookie = await cookieOf(await deps.add(role));
    return Promise.all(['/live', '/merchant/live'].map((path) => statusOf(path, cookie)));
  };
  expect(await statuses('owner')).toEqual([403, 200]);
  expect(await statuses('staff')).toEqual([403, 200]);
  expect(await statuses('operator')).toEqual([200, 403]);
  expect(await statuses('observer')).toEqual([200, 403]);
  expect(await Promise.all(['/live', '/merchant/live'].map((path) => statusOf(path, '')))).toEqual([401, 401]);
  const cookie = await cookieOf(await deps.add('owner'));
  expect(await statusOf('/merchant/live', cookie, 'x')).toBe(400);
});

interface Stream {
  text(): string;
  /** Actors of the received changes, in order. */
  actors(): string[];
  lastId(): string;
  hasEnded(): boolean;
  stop(): void;
}

async function open(path: string, person: TestUser, lastEventId?: string): Promise<Stream> {
  const { response, stop } = await ask(path, await cookieOf(person), lastEventId);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  let hasEnded = false;
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
    hasEnded = true;
  };
  read().catch(() => {});
  return {
    text: () => text,
    actors: () => [...text.matchAll(/"actorId":"([^"]+)"/g)].map(([, id = '']) => id),
    lastId: () => [...text.matchAll(/^id: ([\d-]+)$/gm)].at(-1)?.[1] ?? '',
    hasEnded: () => hasEnded,
    stop,
  };
}

async function statusOf(path: string, cookie: string, lastEventId?: string): Promise<number> {
  const { response, stop } = await ask(path, cookie, lastEventId);
  stop();
  return response.status;
}

async function ask(path: string, cookie: string, lastEventId?: string) {
  const stop = new AbortController();
  const response = await fetch(`${origin}/console/api${path}`, {
    headers: { cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: stop.signal,
  });
  return { response, stop: () => stop.abort() };
}

async function cookieOf({ email }: TestUser): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/console/api/sign-in',
    remoteAddress: uniqueAddress(),
    headers: { host: 'pay.example.com', origin: 'https://pay.example.com', 'x-quittance-console': '1' },
    payload: { email, password: PASSWORD },
  });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}

function idOf({ merchantId }: TestUser): string {
  if (merchantId === null) throw new Error('this user has no merchant');
  return merchantId;
}
