import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface SecurityHeaders {
  /** Whether customers and merchants use only https. */
  readonly isHttps: boolean;
}

/** One year, the minimum for HSTS preload lists. */
const HSTS_SECONDS = 31_536_000;

/**
 * Headers of every response, unless its routes override them: pages need a wider policy, files may
 * be cached. Any response without headers of its own cannot be framed, run, cached or sniffed.
 */
const STRICT: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** The headers that every response has, by name. */
export function strictHeaders({ isHttps }: SecurityHeaders): Readonly<Record<string, string>> {
  return isHttps ? { ...STRICT, 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` } : STRICT;
}

export function addSecurityHeaders(app: FastifyInstance, common: SecurityHeaders): void {
  app.addHook('onRequest', async (request, reply) => {
    setSecurityHeaders(request, reply, common);
  });
}

/** For responses that bypass the hooks. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, common: SecurityHeaders): void {
  void reply.headers(strictHeaders(common));
  void reply.header('X-Request-Id', request.id);
}
