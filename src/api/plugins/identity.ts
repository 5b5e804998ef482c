import type { FastifyRequest } from 'fastify';
import { RetryableError } from '../../errors.ts';
import { type Authenticator, isAllowedFrom, type KeyHolder } from '../../merchants/index.ts';
import { bearerTokenOf } from './bearer-token.ts';
import { startingError } from './readiness.ts';

/** Who sends a request, as far as its bearer token tells. */
export type Identity =
  | { readonly kind: 'secret'; readonly caller: KeyHolder; readonly isAllowedHere: boolean }
  | { readonly kind: 'publishable' }
  /** Whoever runs the service. */
  | { readonly kind: 'operator' }
  | { readonly kind: 'nobody'; readonly hasToken: boolean }
  /** Nobody can say at the moment. */
  | { readonly kind: 'unknown'; readonly reason: RetryableError };

export interface IdentityDeps {
  readonly authenticator: Authenticator;
  readonly isReady: () => boolean;
  readonly isOperator: (token: string) => boolean;
}

/** Looks at the bearer token of a request (RFC 6750). The keys of merchants are looked up every time. */
export function createIdentifier(deps: IdentityDeps): (request: FastifyRequest) => Promise<Identity> {
  const { authenticator, isReady, isOperator } = deps;
  return async (request) => {
    const token = bearerTokenOf(request);
    if (token !== undefined && isOperator(token)) return { kind: 'operator' };
    // Before that, there may be no database, or one of an older version.
    if (!isReady()) return { kind: 'unknown', reason: startingError() };
    if (token === undefined) return { kind: 'nobody', hasToken: false };
    try {
      const caller = await authenticator.authenticate(token);
      if (caller === null) return { kind: 'nobody', hasToken: true };
      if (caller.kind === 'publishable') return { kind: 'publishable' };
      return { kind: 'secret', caller, isAllowedHere: isAllowedFrom(caller.allowedCidrs, request.ip) };
    } catch (error) {
      if (error instanceof RetryableError) return { kind: 'unknown', reason: error };
      throw error;
    }
  };
}
