import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type Mode, SECOND_MS } from '../../../../machines/index.ts';
import {
  type ChainOverview,
  type ChainStatus,
  type CreateDeps,
  countUnassignedPayments,
} from '../../../payments/index.ts';
import { isoTimeOrNull } from '../../../platform/iso-time.ts';
import { requireOperator } from '../plugins/operator.ts';
import { ErrorEnvelope } from '../schemas/error.ts';
import { type ChainReport, HealthDetailsReport, HealthReport } from '../schemas/health.ts';
import { ref } from '../schemas/primitives.ts';

export interface HealthDeps {
  readonly database: Component;
  readonly bus: Component;
  readonly version: string;
}

interface Component {
  isHealthy(): Promise<boolean>;
}

export const healthRoute: FastifyPluginAsyncTypebox<HealthDeps> = async (app, { database, bus, version }) => {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Get the status of the service',
        description: 'Needs no API key. The response has no envelope.',
        tags: ['System'],
        security: [],
        response: {
          200: ref(HealthReport),
          503: ref(HealthReport, { description: 'The database does not respond.' }),
        },
      },
    },
    async (_request, reply) => {
      const [databaseResponds, busResponds] = await Promise.all([database.isHealthy(), bus.isHealthy()]);
      const status = databaseResponds && busResponds ? 'ok' : 'degraded';
      return reply.code(databaseResponds ? 200 : 503).send({ status, service: 'quittance', version });
    },
  );
};

export interface HealthDetailsDeps extends Pick<HealthDeps, 'bus' | 'version'> {
  /** Null: no operator access. */
  readonly operatorToken: string | null;
  readonly db: CreateDeps['db'];
  readonly overview: Pick<ChainOverview, 'read'>;
  /** Mode of each connected network, by its name. */
  readonly networkModes: ReadonlyMap<string, Mode>;
  /** Configuration problems. */
  readonly warnings: () => readonly string[];
}

export const healthDetailsRoute: FastifyPluginAsyncTypebox<HealthDetailsDeps> = async (app, deps) => {
  const { db, operatorToken, overview, bus, networkModes, warnings, version } = deps;
  requireOperator(app, operatorToken);
  app.get(
    '/health/details',
    {
      schema: {
        operationId: 'getHealthDetails',
        summary: 'Get the status of every network',
        description:
          'For operators of the service: requires its OPERATOR_TOKEN instead of an API key. The response has no envelope and may be two seconds old.',
        tags: ['System'],
        security: [{ operatorToken: [] }],
        response: {
          200: ref(HealthDetailsReport),
          401: ref(ErrorEnvelope, { description: 'The operator token is missing or wrong: UNAUTHORIZED.' }),
          404: ref(ErrorEnvelope, { description: 'No operator token is configured: NOT_FOUND.' }),
          500: ref(ErrorEnvelope, {
            description: 'The service failed: INTERNAL_ERROR; or the database does not respond: UPSTREAM_ERROR.',
          }),
        },
      },
    },
    async () => {
      const [chains, unassigned, busResponds] = await Promise.all([
        overview.read(),
        countUnassignedPayments(db),
        bus.isHealthy(),
      ]);
      const isWell = busResponds && chains.every(({ state }) => state === 'watching');
      return {
        status: isWell ? ('ok' as const) : ('degraded' as const),
        service: 'quittance' as const,
        version,
        chains: chains.map((chain) => toReport(chain, networkModes.get(chain.network) ?? null)),
        stray_payments: unassigned,
        warnings: [...warnings()],
      };
    },
  );
};

// Helpers

function toReport(chain: ChainStatus, mode: Mode | null): Static<typeof ChainReport> {
  const { syncedAgeMs } = chain;
  return {
    network: chain.network,
    mode,
    state: chain.state,
    cursor_height: chain.cursorHeight,
    tip_height: chain.tipHeight,
    blocks_behind: chain.blocksBehind,
    looked_until: isoTimeOrNull(chain.syncedUntil),
    looked_age_seconds: syncedAgeMs === null ? null : Math.floor(syncedAgeMs / SECOND_MS),
    holder: chain.holder,
    leased_until: isoTimeOrNull(chain.leasedUntil),
    last_error: chain.lastError,
    last_error_at: isoTimeOrNull(chain.lastErrorAt),
    warnings: [...chain.warnings],
    unwatched_assets: [...chain.unwatchedAssets],
    reported_at: isoTimeOrNull(chain.reportedAt),
  };
}
