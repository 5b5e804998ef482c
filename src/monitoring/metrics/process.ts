import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

export interface ProcessFacts {
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
export function processState(registry: Registry, { version, roles, isReady }: ProcessFacts): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });
  new Gauge({
    name: 'quittance_info',
    help: 'Always 1; which version runs, in which roles.',
    labelNames: ['version', 'roles'],
    registers: [registry],
  }).set({ version, roles: [...roles].sort().join(',') }, 1);
  new Gauge({
    name: 'quittance_ready',
    help: '1 when this process should be given work, as GET /ready answers.',
    registers: [registry],
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
}
