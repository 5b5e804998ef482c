/** The operator part of the console's API. */

export type { Operations } from './port.ts';
export { operationRoutes } from './routes.ts';
