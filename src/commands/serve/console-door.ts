import type { FastifyPluginAsync } from 'fastify';
import {
  type Accounts,
  createLayoutOf,
  guardConsole,
  isStillSignedIn,
  type LayoutOf,
  type MerchantDeps,
  merchantRoutes,
  type OperatorDeps,
  operationRoutes,
  requireRole,
  sessionRoutes,
  signedInOf,
  staticRoutes,
} from '../../console/index.ts';
import type { Log } from '../../log.ts';
import type { ThrottledErrorLog } from '../../throttled-error-log.ts';

export interface ConsoleDoorDeps {
  readonly accounts: Accounts;
  readonly operations: OperatorDeps;
  readonly merchant: MerchantDeps;
  readonly outages: ThrottledErrorLog;
  /** The address at which browsers reach the service. */
  readonly publicUrl: string;
  /** Chart layouts. By default a chart is laid out on its first request. */
  readonly layoutOf?: LayoutOf | undefined;
  readonly log: Log;
}

/**
 * The console: its public pages, and an API for signed-in users. Operators also see the service's
 * actors.
 */
export function consoleDoor(deps: ConsoleDoorDeps): FastifyPluginAsync {
  const { accounts, operations, merchant, outages, publicUrl, log, layoutOf = createLayoutOf() } = deps;
  const guard = { accounts, publicUrl, log, outages };
  return async (app) => {
    await app.register(staticRoutes);
    await app.register(sessionRoutes, guard);
    await app.register(
      async (scope) => {
        await guardConsole(scope, guard);
        await scope.register(operationRoutes, {
          deps: operations,
          guard: { read: requireRole('operator', 'observer'), write: requireRole('operator') },
          operatorOf: (request) => ({ userId: signedInOf(request).userId }),
          layoutOf,
          isStillIn: isStillSignedIn,
        });
        await scope.register(merchantRoutes, { prefix: '/merchant', deps: merchant });
      },
      { prefix: '/console/api' },
    );
  };
}
