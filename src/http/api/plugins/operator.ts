import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../../platform/errors.ts';
import { bearerTokenOf } from './identity.ts';

/**
 * Admits only the operator's token to the routes of this scope. Without a configured
 * token, they respond with `NOT_FOUND`.
 */
export function requireOperator(app: FastifyInstance, token: string | null): void {
  const isOperator = createOperatorCheck(token);
  app.addHook('onRequest', async (request, reply) => {
    if (token === null) {
      throw new TerminalError(
        'NOT_FOUND',
        'Detailed health is off: the operator of this service has not set OPERATOR_TOKEN.',
      );
    }
    if (isOperator(bearerTokenOf(request) ?? '')) return;
    void reply.header('WWW-Authenticate', 'Bearer realm="quittance operator"');
    throw new TerminalError('UNAUTHORIZED', 'The operator token is required: send it as "Authorization: Bearer ...".');
  });
}

/**
 * Returns a check whether a bearer token is the operator's; always false without a configured one.
 * Digests are compared in constant time, so that timing reveals neither content nor length.
 */
export function createOperatorCheck(token: string | null): (presented: string) => boolean {
  if (token === null) return () => false;
  const expected = digestOf(token);
  return (presented) => timingSafeEqual(digestOf(presented), expected);
}

// Helpers

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
