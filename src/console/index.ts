/** The public interface of the console: its pages, access control, and their API. */

export { createLayoutOf, type LayoutOf } from './layout/index.ts';
export type { MerchantDeps } from './merchant/deps.ts';
export { merchantRoutes } from './merchant/routes.ts';
export { type OperatorDeps, operationRoutes } from './operations/index.ts';
export {
  guardConsole,
  isStillSignedIn,
  requireRole,
  sessionRoutes,
  signedInOf,
} from './session/index.ts';
export { staticRoutes } from './static/index.ts';
