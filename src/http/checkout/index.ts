/** The hosted payment page: everything that customers see. */

export { SECURITY_HEADERS } from './headers.ts';
export type { Html } from './html.ts';
export { html, markupOf } from './html.ts';
export { imageRoutes } from './images.ts';
export { pricePage } from './links/page.ts';
export { rejectedLinkPage } from './links/rejected-page.ts';
export { linkRoutes } from './links/routes.ts';
export { payProblemPage } from './pages/pay-problem.ts';
export { recurringRoutes } from './recurring/routes.ts';
export { checkoutRoutes } from './routes.ts';
