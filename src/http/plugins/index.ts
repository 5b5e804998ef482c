/** What every scope of the HTTP server shares, such as how failures are classified and answered. */

export { prefersHtml, qualityOf } from './accept.ts';
export { type Body, compressFile, compressPage, type Encoding, encodingFor } from './compression.ts';
export { createCustomerCookie } from './customer-cookie.ts';
export { beginErrorReply, classifyError, outagesOf, retryAfterOf } from './error-reply.ts';
export { requireNavigation, requireOwnForm } from './require-navigation.ts';
export { openServerSentEvents } from './server-sent-events.ts';
