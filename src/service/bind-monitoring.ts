import type { FastifyPluginAsync } from 'fastify';
import {
  createLiveness,
  createMonitor,
  createReadiness,
  type Metrics,
  type Monitor,
  metricsRoute,
  probeRoutes,
  type Readiness,
} from '../monitoring/index.ts';
import { readInstallationFigures } from '../operations/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import type { Connection } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import { VERSION } from '../platform/version.ts';
import type { Rates } from '../rates/index.ts';
import type { Runtime } from './runtime.ts';

export interface MonitoringDeps {
  readonly config: Pick<Config, 'monitor' | 'roles'>;
  /** Null when metrics are not served: then nothing is counted. */
  readonly metrics: Metrics | null;
  readonly connection: Connection;
  readonly runtime: Pick<Runtime, 'bus' | 'engine'>;
  readonly rates: Rates;
  readonly networks: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface Monitoring {
  readonly readiness: Readiness;
  /** `/live` and `/ready`, which the API's port serves too. */
  readonly probes: FastifyPluginAsync;
  /** Null without a monitoring port. */
  readonly monitor: Monitor | null;
}

/**
 * Binds readiness, metrics and the monitoring server to the parts of this process they report on.
 */
export function bindMonitoring(deps: MonitoringDeps): Monitoring {
  const { config, metrics, connection, runtime, rates, networks, clock, log } = deps;
  const { db } = connection;
  const { bus, engine } = runtime;
  const readiness = createReadiness({ pingDatabase: connection.isHealthy });
  const probes = probeRoutes({ readiness, liveness: createLiveness(engine) });
  const { host, port } = config.monitor;
  if (port === null || metrics === null) return { readiness, probes, monitor: null };
  metrics.read({
    version: VERSION,
    roles: config.roles,
    isReady: async () => (await readiness.read()).isReady,
    rates,
    clock,
    engineLoad: engine.load,
    poolUse: connection.poolUse,
    busResponds: () => bus.isHealthy(),
    readFigures: () => readInstallationFigures({ db, clock, bus, rates, networks }),
  });
  return { readiness, probes, monitor: createMonitor({ host, port, routes: [probes, metricsRoute(metrics)], log }) };
}
