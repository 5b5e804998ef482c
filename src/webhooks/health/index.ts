export { createHealthWorker } from './health-worker.ts';
export { listFailingEndpoints } from './list-failing-endpoints.ts';
export { NOT_SENT, projectHealth } from './project-health.ts';
export { sampleEndpointMail } from './sample-mails.ts';
