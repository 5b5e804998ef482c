/** Public interface of the merchant REST API. */

export { describeApi } from './openapi.ts';
export { limitVisits } from './plugins/limit-visits.ts';
export type { RequestObserver } from './plugins/observe-requests.ts';
export { lacksTrustedProxy } from './plugins/proxy-trust.ts';
export { apiReference } from './reference.ts';
export { API_PREFIX, buildServer } from './server.ts';
