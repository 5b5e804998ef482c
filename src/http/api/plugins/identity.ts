import type { FastifyRequest } from 'fastify';
import { type Authenticator, isAllowedFrom, type KeyHolder } from '../../../merchants/index.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { startingError } from './readiness.ts';

/** The property of a request in which `limitRequests` keeps its sender. */
export const IDENTITY = 'identity';

/** The sender of a request, according to its bearer token. */
export type Identity =
  | { readonly kind: 'secret'; readonly caller: KeyHolder; readonly isAllowedHere: boolean }
  | { readonly kind: 'publishable' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'anonymous'; readonly hasToken: boolean }
  /** Cannot be determined at the moment. */
  | { readonly kind: 'unknown'; readonly reason: RetryableError };

export interface IdentityDeps {
  readonly authenticator: Authenticator;
  readonly isReady: () => boolean;
  readonly isOperator: (token: string) => boolean;
}

/**
 * Identifies the sender by the bearer token (RFC 6750). Merchants' keys are
 * looked up for every request.
 */
export function createIdentifier(deps: IdentityDeps): (request: FastifyRequest) => Promise<Identity> {
  const { authenticator, isReady, isOperator } = deps;
  return async (request) => {
    const token = bearerTokenOf(request);
    if (token !== undefined && isOperator(token)) return { kind: 'operator' };
    // Until then the database may be missing or have an older schema.
    if (!isReady()) return { kind: 'unknown', reason: startingError() };
    if (token === undefined) return { kind: 'anonymous', hasToken: false };
    try {
      const caller = await authenticator.authenticate(token);
      if (caller === null) return { kind: 'anonymous', hasToken: true };
      if (caller.kind === 'publishable') return { kind: 'publishable' };
      return { kind: 'secret', caller, isAllowedHere: isAllowedFrom(caller.allowedCidrs, request.ip) };
    } catch (error) {
      if (error instanceof RetryableError) return { kind: 'unknown', reason: error };
      throw error;
    }
  };
}

/** The sender of a request, in the scope of `limitRequests`. */
export function identityOf(request: FastifyRequest): Identity {
  return request.getDecorator<Identity>(IDENTITY);
}

/** The bearer token of a request (RFC 6750); undefined when there is none. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}

const BEARER = /^Bearer +([^\s]+) *$/i;
