import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestObserver } from '../../http/api/index.ts';
import type { PoolUse } from '../../platform/db/index.ts';

export interface ProcessInfo {
  readonly version: string;
  readonly roles: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

/**
 * Sampling interval of the event loop, in ms; reported delays include it. The default, 20 times as
 * often, was a third of an idle process's cost, and only delays of hundreds of ms matter.
 */
const EVENT_LOOP_LOOK_MS = 200;

/** This process: memory, CPU, event loop, version, roles and readiness. */
export function processState(registry: Registry, { version, roles, isReady }: ProcessInfo): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });
  new Gauge({
    name: 'quittance_info',
    help: 'Always 1; version and roles of the process.',
    labelNames: ['version', 'roles'],
    registers: [registry],
  }).set({ version, roles: [...roles].sort().join(',') }, 1);
  new Gauge({
    name: 'quittance_ready',
    help: '1 when this process is ready to receive work, as in GET /ready.',
    registers: [registry],
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
}

/** Postgres connections of this process, read at each scrape; the embedded database has none. */
export function poolState(registry: Registry, poolUse: () => PoolUse | null): void {
  new Gauge({
    name: 'quittance_database_connections',
    help: 'Connections of this process to Postgres, by state: busy or idle.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const use = poolUse();
      if (use === null) return;
      this.set({ state: 'busy' }, use.open - use.idle);
      this.set({ state: 'idle' }, use.idle);
    },
  });
  const waiting = new Gauge({
    name: 'quittance_database_waiting',
    help: 'Statements and transactions of this process that wait for a connection.',
    registers: [registry],
    collect() {
      const use = poolUse();
      if (use === null) this.remove();
      else this.set(use.waiting);
    },
  });
  waiting.remove();
}

/** Requests to the API, the payment pages and the console. */
export function httpInstruments(registry: Registry): RequestObserver {
  const inFlight = new Gauge({
    name: 'quittance_http_requests_in_flight',
    help: 'Requests in progress, including live connections of open pages.',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'quittance_http_request_duration_seconds',
    help: 'Completed requests by method, route pattern and status class; cut_off: the client disconnected.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    began() {
      inFlight.inc();
      return ({ method, route, status, isCutOff, durationMs }) => {
        inFlight.dec();
        const shown = isCutOff ? 'cut_off' : `${Math.floor(status / 100)}xx`;
        durations.observe({ method, route: route ?? 'none', status: shown }, durationMs / 1_000);
      };
    },
  };
}
