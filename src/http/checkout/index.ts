/** The hosted payment page: everything that customers see. */

export { SECURITY_HEADERS } from './headers.ts';
export type { Html } from './html.ts';
export { html, markupOf } from './html.ts';
export type { ImageOptions } from './images.ts';
export { imageRoutes } from './images.ts';
export type { PricePageInput } from './links/page.ts';
export { pricePage } from './links/page.ts';
export type { LinkPageOptions } from './links/routes.ts';
export { linkRoutes } from './links/routes.ts';
export type { PayProblem } from './pages/pay-problem.ts';
export { payProblemPage } from './pages/pay-problem.ts';
export type { RecurringOptions } from './recurring/routes.ts';
export { recurringRoutes } from './recurring/routes.ts';
export type { CheckoutOptions } from './routes.ts';
export { checkoutRoutes } from './routes.ts';
