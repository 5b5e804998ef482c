import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

export interface ProcessFacts {
  readonly version: string;
  readonly roles: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

/**
 * The event loop is looked at so often, in ms, and delays are told with this much on top. Twenty times as often, the default, was a third of
 * what an idle process costs; what matters blocks for hundreds of ms.
 */
const EVENT_LOOP_LOOK_MS = 200;

/** This process: memory, processor, event loop, what it is and whether it is ready. */
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
