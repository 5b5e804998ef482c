export type { HealthDeps, HealthWorker } from './health-worker.ts';
export { createHealthWorker } from './health-worker.ts';
export { NOT_SENT, projectHealth } from './project-health.ts';
