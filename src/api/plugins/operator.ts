import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { bearerTokenOf } from './authenticate.ts';

/**
 * Lets only the operator's token into the routes of this scope. Without a token to compare with, the routes do not exist.
 * Digests are compared, in constant time: neither content nor length of the token shows in how long it takes.
 */
export function requireOperator(app: FastifyInstance, token: string | null): void {
  const expected = token === null ? null : digestOf(token);
  app.addHook('onRequest', async (request, reply) => {
    if (expected === null) {
      throw new TerminalError(
        'NOT_FOUND',
        'Health in detail is off: the operator of this service has set no OPERATOR_TOKEN.',
      );
    }
    if (timingSafeEqual(digestOf(bearerTokenOf(request) ?? ''), expected)) return;
    void reply.header('WWW-Authenticate', 'Bearer realm="quittance operator"');
    throw new TerminalError('UNAUTHORIZED', 'The operator token is required: send it as "Authorization: Bearer ...".');
  });
}

// Helpers

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
