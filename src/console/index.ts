/** The door of the console: its pages, who may see them, and the API they speak to. */

export type { KeptMailInfo } from './contract.ts';
export { createLayoutOf, type LayoutOf } from './layout/index.ts';
export { type Operations, operationRoutes } from './operations/index.ts';
export { type Accounts, guardConsole, requireRole, sessionRoutes, signedInOf } from './session/index.ts';
export { staticRoutes } from './static/index.ts';
