export type { HealthDeps, HealthWorker } from './health-worker.ts';
export { createHealthWorker } from './health-worker.ts';
export { projectHealth } from './project-health.ts';
