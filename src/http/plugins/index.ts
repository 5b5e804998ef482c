/** What every scope of the HTTP server shares: how failures are classified, logged and answered. */

export { prefersHtml, qualityOf } from './accept.ts';
export { createCustomerCookie } from './customer-cookie.ts';
export { beginErrorReply, classifyError, outagesOf, retryAfterOf } from './error-reply.ts';
export { requireNavigation, requireOwnForm } from './require-navigation.ts';
