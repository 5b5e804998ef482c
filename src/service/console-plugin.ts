import type { FastifyPluginAsync } from 'fastify';
import type { AccountsDeps } from '../accounts/index.ts';
import {
  createLayoutOf,
  guardConsole,
  type LayoutOf,
  type MerchantDeps,
  merchantRoutes,
  type OperatorDeps,
  operatorRoutes,
  sessionRoutes,
  staticRoutes,
} from '../http/console/index.ts';
import type { RateLimiter } from '../merchants/index.ts';

export interface ConsolePluginDeps {
  readonly accounts: AccountsDeps;
  readonly isOpen: () => boolean;
  /** Whether a mail server is connected. */
  readonly sendsMails: boolean;
  readonly operations: OperatorDeps;
  readonly merchant: MerchantDeps;
  /** The address at which browsers reach the service. */
  readonly publicUrl: string;
  /** Chart layouts. By default a chart is laid out on its first request. */
  readonly layoutOf?: LayoutOf | undefined;
  readonly limiter: RateLimiter;
}

/**
 * The console: its public pages, and an API for signed-in users. Operators also see the service's
 * actors.
 */
export function consolePlugin(deps: ConsolePluginDeps): FastifyPluginAsync {
  const { operations, merchant, layoutOf = createLayoutOf() } = deps;
  return async (app) => {
    await app.register(staticRoutes);
    await app.register(sessionRoutes, deps);
    await app.register(
      async (scope) => {
        await guardConsole(scope, deps);
        await scope.register(operatorRoutes, { deps: operations, layoutOf });
        await scope.register(merchantRoutes, { prefix: '/merchant', deps: merchant });
      },
      { prefix: '/console/api' },
    );
  };
}
