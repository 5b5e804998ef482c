import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, KeyHolder } from '../../../merchants/index.ts';
import { TerminalError } from '../../../platform/errors.ts';

/** A secret key in a URL counts as exposed, whether it is valid or not. */
const SECRET_KEY = /^\s*sk_/i;

/**
 * The holder of the publishable key in a request. Throws `UNAUTHORIZED` for an unknown or revoked
 * key, and for a secret key, with the advice to revoke it; a secret key is not even looked up.
 */
export async function requirePublishableKey(
  authenticator: Authenticator,
  key: string,
  reply: FastifyReply,
): Promise<KeyHolder> {
  if (SECRET_KEY.test(key)) throw unauthorized(reply, EXPOSED);
  const holder = await authenticator.authenticate(key);
  if (holder === null || holder.kind !== 'publishable') throw unauthorized(reply, UNKNOWN);
  return holder;
}

/** The query parameters before validation. */
export function rawQueryOf(request: FastifyRequest): Record<string, unknown> {
  // Fastify's parser returns an object without prototype, with strings and arrays of strings.
  return request.query as Record<string, unknown>;
}

// Helpers

const EXPOSED =
  'pk is a secret API key, and secret keys must never be part of an address: every server on the way may have stored it. Revoke it now, and use a publishable key (pk_live_... or pk_test_...) here.';
const UNKNOWN = 'pk is not a valid publishable key of this service (pk_live_... or pk_test_...), or it was revoked.';

function unauthorized(reply: FastifyReply, message: string): TerminalError {
  // RFC 9110 requires a challenge with every 401.
  void reply.header('WWW-Authenticate', 'Bearer realm="quittance"');
  return new TerminalError('UNAUTHORIZED', message, { field: 'pk' });
}
