import { fastify } from 'fastify';
import { consolePlugin } from '../../../../src/service/console-plugin.ts';

/**
 * A route of the console's API, like `POST /merchant/keys/:id/revoke`, without the common prefix.
 */
export interface ConsoleRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  readonly path: string;
}

const API = '/console/api';

/** Every route of the console's API, as the server registers it, so new ones are included. */
export async function listConsoleRoutes(): Promise<readonly ConsoleRoute[]> {
  const routes: ConsoleRoute[] = [];
  const app = fastify();
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (url.startsWith(API) && one !== 'HEAD' && one !== 'OPTIONS') {
        routes.push({ method: one as ConsoleRoute['method'], path: url.slice(API.length) });
      }
    }
  });
  // Never called: routes use their dependencies only when they handle a request.
  const anything: never = new Proxy(() => anything, { get: () => anything }) as never;
  // Fastify reads options of its own from these.
  const merchant = {} as never;
  const features = { accounts: anything, operations: anything, merchant, limiter: anything };
  const settings = { isOpen: () => true, sendsMails: true, publicUrl: 'http://127.0.0.1' };
  await app.register(consolePlugin({ ...features, ...settings }));
  await app.ready();
  await app.close();
  return routes;
}

export function nameOf({ method, path }: ConsoleRoute): string {
  return `${method} ${path}`;
}
