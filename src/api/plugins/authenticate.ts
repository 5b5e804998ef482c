import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TerminalError } from '../../errors.ts';
import type { Authenticator, Caller } from '../../merchants/index.ts';
import { ERROR_CODES } from '../error-codes.ts';

const CALLER = 'caller';

/**
 * Lets only secret keys into the routes of this scope (RFC 6750 bearer tokens). It runs before the body is read, so that
 * nobody without a key can make the service parse anything.
 */
export function requireSecretKey(app: FastifyInstance, authenticator: Authenticator): void {
  app.decorateRequest(CALLER, null);
  app.addHook('onRequest', async (request, reply) => {
    const key = bearerTokenOf(request);
    if (key === undefined) throw unauthorized(reply, 'Bearer realm="quittance"');
    const caller = await authenticator.authenticate(key);
    if (caller === null) throw unauthorized(reply, 'Bearer realm="quittance", error="invalid_token"');
    if (caller.kind === 'publishable') {
      throw new TerminalError('USE_PAY_ENDPOINT', ERROR_CODES.USE_PAY_ENDPOINT.message);
    }
    request.setDecorator<Caller>(CALLER, caller);
  });
}

/** Hook of routes that test keys alone may use. */
export async function requireTestKey(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode === 'test') return;
  throw new TerminalError('FORBIDDEN', 'Only test keys (sk_test_...) can simulate; live payments come from the chain.');
}

/** What a request presents as bearer token (RFC 6750); undefined when it has none. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}

/** Whose request this is, in routes behind `requireSecretKey`. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER);
}

// Helpers

const BEARER = /^Bearer +([^\s]+) *$/i;

function unauthorized(reply: FastifyReply, challenge: string): TerminalError {
  void reply.header('WWW-Authenticate', challenge);
  return new TerminalError('UNAUTHORIZED', ERROR_CODES.UNAUTHORIZED.message);
}
