import { type FastifyInstance, fastify } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import type { Session, UserRole } from '../../../../src/accounts/index.ts';
import { closeUnusedConnections } from '../../../../src/http/api/plugins/drain.ts';
import { operatorRoutes } from '../../../../src/http/console/operator/routes.ts';
import { sendConsoleProblem } from '../../../../src/http/console/session/problems.ts';
import { queueEmails } from '../../../../src/mail/index.ts';
import { createLiveFeed, createRunWorker, type LiveFeed } from '../../../../src/operations/index.ts';
import type { PollLoop } from '../../../../src/platform/poll-loop.ts';
import { createInstallation, type Installation, newRequestId } from '../../../operations/installation.ts';
import { createEmbeddedDatabase } from '../../../support/database/embedded-database.ts';
import { createPostgresDatabase, type TestDatabase } from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { COMPONENTS } from '../../../support/run/components.ts';
import { level } from '../../../support/run/level.ts';
import { silentLog } from '../../../support/silent-log.ts';

let database: TestDatabase;
let all: Installation;
let app: FastifyInstance;
let feed: LiveFeed;
let worker: PollLoop;

beforeAll(async () => {
  // PGlite takes longer to start.
  database = await (level.isFull || !COMPONENTS.postgres.isThere()
    ? createEmbeddedDatabase()
    : createPostgresDatabase());
  all = createInstallation(database);
  feed = createLiveFeed({ db: all.db, log: silentLog, pollEveryMs: 10 });
  worker = createRunWorker({ ...all, log: silentLog, pollEveryMs: 10 });
  worker.start();
  const bus = { ...all.bus, waiting: async () => new Map([['actor-transaction', 2]]) };
  const rates = { status: () => [{ source: 'kraken', succeededAt: 5, failedAt: null, failure: null }] };
  const installation = { liveNetworks: ['litecoin-mainnet'], sendsMails: false, publicUrl: 'https://pay.example' };
  const deps = { ...all, bus, rates, networks: ['litecoin'], feed, plansEnabled: true, installation };
  app = fastify();
  // As the service does: an aborted fetch opens the next connection in advance.
  closeUnusedConnections(app);
  app.setErrorHandler(sendConsoleProblem);
  app.decorateRequest('signedIn', null);
  app.decorateRequest('readSignedIn', null);
  app.addHook('onRequest', async (request) => {
    const signedIn = sessionOf(request.headers['x-role'] as UserRole);
    request.signedIn = signedIn;
    request.readSignedIn = async () => signedIn;
  });
  await app.register(operatorRoutes, {
    prefix: '/console/api',
    deps,
    layoutOf: async ({ kind, version }) => ({
      kind,
      version,
      width: 1,
      height: 1,
      states: [],
      events: [],
      edges: [],
      initials: [],
    }),
  });
});

afterAll(async () => {
  await feed.stop();
  await worker.stop();
  await app.close();
  await database.drop();
});

test('an operator finds an actor by its state, views its history, previews an event and sends it', async () => {
  const id = await all.startSchedule();
  expect((await get('/charts')).body.data).toHaveLength(3);
  expect((await get('/charts/schedule/layout')).body.data).toMatchObject({ kind: 'schedule', version: '1' });
  const [leaf] = (await get('/population?kind=schedule')).body.data.leaves;
  const list = (await get(`/actors?kind=schedule&state=${leaf.state}&search=${id}&isLate=false&restingMs=0`)).body.data;
  expect(list).toMatchObject({
    total: 1,
    cursor: null,
    actors: [{ id, steps: 1, nextTimer: { name: 'confirmation_expired' } }],
  });
  const detail = (await get(`/actors/${id}`)).body.data;
  expect(detail).toMatchObject({
    isSound: true,
    status: 'active',
    timers: [{ gate: null, height: null }],
    related: [],
  });
  expect((await get(`/actors/${id}/journal`)).body.data).toMatchObject({ steps: [{ source: 'start' }], next: null });
  expect((await get(`/actors/${id}/moments/1`)).body.data.visited).toEqual([{ path: 'unconfirmed', count: 1 }]);

  const draft = { type: 'customer.stopped', fields: {}, seenSequence: 1 };
  const preview = await post(`/actors/${id}/preview`, draft, 'observer');
  expect(preview.body.data).toMatchObject({
    isTaken: true,
    state: 'ended.stoppedByCustomer',
    webhooks: ['recurring.stopped'],
  });
  const request = { ...draft, reason: 'asked for by mail', requestId: newRequestId() };
  expect(await post(`/actors/${id}/events`, request)).toMatchObject({
    status: 200,
    body: { data: { outcome: 'applied', state: 'ended.stoppedByCustomer' } },
  });
  const late = { ...request, requestId: newRequestId() };
  expect(await post(`/actors/${id}/events`, late)).toMatchObject({ status: 409, body: { error: 'STALE' } });

  const file = (await get(`/actors/${id}/export`)).body.data;
  expect((await post('/journals/read', file, 'observer')).body.data).toMatchObject({ isSound: true, actorId: id });
  const text = await app.inject({
    url: `/console/api/actors/${id}/export?format=test`,
    headers: { 'x-role': 'observer' },
  });
  expect(text.headers['content-disposition']).toContain('regression.test.ts');
  expect(text.payload).toContain('scheduleMachine');
});

test('journal files are read one at a time', async () => {
  const file = (await get(`/actors/${await all.startSchedule()}/export`)).body.data;
  const responses = await Promise.all([post('/journals/read', file), post('/journals/read', file)]);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
  const rejected = responses.find(({ status }) => status === 429);
  expect(rejected?.body).toMatchObject({ error: 'JOURNAL_READER_BUSY', message: expect.stringContaining('try again') });
  expect(await post('/journals/read', {})).toMatchObject({ status: 400, body: { error: 'INVALID_JOURNAL_FILE' } });
  expect((await post('/journals/read', file)).status).toBe(200);
});

test('an operator reads stored emails to customers', async () => {
  const actor = await all.startSchedule();
  const at = all.clock.now() + DAY_MS;
  const mails = [1, 2].map((nth) => ({
    merchantId: null,
    recipient: 'customer@example.com',
    subject: `Mail ${nth}`,
    text: 'Hello',
    html: '<p>Hello</p>',
    dedupeKey: `${actor} ${nth}`,
    isHeld: true,
    actorId: actor,
    createdAt: at + nth,
  }));
  await all.db.transaction().execute((trx) => queueEmails(trx, mails));
  const first = (await get('/mails?limit=1', 'operator')).body.data;
  expect(first.mails).toMatchObject([{ subject: 'Mail 2', recipient: 'customer@example.com' }]);
  const second = (await get(`/mails?limit=1&cursor=${first.cursor}`, 'operator')).body.data;
  expect(second.mails).toMatchObject([{ subject: 'Mail 1' }]);
  expect((await get(`/mails/${first.mails[0].id}`, 'operator')).body.data).toMatchObject({ text: 'Hello' });
  expect((await get('/mails/eml_none', 'operator')).status).toBe(404);
});

test.each([
  ['/population', 400, 'kind'],
  ['/population?kind=none', 400, 'choose from transaction, delivery, schedule'],
  ['/actors?kind=schedule&colour=red', 400, 'colour'],
  ['/actors?kind=schedule&limit=0', 400, 'limit'],
  ['/actors?kind=schedule&limit=1e3', 400, 'limit'],
  ['/actors?kind=schedule&kind=delivery', 400, 'kind'],
  ['/actors?kind=schedule&isLate=maybe', 400, 'isLate'],
  ['/actors?kind=schedule&restingMs=-1', 400, 'restingMs'],
  ['/actors?kind=schedule&search=%00', 400, 'search'],
  ['/actors?kind=schedule&cursor=zzz', 400, 'cursor'],
  ['/actors/nobody', 404, 'nobody'],
  ['/actors/nobody/journal', 404, 'nobody'],
  ['/actors/nobody/moments/1', 404, 'nobody'],
  ['/actors/nobody/moments/x', 400, 'sequence'],
  ['/actors/nobody/export?format=pdf', 400, 'format'],
  ['/charts/none/layout', 404, 'transaction'],
  ['/dead-letters?cursor=x', 400, 'cursor'],
  ['/runs/none', 404, 'Run'],
])('GET %s returns %i, naming the invalid part', async (path, status, names) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(answer.body.message).toContain(names);
});

test.each([
  [{ seenSequence: 1 }, 'type'],
  [{ type: 'customer.stopped' }, 'seenSequence'],
  [{ type: 'customer.stopped', seenSequence: 1 }, 'reason'],
  [{ type: 'customer.stopped', seenSequence: 1, reason: 'x' }, 'requestId'],
  [{ type: 'customer.stopped', seenSequence: 1, reason: ' ', requestId: '12345678' }, 'reason'],
  [{ type: 'customer.stopped', seenSequence: 1, reason: 'x', requestId: '12345678', fields: [] }, 'fields'],
  [{ type: 'customer.stopped', seenSequence: 1, reason: 'x', requestId: '12345678', fields: { at: 1 } }, 'fields.at'],
  [{ type: 'timer.forgotten', seenSequence: 1, reason: 'x', requestId: '12345678' }, 'choose from'],
  [{ state: 'paused' }, 'state'],
])('an event with %j is rejected, naming the invalid part', async (body, names) => {
  const id = await all.startSchedule();
  const answer = await post(`/actors/${id}/events`, body);
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain(names);
  expect((await get(`/actors/${id}`)).body.data.steps).toBe(1);
});

test('one event is sent to many actors in a run that is planned, started and followed', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => all.startDelivery()));
  const failure = { kind: 'timeout', status: null, detail: '' };
  for (const actorId of ids) {
    const event = { type: 'sender.attempt_failed', attempt: 1, failure, jitter: 0 };
    await all.engine.deliver({ actorId, eventId: 'attempt:1:answered', event });
  }
  const request = {
    filter: { kind: 'delivery', state: 'waiting' },
    task: { what: 'send_event', type: 'merchant.redelivery_requested', fields: {} },
    reason: 'the endpoint is back',
    requestId: newRequestId(),
  };
  const staged = (await post('/runs', request)).body.data;
  expect(staged).toMatchObject({
    state: 'planned',
    total: 3,
    outcomes: {},
    task: request.task,
    filter: request.filter,
  });
  await post(`/runs/${staged.id}/start`, undefined);
  await expect.poll(async () => (await get(`/runs/${staged.id}`)).body.data.state, POLLING).toBe('done');
  expect((await get('/runs')).body.data[0]).toMatchObject({ id: staged.id, outcomes: { applied: 3 } });
  expect(await post(`/runs/${staged.id}/pause`, undefined)).toMatchObject({ status: 409 });
  const none = { ...request, requestId: undefined };
  expect(await post('/runs', none)).toMatchObject({ status: 409, body: { error: 'NOTHING_TO_DO' } });
});

test('dead letters are listed, and retried or dismissed with a reason', async () => {
  const actorId = await all.startTransaction();
  const { db } = all;
  await sql`insert into chain_cursor (network, epoch, last_error) values ('litecoin', 0, 'no response')`.execute(db);
  const event = { type: 'chain.output_seen', outputId: 'a:0', amountBaseUnits: 'x', order: 1, firstSeenAt: 1 };
  await all.engine.deliver({ actorId, eventId: 'chain:a:0:1', event });
  const { deadLetters: data, total } = (await get('/dead-letters')).body.data;
  expect(total).toBe(1);
  expect(data).toMatchObject([{ queue: 'engine', actorId, data: { event } }]);
  expect((await get('/health')).body.data).toMatchObject({
    deadLetters: { open: 1 },
    issues: [],
    failingEndpoints: { merchants: 0, since: null },
    testFailingEndpoints: { merchants: 0, since: null },
    bus: { responds: true, waiting: [{ queue: 'actor-transaction', count: 2 }] },
    chains: [{ network: 'litecoin', state: 'never_started', tip: null, lastError: 'no response' }],
    rates: [{ source: 'kraken' }],
    mails: { waiting: 0, failed: 0 },
    missing: ['merchant', 'wallet', 'mail', 'second_operator'],
  });
  const path = `/dead-letters/${data[0].id}`;
  const answer = { reason: 'repaired', requestId: newRequestId() };
  expect((await post(`${path}/retry`, answer)).body.data).toEqual({ outcome: 'failed' });
  expect((await post(`${path}/dismiss`, { ...answer, requestId: newRequestId() })).body.data).toEqual({
    outcome: 'settled',
  });
  expect(await post(`${path}/dismiss`, { ...answer, requestId: newRequestId() })).toMatchObject({ status: 404 });
});

test('changes arrive as server-sent events, and a reconnecting reader misses none', async () => {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const first = await follow(origin);
  const one = await all.startSchedule();
  await expect.poll(() => first.text(), POLLING).toContain(one);
  first.stop();
  const lastId = [...first.text().matchAll(/id: ([\d-]+)/g)].at(-1)?.[1] ?? '';
  const missed = await all.startSchedule();
  const second = await follow(origin, lastId);
  await expect.poll(() => second.text(), POLLING).toContain(missed);
  expect(second.text()).not.toContain(one);
  const line =
    second
      .text()
      .split('\n')
      .find((each) => each.includes(missed)) ?? '';
  expect(JSON.parse(line.slice('data: '.length))).toMatchObject({
    kind: 'schedule',
    actorId: missed,
    sequence: 1,
    state: 'unconfirmed',
  });
  second.stop();
  expect(
    (await fetch(`${origin}/console/api/live`, { headers: { 'x-role': 'observer', 'last-event-id': 'x' } })).status,
  ).toBe(400);
});

/** Tests check answers field by field. */
type ResponseBody = { status: number; body: ReturnType<typeof JSON.parse> };

function sessionOf(role: UserRole): Session {
  return {
    sessionId: 'ses_1',
    userId: 'usr_1',
    email: 'op@example.com',
    role,
    merchant: null,
    hasTotp: false,
    recoveryCodes: 0,
  };
}

async function get(path: string, role = 'observer'): Promise<ResponseBody> {
  const answer = await app.inject({ url: `/console/api${path}`, headers: { 'x-role': role } });
  return { status: answer.statusCode, body: answer.json() };
}

async function post(path: string, body: unknown, role = 'operator'): Promise<ResponseBody> {
  const headers = { 'x-role': role };
  const payload = body === undefined ? {} : { payload: body as object };
  const answer = await app.inject({ method: 'POST', url: `/console/api${path}`, headers, ...payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function follow(origin: string, lastEventId?: string): Promise<{ text(): string; stop(): void }> {
  const stop = new AbortController();
  const headers = { 'x-role': 'observer', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
  const response = await fetch(`${origin}/console/api/live`, { headers, signal: stop.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  };
  read().catch(() => {});
  return { text: () => text, stop: () => stop.abort() };
}
