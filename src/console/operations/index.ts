/** The operator part of the console's API. */

export type { OperatorDeps } from './options.ts';
export { operationRoutes } from './routes.ts';
