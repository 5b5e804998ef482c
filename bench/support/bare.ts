import type { BareSettings } from './bare-server.ts';
import { startChild } from './child.ts';
import { createMeter, type Meter } from './costs.ts';
import { type Installation, POOL_SIZE } from './installation.ts';
import type { Target } from './load.ts';

/** The baseline of an installation: a bare server on its database. */
export interface Bare {
  readonly meter: Meter;
  get(path: () => string): Target;
  post(body: string): Target;
  stop(): Promise<void>;
}

type Sizes = Partial<Pick<BareSettings, 'GET_BYTES' | 'LIST_BYTES' | 'CREATE_BYTES'>>;

export async function startBare({ database, merchantId }: Installation, sizes: Sizes): Promise<Bare> {
  const settings: BareSettings = {
    DATABASE_URL: database.url,
    POOL_SIZE: String(POOL_SIZE),
    MERCHANT_ID: merchantId,
    GET_BYTES: '0',
    LIST_BYTES: '0',
    CREATE_BYTES: '0',
    ...sizes,
  };
  const { url, pid, stop } = await startChild(new URL('./bare-server.js', import.meta.url), settings);
  const common = { url, headers: { 'content-type': 'application/json' } };
  return {
    meter: await createMeter(database.db, [pid]),
    get: (path) => ({ ...common, status: 200, next: () => ({ path: path(), method: 'GET' }) }),
    post: (body) => ({ ...common, status: 201, next: () => ({ path: '/transactions', method: 'POST', body }) }),
    stop,
  };
}

/** Sends one request. */
export async function responseTo({ url, headers, status, next }: Target): Promise<string> {
  const { path, method, body } = next();
  const response = await fetch(`${url}${path}`, { method, headers, body: body ?? null });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return text;
}

export async function bytesOf(target: Target): Promise<string> {
  return String((await responseTo(target)).length);
}
