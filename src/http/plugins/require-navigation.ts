import type { FastifyRequest } from 'fastify';
import { TerminalError } from '../../platform/errors.ts';

/**
 * Rejects a request that a browser makes without its user following a link or sending a form: for
 * an image, frame or script of a page, or ahead of a click. Throws a `TerminalError` `FORBIDDEN`.
 */
export function requireNavigation({ headers }: FastifyRequest): void {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode = NAVIGATE } = headers;
  // The mode counts only with a destination, as browsers send it: fetch of Node.js sends it alone.
  if (destination !== undefined && (destination !== 'document' || mode !== NAVIGATE)) throw notNavigated();
  const purposes = [headers['sec-purpose'], headers.purpose];
  if (purposes.some((purpose) => AHEAD_OF_CLICK.test(String(purpose)))) throw notNavigated();
}

/**
 * The same for a form of this service's own pages: no other site has a reason to send it. Throws a
 * `TerminalError` `FORBIDDEN`.
 */
export function requireOwnForm(request: FastifyRequest): void {
  requireNavigation(request);
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (site !== 'same-origin' && site !== 'none') throw notNavigated();
}

// Helpers

const NAVIGATE = 'navigate';
const AHEAD_OF_CLICK = /prefetch|prerender/i;

function notNavigated(): TerminalError {
  return new TerminalError(
    'FORBIDDEN',
    'A payment is opened when a customer follows a link or form, not by an image, frame, script or prefetch of a page.',
  );
}
