/** The public interface of the console: its pages, access control, and their API. */

export { createLayoutOf, type LayoutOf } from './layout/layout-of.ts';
export type { MerchantDeps } from './merchant/deps.ts';
export { merchantRoutes } from './merchant/routes.ts';
export type { OperatorDeps } from './operator/options.ts';
export { operatorRoutes } from './operator/routes.ts';
export { guardConsole } from './session/guard.ts';
export { sessionRoutes } from './session/routes.ts';
export { staticRoutes } from './static/routes.ts';
