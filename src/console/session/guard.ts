import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Session } from '../../accounts/index.ts';
import { TerminalError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Role } from '../contract/session.ts';
import { createSessionCookie, type SessionCookie } from './cookie.ts';
import { API_HEADERS } from './headers.ts';
import type { Accounts } from './ports.ts';
import { answerConsoleProblem } from './problems.ts';
import { refuseCrossSite } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, in routes of the console; null for nobody. */
    signedIn: Session | null;
    /** Reads anew who that is, for answers that take long. */
    readSignedIn: (() => Promise<Session | null>) | null;
    /** Passes when the password was given lately; null outside of the console. */
    checkRecentPassword: ((sessionId: string) => Promise<void>) | null;
  }
}

export interface GuardOptions {
  readonly accounts: Pick<Accounts, 'findSession' | 'requireRecentPassword'>;
  /** Where browsers reach the service: says whether cookies are for HTTPS alone, and what is same-origin. */
  readonly publicUrl: string;
  readonly log: Log;
}

/**
 * Makes a scope one of the console: headers, answers to failures, no requests from other sites, and `request.signedIn`. Scopes
 * inside a guarded one are guarded already; guarding them again changes nothing.
 */
export async function guardConsole(
  app: FastifyInstance,
  { accounts, publicUrl, log }: GuardOptions,
): Promise<SessionCookie> {
  const sessionCookie = createSessionCookie(publicUrl);
  if (app.hasRequestDecorator('signedIn')) return sessionCookie;
  app.decorateRequest('signedIn', null);
  app.decorateRequest('readSignedIn', null);
  app.decorateRequest('checkRecentPassword', null);
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(API_HEADERS);
  });
  app.setErrorHandler((error, request, reply) => answerConsoleProblem(error, { request, reply, log }));
  await app.register(cookie);
  app.addHook('onRequest', async (request) => {
    refuseCrossSite(request, publicUrl);
    const token = sessionCookie.read(request);
    const readSignedIn = async () => (token === null ? null : accounts.findSession(token));
    request.readSignedIn = readSignedIn;
    request.signedIn = await readSignedIn();
    request.checkRecentPassword = (sessionId) => accounts.requireRecentPassword(sessionId);
  });
  return sessionCookie;
}

/**
 * Hook of routes that these roles alone may use; without any, of those for everybody who is signed in. Throws `NOT_SIGNED_IN`
 * or `FORBIDDEN`, before the body is read.
 *
 *     app.addHook('onRequest', requireRole('operator', 'observer'));
 */
export function requireRole(...roles: readonly Role[]): onRequestAsyncHookHandler {
  return async (request) => {
    const { role } = signedInOf(request);
    if (roles.length === 0 || roles.includes(role)) return;
    throw new TerminalError('FORBIDDEN', `This is for ${roles.join(' and ')} alone; sign in as somebody who is`);
  };
}

/**
 * Hooks of routes that decide where money goes, or who decides it: for these roles, and only with a
 * password that was given lately. A session that was stolen, or a browser left open, is not enough.
 * Throws `REAUTH_REQUIRED` besides.
 */
export function requireReauth(...roles: readonly Role[]): onRequestAsyncHookHandler[] {
  const checkPassword: onRequestAsyncHookHandler = async (request) => {
    await request.checkRecentPassword?.(signedInOf(request).sessionId);
  };
  return [requireRole(...roles), checkPassword];
}

/**
 * Whether who sent a request that is still being answered is signed in as they were: the same session, role and merchant. For
 * answers that have no end.
 */
export async function isStillSignedIn({ signedIn, readSignedIn }: FastifyRequest): Promise<boolean> {
  if (signedIn === null || readSignedIn === null) return false;
  const now = await readSignedIn();
  const { sessionId, role, merchant } = signedIn;
  return now?.sessionId === sessionId && now.role === role && now.merchant?.id === merchant?.id;
}

/** Who sends a request, in routes behind `requireRole`. Throws `NOT_SIGNED_IN`. */
export function signedInOf({ signedIn }: FastifyRequest): Session {
  if (signedIn !== null) return signedIn;
  throw new TerminalError('NOT_SIGNED_IN', 'You are not signed in, or no longer: sign in again');
}
