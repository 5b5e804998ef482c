import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie of a session, and how it is written. */
export interface SessionCookie {
  /** The token in a request; null for none. */
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, token: string, expiresAt: number): void;
  clear(reply: FastifyReply): void;
}

/**
 * Over HTTPS, the `__Host-` prefix (RFC 6265bis, 4.1.3.2) makes browsers refuse a cookie that a neighbouring host has set. A
 * service on plain HTTP, as on one's own machine, cannot have it: browsers drop such cookies. Nothing that can send a request
 * across sites gets the cookie on anything but a link (`SameSite=Lax`), and no script can read it.
 */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const secure = new URL(publicUrl).protocol === 'https:';
  const name = secure ? '__Host-quittance' : 'quittance_session';
  const flags = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  return {
    read: (request) => request.cookies[name] ?? null,
    write(reply, token, expiresAt) {
      void reply.setCookie(name, token, { ...flags, expires: new Date(expiresAt) });
    },
    clear(reply) {
      void reply.clearCookie(name, flags);
    },
  };
}
