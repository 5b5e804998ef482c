/** The public interface of the console: its pages, access control, and their API. */

export type { KeptMailInfo } from './contract/operations.ts';
export type { FirstRun, Sums } from './contract/overview.ts';
export type { ChainChoice, WalletInfo } from './contract/wallets.ts';
export { createLayoutOf, type LayoutOf } from './layout/index.ts';
export type {
  AttentionDesk,
  AuditDesk,
  Desk,
  EndpointsDesk,
  KeysDesk,
  LinksDesk,
  LiveDesk,
  Member,
  OverviewDesk,
  PaymentDesk,
  PaymentsDesk,
  PlanDesk,
  RecurringDesk,
  SettingsDesk,
  StatisticsDesk,
  WalletsDesk,
} from './merchant/index.ts';
export { acceptsLess, merchantRoutes } from './merchant/index.ts';
export { type Operations, operationRoutes } from './operations/index.ts';
export {
  type Accounts,
  guardConsole,
  isStillSignedIn,
  requireRole,
  sessionRoutes,
  signedInOf,
} from './session/index.ts';
export { staticRoutes } from './static/index.ts';
