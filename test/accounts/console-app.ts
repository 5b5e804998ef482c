import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import { SERVER_OPTIONS } from '../../src/http/api/server.ts';
import { guardConsole } from '../../src/http/console/session/guard.ts';
import { sessionRoutes } from '../../src/http/console/session/routes.ts';
import { createRateLimiter, type RateLimiter } from '../../src/merchants/index.ts';
import type { Log } from '../../src/platform/log.ts';
import { silentLog } from '../support/silent-log.ts';
import { type AccountsHarness, PUBLIC_URL, uniqueAddress } from './harness.ts';

/** The sign-in and account routes on real accounts, as a browser calls them. */
export interface ConsoleApp {
  call(request: ConsoleRequest): Promise<ConsoleResponse>;
  /** Signs in and returns the cookie. */
  cookieOf(email: string, password: string, code?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface ConsoleRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD';
  /** Below `/console/api`. */
  readonly path: string;
  readonly body?: unknown;
  /** `name=value`, as set by the sign-in response. */
  readonly cookie?: string;
  /** Replace the headers a console page sends; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly address?: string;
}

export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly data: unknown;
  readonly error: string | undefined;
  readonly message: string | undefined;
  /** Value of `Set-Cookie:`; null when there is none. */
  readonly setCookie: string | null;
}

export interface ConsoleOptions {
  readonly publicUrl?: string;
  readonly log?: Log;
  readonly isOpen?: () => boolean;
  readonly sendsMails?: boolean;
  readonly limiter?: Pick<RateLimiter, 'count'>;
}

export async function startConsole(deps: AccountsHarness, options: ConsoleOptions = {}): Promise<ConsoleApp> {
  const { publicUrl = PUBLIC_URL, log = silentLog, isOpen = () => true, sendsMails = true } = options;
  const { limiter = createRateLimiter(deps) } = options;
  const guard = { accounts: deps, isOpen, sendsMails, publicUrl, limiter };
  const app = fastify({ ...SERVER_OPTIONS, trustProxy: false, loggerInstance: log as FastifyBaseLogger });
  await app.register(sessionRoutes, guard);
  await app.register(async (scope) => {
    await guardConsole(scope, guard);
    scope.get('/console/api/broken', async () => {
      throw new Error('ann@shop.example has lost her password=hunter2');
    });
  });
  const call = (request: ConsoleRequest) => send(app, request, publicUrl);
  return {
    call,
    async cookieOf(email, password, code) {
      const body = { email, password, ...(code === undefined ? {} : { code }) };
      const { setCookie, text } = await call({ method: 'POST', path: '/sign-in', body, address: uniqueAddress() });
      const [cookie] = setCookie?.split(';') ?? [];
      if (cookie === undefined) throw new Error(`not signed in: ${text}`);
      return cookie;
    },
    stop: () => app.close(),
  };
}

// Helpers

async function send(app: FastifyInstance, request: ConsoleRequest, publicUrl: string): Promise<ConsoleResponse> {
  const { method = 'GET', path, body, cookie, address = uniqueAddress() } = request;
  const headers = {
    host: new URL(publicUrl).host,
    ...(method === 'GET' ? {} : { 'x-quittance-console': '1', origin: new URL(publicUrl).origin }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
  };
  const response = await app.inject({
    method,
    url: `/console/api${path}`,
    remoteAddress: address,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const json = response.payload === '' ? {} : (JSON.parse(response.payload) as Record<string, unknown>);
  const set = response.headers['set-cookie'];
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.payload,
    data: json.data,
    error: json.error as string | undefined,
    message: json.message as string | undefined,
    setCookie: (Array.isArray(set) ? set[0] : set) ?? null,
  };
}
