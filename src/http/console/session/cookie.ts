import type { FastifyReply, FastifyRequest } from 'fastify';

export interface SessionCookie {
  /** The token of a request; null for none. */
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, token: string, expiresAt: number): void;
  clear(reply: FastifyReply): void;
}

/**
 * Over HTTPS, the `__Host-` prefix (RFC 6265bis, 4.1.3.2) makes browsers reject a cookie set by a
 * sibling host. A service on plain HTTP, such as a local one, cannot use it, because browsers drop
 * such cookies. Cross-site requests carry the cookie only for top-level navigation
 * (`SameSite=Lax`), and scripts cannot read it.
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
