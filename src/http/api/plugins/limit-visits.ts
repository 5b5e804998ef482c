import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { INTERFACE_TERMS, networkOf, type RateLimiter } from '../../../merchants/index.ts';
import { tooManyRequests } from './rate-limit.ts';
import { startingError } from './readiness.ts';

/**
 * Public pages, with requests counted per client. Counted after the page's own headers are set, so
 * that a refusal has them, and before the body is read or anything is done. Refused while
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
      const { refusal } = await limiter.count(`${visit} ${networkOf(request.ip)}`, LIMITS[visit]);
      if (refusal !== null) throw tooManyRequests(refusal);
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
/** Sent by mail providers for all their users, from a few addresses (RFC 8058). */
const ONE_CLICK = '/recurring/stop/:token';

function visitOf({ method, routeOptions: { url } }: FastifyRequest): Visit | null {
  if (url === FILES) return null;
  return method === 'POST' && url !== ONE_CLICK ? 'form' : 'page';
}
