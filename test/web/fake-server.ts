import type { AddressInfo } from 'node:net';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { REAL_CHARTS } from '../../scripts/charts/real-charts.ts';
import { closeUnusedConnections } from '../../src/http/api/plugins/drain.ts';
import type { ActorPage, EventRequest, ListedActor, LiveChange } from '../../src/http/console/operator/schemas.ts';
import type { SignedIn } from '../../src/http/console/session/schemas.ts';
import { staticRoutes } from '../../src/http/console/static/routes.ts';
import { foldedChart } from '../../src/http/console/text-measurement/index.ts';
import { chartNamed } from '../support/charts/find-chart.ts';
import { sharedLayoutOf } from '../support/charts/shared-layouts.ts';
import * as fake from './fake-data.ts';

/**
 * The built pages, served as the service serves them, with a fake of its API: responses from
 * `fake-data.ts`, and just enough state to sign in and to see what was sent. It checks nothing that
 * the real server checks, except what every page must send.
 */
export interface FakeServer {
  readonly url: string;
  /** The user who signs in with the right password, and with `123456` if they have two factors. */
  user: SignedIn;
  readonly sent: readonly EventRequest[];
  /** API requests without the console's header. */
  readonly unmarked: readonly string[];
  /** Answers the next `times` requests with 503. */
  failNext(times: number): void;
  /** Starts the one session that all pages share. */
  signIn(): void;
  /** Ends the session without the page knowing. */
  signOut(): void;
  push(change: LiveChange): void;
  /** Notifies pages that they have missed too many changes and must reload. */
  reload(): void;
  readonly liveResumedAfter: readonly (string | undefined)[];
  cutLive(): void;
  /** Restores the initial state, once all pages are closed. */
  reset(): void;
  stop(): Promise<void>;
}

export const PASSWORD = 'correct horse battery';
export const CODE = '123456';
export const OPERATOR: SignedIn = {
  userId: 'usr_1',
  email: 'operator@example.com',
  role: 'operator',
  merchant: null,
  hasTotp: true,
  recoveryCodes: 9,
};
const PAGE_ROWS = 200;

/** Lays out all charts first, so that no test waits for it. */
export async function startWithCharts(): Promise<FakeServer> {
  await Promise.all([...REAL_CHARTS, ...REAL_CHARTS.map(foldedChart)].map(sharedLayoutOf));
  return startFakeServer();
}

export async function startFakeServer(): Promise<FakeServer> {
  const app = fastify();
  // As the service does: browsers open spare connections.
  closeUnusedConnections(app);
  const state = {
    user: OPERATOR,
    isSignedIn: false,
    failures: 0,
    sent: [] as EventRequest[],
    unmarked: [] as string[],
    streams: new Set<FastifyReply>(),
    resumedAfter: [] as (string | undefined)[],
    pushed: 0,
  };
  await app.register(staticRoutes);
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/console/api/')) return;
    if (request.headers['x-quittance-console'] !== '1') state.unmarked.push(request.url);
    if (state.failures > 0) {
      state.failures -= 1;
      return reply.code(503).send({ error: 'UNAVAILABLE', message: 'The database does not answer.' });
    }
    const isOpen = /\/(sign-in|sign-up|setup|mail-info|password-reset\/\w+)(\?|$)/.test(request.url);
    if (!isOpen && !state.isSignedIn) {
      return reply.code(401).send({ error: 'NOT_SIGNED_IN', message: 'You are not signed in: sign in again.' });
    }
  });
  await app.register(async (api) => accountRoutes(api, state), { prefix: '/console/api' });
  await app.register(async (api) => operatorRoutes(api, state), { prefix: '/console/api' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get user() {
      return state.user;
    },
    set user(user) {
      state.user = user;
    },
    sent: state.sent,
    unmarked: state.unmarked,
    liveResumedAfter: state.resumedAfter,
    failNext: (times) => {
      state.failures = times;
    },
    signIn: () => {
      state.isSignedIn = true;
    },
    signOut: () => {
      state.isSignedIn = false;
    },
    push: (change) => {
      state.pushed += 1;
      for (const { raw } of state.streams) raw.write(`id: ${state.pushed}\ndata: ${JSON.stringify(change)}\n\n`);
    },
    reload: () => {
      for (const { raw } of state.streams) raw.write(`id: ${state.pushed}\nevent: reload\ndata: {}\n\n`);
    },
    cutLive: () => {
      for (const { raw } of state.streams) raw.end();
      state.streams.clear();
    },
    reset: () => {
      Object.assign(state, { user: OPERATOR, isSignedIn: false, failures: 0, pushed: 0 });
      for (const list of [state.sent, state.unmarked, state.resumedAfter]) list.length = 0;
    },
    stop: async () => {
      for (const { raw } of state.streams) raw.destroy();
      await app.close();
    },
  };
}

// Helpers

interface State {
  user: SignedIn;
  isSignedIn: boolean;
  sent: EventRequest[];
  readonly streams: Set<FastifyReply>;
  readonly resumedAfter: (string | undefined)[];
}

async function accountRoutes(api: FastifyInstance, state: State): Promise<void> {
  api.post<{ Body: { password: string; code?: string } }>('/sign-in', async (request, reply) => {
    const { password, code } = request.body;
    const reject = (error: string, message: string) => reply.code(401).send({ error, message });
    if (password !== PASSWORD) return reject('WRONG_CREDENTIALS', 'Email or password is wrong; correct them.');
    if (state.user.hasTotp && code === undefined) return reject('CODE_REQUIRED', 'code is missing.');
    if (state.user.hasTotp && code !== CODE) return reject('WRONG_CODE', 'code is wrong; wait for the next one.');
    state.isSignedIn = true;
    return { data: state.user };
  });
  api.post('/sign-out', async () => {
    state.isSignedIn = false;
    return { data: null };
  });
  api.get('/sign-up', async () => ({ data: { isOpen: true } }));
  api.get('/setup', async () => ({ data: { isOpen: false } }));
  api.get('/mail-info', async () => ({ data: { sendsMails: true } }));
  api.post('/password-reset/request', async (_request, reply) => reply.code(202).send({ data: null }));
  api.post('/password-reset/link', async () => ({
    data: { purpose: 'invitation', email: 'colleague@shop.example', role: 'staff', merchantName: 'Corner Shop' },
  }));
  api.post('/password-reset/confirm', async () => ({ data: null }));
  api.get('/me', async () => ({ data: state.user }));
  api.post<{ Body: { currentPassword: string; code?: string } }>('/password', async (request, reply) => {
    const { currentPassword, code } = request.body;
    const reject = (error: string, message: string) => reply.code(403).send({ error, message });
    if (currentPassword !== PASSWORD) return reject('WRONG_PASSWORD', 'currentPassword is wrong.');
    if (state.user.hasTotp && code !== CODE) return reject('WRONG_CODE', 'code is wrong; wait for the next one.');
    return { data: null };
  });
  api.post('/totp/begin', async () => ({
    data: {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Quittance:operator%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Quittance',
    },
  }));
  const recoveryCodes = Array.from({ length: 10 }, (_, index) => `k7wq-${index}mzp-4xt${index}`);
  api.post<{ Body: { code: string } }>('/totp/confirm', async (request, reply) => {
    if (request.body.code !== CODE) return reply.code(403).send({ error: 'WRONG_CODE', message: 'code is wrong.' });
    state.user = { ...state.user, hasTotp: true, recoveryCodes: recoveryCodes.length };
    return { data: { recoveryCodes } };
  });
  api.get('/sessions', async () => ({ data: fake.SESSIONS }));
  api.get('/users', async () => ({ data: fake.USERS }));
}

async function operatorRoutes(api: FastifyInstance, state: State): Promise<void> {
  const rows = new Map(REAL_CHARTS.map((chart) => [chart.kind, fake.actorRows(chart)]));
  const rowOf = (id: string) => rows.get(id.split(':')[0] ?? '')?.find((row) => row.id === id) ?? fail(id);

  api.get('/charts', async () => ({ data: REAL_CHARTS }));
  api.get<{ Params: { kind: string }; Querystring: { detail?: string } }>(
    '/charts/:kind/layout',
    async ({ params, query }) => {
      const chart = chartNamed(params.kind);
      return { data: await sharedLayoutOf(query.detail === 'states' ? foldedChart(chart) : chart) };
    },
  );
  api.get<{ Querystring: { kind: string } }>('/population', async ({ query }) => ({
    data: fake.populationOf(chartNamed(query.kind)),
  }));
  api.get<{ Querystring: Record<string, string> }>('/actors', async ({ query }) => ({
    data: pageOf(rows.get(query.kind ?? '') ?? [], query) satisfies ActorPage,
  }));
  api.get<{ Params: { id: string } }>('/actors/:id', async ({ params }, reply) => {
    if (params.id === 'nope') return reply.code(404).send({ error: 'ACTOR_NOT_FOUND', message: 'No actor nope.' });
    const row = rowOf(params.id);
    return { data: fake.actorDetail(row, chartNamed(row.kind)) };
  });
  api.get('/actors/:id/journal', async () => ({ data: { steps: fake.JOURNAL, next: null } }));
  api.get<{ Params: { id: string; sequence: string } }>('/actors/:id/moments/:sequence', async ({ params }) => ({
    data: fake.stepDetailOf(chartNamed(rowOf(params.id).kind), Number(params.sequence)),
  }));
  api.post('/actors/:id/preview', async () => ({
    data: {
      isTaken: true,
      state: 'completed',
      changes: [{ path: '/decision', before: null, after: 'marked_paid' }],
      effects: [{ type: 'notifyMerchant', params: { event: 'payment.completed' } }],
      webhooks: ['payment.completed'],
    },
  }));
  api.post<{ Body: EventRequest }>('/actors/:id/events', async ({ body }) => {
    state.sent.push(body);
    return { data: { outcome: 'applied', state: 'completed' } };
  });
  api.get('/timers', async () => ({ data: fake.NEXT_TIMERS }));
  api.get<{ Querystring: { actorId?: string } }>('/dead-letters', async ({ query }) => {
    const deadLetters = fake.DEAD_LETTERS.filter(({ actorId }) => (query.actorId ?? actorId) === actorId);
    return { data: { deadLetters, total: deadLetters.length, cursor: null } };
  });
  api.post('/dead-letters/:id/retry', async () => ({ data: { outcome: 'settled' } }));
  api.get('/mails', async () => ({ data: { mails: [fake.KEPT_MAIL], cursor: null } }));
  api.get('/mails/:id', async () => ({ data: fake.KEPT_MAIL }));
  api.get('/health', async () => ({ data: fake.HEALTH }));
  api.get('/runs', async () => ({ data: fake.RUNS }));
  api.get('/merchants', async () => ({ data: { merchants: fake.MERCHANTS, cursor: null } }));
  api.get('/merchants/:id', async () => ({ data: fake.MERCHANT_DETAIL }));
  api.get('/plans', async () => ({ data: { plans: fake.TIER_PLANS, isOn: false } }));
  api.get('/actions', async () => ({ data: { actions: fake.ACTIONS, cursor: null } }));
  api.get('/live', async (request, reply) => {
    const lastId = request.headers['last-event-id'];
    state.resumedAfter.push(Array.isArray(lastId) ? lastId[0] : lastId);
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    reply.raw.write(': hello\n\n');
    state.streams.add(reply);
    reply.raw.on('close', () => state.streams.delete(reply));
  });
}

function pageOf(rows: readonly ListedActor[], query: Readonly<Record<string, string>>): ActorPage {
  const found = rows.filter(
    (row) =>
      (query.state === undefined || row.state === query.state || row.state.startsWith(`${query.state}.`)) &&
      (query.search === undefined || row.id.startsWith(query.search)) &&
      (query.hasFailed !== 'true' || row.deadLetters > 0),
  );
  const from = Number(query.cursor ?? 0);
  const next = from + PAGE_ROWS;
  return { actors: found.slice(from, next), total: found.length, cursor: next < found.length ? String(next) : null };
}

function fail(what: string): never {
  throw new Error(`The fake knows no ${what}`);
}
