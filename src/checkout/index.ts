/** The hosted payment page: everything a customer sees. */

export type { PublicTransactions } from './ports.ts';
export type { CheckoutOptions } from './routes.ts';
export { checkoutRoutes } from './routes.ts';
