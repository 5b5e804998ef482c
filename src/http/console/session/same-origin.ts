import type { FastifyRequest } from 'fastify';
import { TerminalError } from '../../../platform/errors.ts';

/** Safe methods (RFC 9110, 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects requests that a page of another site may have caused. A form cannot set the header, a
 * script of another site needs a CORS preflight, which always fails, and where the browser sends
 * `Sec-Fetch-Site` or `Origin`, it must match. Throws a `TerminalError` `CROSS_SITE_REQUEST`.
 */
export function rejectCrossSite(request: FastifyRequest, publicUrl: string): void {
  if (SAFE_METHODS.includes(request.method)) return;
  const { origin, 'sec-fetch-site': site, 'x-quittance-console': mark } = request.headers;
  if (mark !== '1') throw crossSite('the header X-Quittance-Console: 1 is missing');
  if (site !== undefined && site !== 'same-origin') throw crossSite('Sec-Fetch-Site is not same-origin');
  if (origin !== undefined && !isOurs(origin, request.host, publicUrl)) {
    throw crossSite('Origin is not the address of this service');
  }
}

// Helpers

/** Accepts the public address, or the host of the request, which the cookie is bound to anyway. */
function isOurs(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  return origin === new URL(publicUrl).origin || (/^https?:$/.test(protocol) && from === host);
}

function crossSite(why: string): TerminalError {
  return new TerminalError(
    'CROSS_SITE_REQUEST',
    `The request does not come from the console (${why}); use the console at PUBLIC_URL`,
  );
}
