import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, SECOND_MS } from '../../../machines/index.ts';

/**
 * The longest payment window plus the longest wait for confirmations: until then, the customer
 * returns to the same payment.
 */
const MAX_AGE_SECONDS = (2 * DAY_MS) / SECOND_MS;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** Recognises a customer's browser by a random value, because many people share an IP address. */
export interface CustomerCookie {
  /** The token that the browser sent; a new one when it sent no valid one. */
  read(request: FastifyRequest): string;
  /** The token that the browser sent; null when it sent no valid one. */
  known(request: FastifyRequest): string | null;
  write(reply: FastifyReply, token: string): void;
}

/**
 * `__Host-` prevents sibling hosts from setting it (RFC 6265bis, 4.1.3.2); browsers reject
 * such cookies over plain HTTP.
 */
export function createCustomerCookie(isHttps: boolean): CustomerCookie {
  const name = isHttps ? '__Host-quittance-customer' : 'quittance_customer';
  const flags = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax', maxAge: MAX_AGE_SECONDS } as const;
  const known = ({ cookies }: FastifyRequest) => {
    const token = cookies[name] ?? '';
    return TOKEN.test(token) ? token : null;
  };
  return {
    read: (request) => known(request) ?? randomBytes(24).toString('base64url'),
    known,
    write(reply, token) {
      void reply.setCookie(name, token, flags);
    },
  };
}
