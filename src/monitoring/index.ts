/** Public interface of monitoring: health and metrics of a process, for operators. */

export type { Metrics, Observers } from './metrics/create-metrics.ts';
export { createMetrics } from './metrics/create-metrics.ts';
export { metricsRoute } from './metrics/route.ts';
export type { Monitor } from './monitor.ts';
export { createMonitor } from './monitor.ts';
export { createLiveness, probeRoutes } from './probes.ts';
export type { Readiness } from './readiness.ts';
export { createReadiness } from './readiness.ts';
