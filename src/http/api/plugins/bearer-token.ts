import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** The bearer token of a request (RFC 6750); undefined when there is none. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}
