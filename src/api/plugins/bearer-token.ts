import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** What a request presents as bearer token (RFC 6750); undefined when it has none. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}
