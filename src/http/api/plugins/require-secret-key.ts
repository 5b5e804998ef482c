import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { KeyHolder } from '../../../merchants/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { ERROR_CODES } from '../error-codes.ts';
import { identityOf } from './identity.ts';

const CALLER = 'caller';

/**
 * Admits only secret keys to the routes of this scope (RFC 6750 bearer tokens), from their
 * allowed addresses. Runs before the body is read, so that clients without a key cannot make
 * the service parse anything.
 */
export function requireSecretKey(app: FastifyInstance): void {
  app.decorateRequest(CALLER, null);
  app.addHook('onRequest', async (request, reply) => {
    request.setDecorator<KeyHolder>(CALLER, admittedCaller(request, reply));
  });
}

export async function requireTestKey(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode === 'test') return;
  throw new TerminalError('FORBIDDEN', 'Only test keys (sk_test_...) can simulate; live payments come from the chain.');
}

export function requireLiveKey(because: string): onRequestAsyncHookHandler {
  return async (request) => {
    if (callerOf(request).mode !== 'live') throw new TerminalError('FORBIDDEN', because);
  };
}

/** The key holder of this request, in routes behind `requireSecretKey`. */
export function callerOf(request: FastifyRequest): KeyHolder {
  return request.getDecorator<KeyHolder>(CALLER);
}

// Helpers

function admittedCaller(request: FastifyRequest, reply: FastifyReply): KeyHolder {
  const identity = identityOf(request);
  switch (identity.kind) {
    case 'secret':
      if (identity.isAllowedHere) return identity.caller;
      throw new TerminalError(
        'FORBIDDEN',
        `This API key may not be used from ${shownAddress(request)}: add this address to those the key allows, or call from one of them.`,
      );
    case 'publishable':
      throw new TerminalError('USE_PAY_ENDPOINT', ERROR_CODES.USE_PAY_ENDPOINT.message);
    case 'unknown':
      throw identity.reason;
    case 'anonymous':
      if (!identity.hasToken) throw unauthorized(reply, 'Bearer realm="quittance"');
      throw unauthorized(reply, 'Bearer realm="quittance", error="invalid_token"');
    case 'operator':
      throw unauthorized(reply, 'Bearer realm="quittance", error="invalid_token"');
  }
}

/** A proxy can forward anything; an IP address has at most 45 characters. */
function shownAddress({ ip }: FastifyRequest): string {
  return ip.slice(0, 45);
}

function unauthorized(reply: FastifyReply, challenge: string): TerminalError {
  void reply.header('WWW-Authenticate', challenge);
  return new TerminalError('UNAUTHORIZED', ERROR_CODES.UNAUTHORIZED.message);
}
