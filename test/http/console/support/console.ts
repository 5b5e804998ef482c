import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import type { IssuedKeys } from '../../../../src/merchants/index.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import type { Environment } from '../../../../src/platform/config/index.ts';
import type { Database } from '../../../../src/platform/db/index.ts';
import { uniqueAddress } from '../../../accounts/harness.ts';
import { atWorkerEnd, perWorker } from '../../../support/run/per-worker.ts';
import type { LogLine, RunningService } from '../../../support/service/service.ts';
import type { ConsoleService, ProvisionedWallet, Shop, Who } from './console-service.ts';

export type { Who } from './console-service.ts';

/** The real service, with two merchants of the caller and users who can sign in to the console. */
export interface TestConsole extends Shop {
  readonly url: string;
  readonly service: RunningService;
  readonly db: Kysely<Database>;
  /** What the service has logged since this console was started. */
  logLines(): readonly LogLine[];
  /** Sends a request to the console's API as one of the users; null sends it without a session. */
  call(who: Who | null, request: ConsoleRequest): Promise<ConsoleResponse>;
  /** The same for an endless stream: returns once the headers have arrived, and disconnects. */
  knock(who: Who | null, path: string): Promise<{ readonly status: number; readonly error?: string }>;
  /** The session cookie of a user, as `name=value`; the first call signs in. */
  cookieOf(who: Who): Promise<string>;
  /** Sends a request to the REST API with a key of the merchant. */
  api(request: {
    readonly method?: string;
    readonly path: string;
    readonly body?: unknown;
    readonly key?: keyof IssuedKeys;
  }): Promise<ConsoleResponse>;
  close(): Promise<void>;
}

export interface ConsoleRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/console/api`. */
  readonly path: string;
  readonly body?: unknown;
  /**
   * Client address; a new one for each request without a session if omitted, because these are
   * limited per address.
   */
  readonly address?: string;
}

export interface ConsoleResponse {
  readonly status: number;
  /** Seconds in `Retry-After`; null without it. */
  readonly retryAfter: number | null;
  /** `data` of a JSON response. */
  readonly data: any; // oxlint-disable-line typescript/no-explicit-any
  readonly error: string | undefined;
  readonly message: string | undefined;
  readonly text: string;
}

export interface ConsoleSetup {
  /** Wallets of the merchant. */
  readonly wallets?: readonly ProvisionedWallet[];
  /**
   * A service that no other test file uses: for tests that stop it, or look beyond their own
   * merchants.
   */
  readonly isOwn?: boolean;
  /** Settings and clock of a service that is not shared. */
  readonly env?: Environment;
  readonly clock?: Clock;
}

/** Adds merchants and users to the service shared by this worker's test files, or to a new one. */
export async function startConsole(setup: ConsoleSetup = {}): Promise<TestConsole> {
  const { wallets = [], env, clock } = setup;
  const isOwn = setup.isOwn === true || env !== undefined || clock !== undefined;
  const host = isOwn ? await startService({ ...(env && { env }), ...(clock && { clock }) }) : await sharedService();
  const shop = await host.addShop(wallets);
  const { service } = host;
  const linesBefore = service.logLines.length;
  const cookies = new Map<Who, string>();

  async function cookieOf(who: Who): Promise<string> {
    const known = cookies.get(who);
    if (known !== undefined) return known;
    const answer = await send({ method: 'POST', path: '/sign-in', body: shop.users[who] }, null);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie === undefined) throw new Error(`${who} cannot sign in: ${await answer.text()}`);
    cookies.set(who, cookie);
    return cookie;
  }

  function send(request: ConsoleRequest, cookie: string | null): Promise<Response> {
    const { method = 'GET', path, body, address = cookie === null ? uniqueAddress() : undefined } = request;
    return fetch(`${service.url}/console/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-quittance-console': '1',
        origin: service.url,
        ...(cookie === null ? {} : { cookie }),
        ...(address === undefined ? {} : { 'x-forwarded-for': address }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    ...shop,
    get url() {
      return service.url;
    },
    service,
    db: host.db,
    logLines: () => service.logLines.slice(linesBefore),
    cookieOf,
    call: async (who, request) => readResponse(await send(request, who === null ? null : await cookieOf(who))),
    async knock(who, path) {
      const response = await send({ path }, who === null ? null : await cookieOf(who));
      if (!response.ok) {
        const { status, error } = await readResponse(response);
        return { status, ...(error === undefined ? {} : { error }) };
      }
      await response.body?.cancel();
      return { status: response.status };
    },
    async api({ method = 'GET', path, body, key = 'sk_test' }) {
      return readResponse(
        await fetch(`${service.url}/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${shop.keys[key]}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    },
    close: async () => void (isOwn && (await host.close())),
  };
}

// Helpers

/**
 * Imported only when started: the service is most of what a test file would load, and a worker
 * needs it once.
 */
async function startService(options: { readonly env?: Environment; readonly clock?: Clock }): Promise<ConsoleService> {
  const { startConsoleService } = await import('./console-service.ts');
  return startConsoleService(options);
}

function sharedService(): Promise<ConsoleService> {
  return perWorker('console service', async () => {
    // Test endpoints are on this machine.
    const started = await startService({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
    atWorkerEnd(() => rmSync(dirname(started.service.dataDir), { recursive: true, force: true }));
    return started;
  });
}

async function readResponse(response: Response): Promise<ConsoleResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  const answer = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
  const { data, error, message } = answer;
  return {
    status: response.status,
    retryAfter: response.headers.has('retry-after') ? Number(response.headers.get('retry-after')) : null,
    data: data ?? answer,
    error: typeof error === 'string' ? error : undefined,
    message: typeof message === 'string' ? message : undefined,
    text,
  };
}
