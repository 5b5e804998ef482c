import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createUserWithPassword } from '../../../src/accounts/index.ts';
import type { Clock } from '../../../src/clock.ts';
import { systemClock } from '../../../src/clock.ts';
import type { Environment } from '../../../src/config/index.ts';
import type { Role } from '../../../src/console/contract/session.ts';
import { buildApp } from '../../../src/console/static/index.ts';
import type { Database } from '../../../src/db/index.ts';
import type { IssuedKeys } from '../../../src/merchants/index.ts';
import type { TestBrowser, WatchedPage } from '../../support/browser.ts';
import { createPostgresDatabase } from '../../support/database.ts';
import { createTestService, type RunningService } from '../../support/service.ts';

/** The real service on a database of its own, with a merchant and people who can sign in to its console. */
export interface Desk {
  readonly url: string;
  readonly service: RunningService;
  readonly db: Kysely<Database>;
  readonly merchantId: string;
  readonly keys: IssuedKeys;
  /** Another merchant of the same service. */
  readonly neighbour: { readonly merchantId: string; readonly keys: IssuedKeys };
  readonly people: Readonly<Record<Who, Person>>;
  /** Asks the console's API as one of them; null asks as nobody. */
  call(who: Who | null, request: DeskRequest): Promise<DeskAnswer>;
  /** The same for a stream that would not end: answers once its headers are there, and leaves. */
  knock(who: Who | null, path: string): Promise<{ readonly status: number; readonly error?: string }>;
  /** Opens a page of the console, signed in. `path` is below `/console`. */
  open(
    browser: TestBrowser,
    who: Who,
    path: string,
    options?: Parameters<TestBrowser['open']>[0],
  ): Promise<WatchedPage>;
  /** Asks the merchant's REST interface with a key of theirs. */
  api(request: {
    readonly method?: string;
    readonly path: string;
    readonly body?: unknown;
    readonly key?: keyof IssuedKeys;
  }): Promise<DeskAnswer>;
  close(): Promise<void>;
}

/** One person for each role, and the owner of the other merchant. */
export type Who = Role | 'neighbour';

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface DeskRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/console/api`. */
  readonly path: string;
  readonly body?: unknown;
}

export interface DeskAnswer {
  readonly status: number;
  /** `data` of a JSON answer. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it has asked for
  readonly data: any; // oxlint-disable-line typescript/no-explicit-any
  readonly error: string | undefined;
  readonly message: string | undefined;
  readonly text: string;
}

export interface DeskSetup {
  readonly clock?: Clock;
  readonly env?: Environment;
  /** Wallets of the merchant as a provisioning file has them. */
  readonly wallets?: readonly { readonly crypto: string; readonly extended_public_key: string }[];
  /** Whether pages are opened too, and so must be built. */
  readonly hasPages?: boolean;
}

const ROLE_OF: Readonly<Record<Who, Role>> = {
  owner: 'owner',
  staff: 'staff',
  operator: 'operator',
  observer: 'observer',
  neighbour: 'owner',
};

export async function openDesk(setup: DeskSetup = {}): Promise<Desk> {
  const { clock = systemClock, env = {}, wallets = [], hasPages = false } = setup;
  if (hasPages) await buildApp();
  const database = await createPostgresDatabase();
  if (database.url === null) throw new Error('a Postgres database has an address');
  const name = `shop-${randomBytes(4).toString('hex')}`;
  const service = await createTestService({
    clock,
    env: { DATABASE_URL: database.url, DATABASE_POOL_SIZE: '8', ...env },
    provisioning: {
      merchants: [
        { name, email: `${name}@example.com`, plan: 'professional', wallets, webhooks: [] },
        { name: `${name}-neighbour`, email: `${name}-n@example.com`, plan: 'professional', wallets: [], webhooks: [] },
      ],
    },
  });
  await service.start();
  const [own, other] = (await service.secrets()).map(({ merchant_id: merchantId, keys }) => {
    if (keys === undefined) throw new Error('the merchant was not created');
    return { merchantId, keys };
  });
  if (own === undefined || other === undefined) throw new Error('the merchants were not created');
  const { merchantId, keys } = own;
  const people: Partial<Record<Who, Person>> = {};
  for (const [who, role] of Object.entries(ROLE_OF) as [Who, Role][]) {
    const email = `${who}-${name}@example.com`;
    const isOfMerchant = role === 'owner' || role === 'staff';
    const place = who === 'neighbour' ? other.merchantId : merchantId;
    const { password } = await database.db
      .transaction()
      .execute((trx) =>
        createUserWithPassword(
          { trx, who: 'test', now: clock.now() },
          { email, role, merchantId: isOfMerchant ? place : null },
        ),
      );
    people[who] = { email, password };
  }
  const everybody = people as Record<Who, Person>;
  const cookies = new Map<Who, string>();

  async function cookieOf(who: Who): Promise<string> {
    const known = cookies.get(who);
    if (known !== undefined) return known;
    const answer = await send({ method: 'POST', path: '/sign-in', body: everybody[who] }, null);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie === undefined) throw new Error(`${who} cannot sign in: ${await answer.text()}`);
    cookies.set(who, cookie);
    return cookie;
  }

  function send({ method = 'GET', path, body }: DeskRequest, cookie: string | null): Promise<Response> {
    return fetch(`${service.url}/console/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-quittance-console': '1',
        origin: service.url,
        ...(cookie === null ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    get url() {
      return service.url;
    },
    service,
    db: database.db,
    merchantId,
    keys,
    neighbour: other,
    people: everybody,
    call: async (who, request) => readAnswer(await send(request, who === null ? null : await cookieOf(who))),
    async knock(who, path) {
      const response = await send({ path }, who === null ? null : await cookieOf(who));
      if (!response.ok) {
        const { status, error } = await readAnswer(response);
        return { status, ...(error === undefined ? {} : { error }) };
      }
      await response.body?.cancel();
      return { status: response.status };
    },
    async open(browser, who, path, options = {}) {
      const [cookieName = '', value = ''] = (await cookieOf(who)).split('=');
      const watched = await browser.open({
        viewport: { width: 1440, height: 900 },
        storageState: {
          cookies: [
            {
              name: cookieName,
              value,
              domain: '127.0.0.1',
              path: '/',
              expires: -1,
              httpOnly: true,
              secure: false,
              sameSite: 'Lax',
            },
          ],
          origins: [],
        },
        ...options,
      });
      await watched.page.goto(`${service.url}/console${path}`);
      await watched.page.locator('.shell').waitFor();
      return watched;
    },
    async api({ method = 'GET', path, body, key = 'sk_test' }) {
      return readAnswer(
        await fetch(`${service.url}/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${keys[key]}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    },
    async close() {
      await service.remove();
      await database.drop();
    },
  };
}

// Helpers

async function readAnswer(response: Response): Promise<DeskAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  const answer = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
  const { data, error, message } = answer;
  return {
    status: response.status,
    data: data ?? answer,
    error: typeof error === 'string' ? error : undefined,
    message: typeof message === 'string' ? message : undefined,
    text,
  };
}
