import type { FastifyReply, FastifyRequest } from 'fastify';
import { TerminalError } from '../../errors.ts';
import type { Authenticator, KeyHolder } from '../../merchants/index.ts';

/** A secret key in an address has been seen by whoever has seen the address; that it works or not makes no difference. */
const SECRET_KEY = /^\s*sk_/i;

/**
 * The shop behind the publishable key a request names. Throws `UNAUTHORIZED`: for a key that is unknown or dead, and with the
 * advice to revoke it for a secret one, which is not even looked up.
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

/** Query parameters as they came, before anything has checked them. */
export function rawQueryOf(request: FastifyRequest): Record<string, unknown> {
  // Fastify's parser gives an object without prototype, of texts and lists of texts.
  return request.query as Record<string, unknown>;
}

// Helpers

const EXPOSED =
  'pk is a secret API key, and secret keys must never be part of an address: everybody on the way has seen it. Revoke it now, and use a publishable key (pk_live_... or pk_test_...) here.';
const UNKNOWN = 'pk is no publishable key of this service (pk_live_... or pk_test_...), or it was revoked.';

function unauthorized(reply: FastifyReply, message: string): TerminalError {
  // RFC 9110 asks for a challenge with every 401.
  void reply.header('WWW-Authenticate', 'Bearer realm="quittance"');
  return new TerminalError('UNAUTHORIZED', message, { field: 'pk' });
}
