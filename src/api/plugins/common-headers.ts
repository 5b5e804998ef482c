import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface CommonHeaders {
  /** Whether customers and merchants reach the service by https alone. */
  readonly isHttps: boolean;
}

/** A year: what browsers ask for before they believe it. */
const HSTS_SECONDS = 31_536_000;

/**
 * What every answer carries whatever it is, unless its door says something else: pages may do more than nothing, files may be kept. So an
 * answer nobody thought of, of whatever door, can be framed, run, kept and guessed at by nobody.
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

/** The same of every answer, by name. */
export function strictHeaders({ isHttps }: CommonHeaders): Readonly<Record<string, string>> {
  return isHttps ? { ...STRICT, 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` } : STRICT;
}

/** Puts on every response what every response carries. */
export function addCommonHeaders(app: FastifyInstance, common: CommonHeaders): void {
  app.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply, common);
  });
}

/** For answers that no hook sees. */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, common: CommonHeaders): void {
  void reply.headers(strictHeaders(common));
  void reply.header('X-Request-Id', request.id);
}

/** Answers of the API are for one caller at one moment; no cache may keep them. */
export function addNoStore(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('Cache-Control', 'no-store');
  });
}
