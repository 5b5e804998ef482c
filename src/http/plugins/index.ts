/** What every scope of the HTTP server shares: how failures are classified, logged and answered. */

export { createCustomerCookie } from './customer-cookie.ts';
export { beginErrorReply, classifyError, outagesOf, retryAfterOf } from './error-reply.ts';
export { qualityOf } from './quality.ts';
export { requireNavigation, requireOwnForm } from './require-navigation.ts';
