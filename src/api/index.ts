/** The door of the merchant REST API. */

export type { MerchantApiDeps } from './merchant-api.ts';
export { describeApi } from './openapi.ts';
export type { Health, HealthDetails, OperatorAccess, Payments } from './ports.ts';
export type { ServerDeps } from './server.ts';
export { API_PREFIX, buildServer } from './server.ts';
