import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { INTERFACE_TERMS, networkOf, type RateLimiter } from '../../../merchants/index.ts';
import { tooManyRequests } from './rate-limit.ts';
import { startingError } from './readiness.ts';

/**
 * Public pages, with requests counted per client. Counted after the page's own headers are set, so
 * that a rejection has them, and before the body is read or anything is done. Rejected while
 * `isReady` returns false.
 */
export function limitVisits(
  limiter: RateLimiter,
  pages: FastifyPluginAsync,
  isReady: () => boolean = () => true,
): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    app.addHook('preParsing', async (request) => {
      const visit = visitOf(request);
      if (visit === null) return;
      if (!isReady()) throw startingError();
      const { rejection } = await limiter.count(`${visit} ${networkOf(request.ip)}`, LIMITS[visit]);
      if (rejection !== null) throw tooManyRequests(rejection);
    });
    await app.register(pages);
  };
}

// Helpers

type Visit = 'page' | 'form';

/**
 * Many customers share one address, and a page without a stream polls its state every few seconds;
 * a form costs as much as an API request without a key.
 */
const LIMITS = { page: INTERFACE_TERMS.professional.requests, form: INTERFACE_TERMS.starter.requests } as const;
/** Served from memory, without a query. */
const FILES = '/checkout/assets/:file';
/**
 * Sent by programs, many from one address: by mail providers for all their users (RFC 8058), and by
 * the service itself to the receiver of the demo.
 */
const SENT_BY_PROGRAMS: ReadonlySet<string | undefined> = new Set(['/recurring/stop/:token', '/demo/receiver']);

function visitOf({ method, routeOptions: { url } }: FastifyRequest): Visit | null {
  if (url === FILES) return null;
  return method === 'POST' && !SENT_BY_PROGRAMS.has(url) ? 'form' : 'page';
}
