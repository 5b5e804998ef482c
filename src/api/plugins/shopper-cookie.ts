import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, SECOND_MS } from '../../../machines/index.ts';

/**
 * The longest window of a payment and the longest wait for its confirmations together: until then
 * it is gone on with.
 */
const MAX_AGE_SECONDS = (2 * DAY_MS) / SECOND_MS;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/**
 * Knows a shopper's browser again by a random value; network addresses are shared by many people.
 */
export interface ShopperCookie {
  /** The value a browser sent; a new one when it sent none of ours. */
  read(request: FastifyRequest): string;
  write(reply: FastifyReply, token: string): void;
}

/**
 * `__Host-` keeps neighbouring hosts from setting it (RFC 6265bis, 4.1.3.2); browsers drop such
 * cookies on plain HTTP.
 */
export function createShopperCookie(isHttps: boolean): ShopperCookie {
  const name = isHttps ? '__Host-quittance-shopper' : 'quittance_shopper';
  const flags = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax', maxAge: MAX_AGE_SECONDS } as const;
  return {
    read(request) {
      const token = request.cookies[name] ?? '';
      return TOKEN.test(token) ? token : randomBytes(24).toString('base64url');
    },
    write(reply, token) {
      void reply.setCookie(name, token, flags);
    },
  };
}
