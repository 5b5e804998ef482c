import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import {
  type AccountsDeps,
  findSession,
  requireRecentPassword as requireRecent,
  type Session,
  type SignedInUser,
  type UserRole,
} from '../../../accounts/index.ts';
import type { RateLimiter } from '../../../merchants/index.ts';
import { RetryableError, TerminalError } from '../../../platform/errors.ts';
import { outagesOf } from '../../plugins/index.ts';
import { createSessionCookie, type SessionCookie } from './cookie.ts';
import { limitRequest } from './limit-request.ts';
import { sendConsoleProblem } from './problems.ts';
import { rejectCrossSite } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a request to the console; null when not signed in. */
    signedIn: Session | null;
    /** Reads the session again, for long responses. */
    readSignedIn: (() => Promise<Session | null>) | null;
    /** Resolves when the password was entered recently; null outside of the console. */
    checkRecentPassword: ((sessionId: string) => Promise<void>) | null;
  }
}

export interface GuardOptions {
  readonly accounts: AccountsDeps;
  /** False while the service starts: its database may still have an older schema. */
  readonly isOpen: () => boolean;
  /**
   * Where browsers reach the service: decides whether cookies are only for HTTPS, and what is
   * same-origin.
   */
  readonly publicUrl: string;
  readonly limiter: Pick<RateLimiter, 'count'>;
}

/**
 * Sets up a scope of the console: error responses, rejection of cross-site requests,
 * `request.signedIn`, and limits on requests. Nested scopes are guarded already; guarding them
 * again changes nothing.
 */
export async function guardConsole(
  app: FastifyInstance,
  { accounts, isOpen, publicUrl, limiter }: GuardOptions,
): Promise<SessionCookie> {
  const sessionCookie = createSessionCookie(publicUrl);
  if (app.hasRequestDecorator('signedIn')) return sessionCookie;
  app.decorateRequest('signedIn', null);
  app.decorateRequest('readSignedIn', null);
  app.decorateRequest('checkRecentPassword', null);
  app.setErrorHandler(sendConsoleProblem);
  await app.register(cookie);
  app.addHook('onRequest', async (request) => {
    rejectCrossSite(request, publicUrl);
    if (!isOpen()) throw new RetryableError('STARTING', 'The service is starting; try again shortly');
    const token = sessionCookie.read(request);
    const readSignedIn = async () => (token === null ? null : findSession(accounts, token));
    // Long responses read it again after the error handler can no longer see a failure.
    request.readSignedIn = () => outagesOf(request).watch(readSignedIn);
    request.signedIn = await readSignedIn();
    await limitRequest(request, limiter);
    request.checkRecentPassword = (sessionId) => requireRecent(accounts, sessionId);
  });
  return sessionCookie;
}

/**
 * Hook for routes that only these roles may use; without any, every signed-in user. Throws
 * `NOT_SIGNED_IN` or `FORBIDDEN`, before the body is read.
 *
 *     app.addHook('onRequest', requireRole('operator', 'observer'));
 */
export function requireRole(...roles: readonly UserRole[]): onRequestAsyncHookHandler {
  return async (request) => {
    const { role } = signedInOf(request);
    if (roles.length === 0 || roles.includes(role)) return;
    throw new TerminalError('FORBIDDEN', `Only ${roles.join(' and ')} can do this; sign in with such a role`);
  };
}

/**
 * Hooks for routes that change where money goes, or who may change that: for these roles, and only
 * with a recently entered password, so that a stolen session or an unattended browser is not
 * enough. Also throws `REAUTH_REQUIRED`.
 */
export function requireReauth(...roles: readonly UserRole[]): onRequestAsyncHookHandler[] {
  return [requireRole(...roles), requireRecentPassword];
}

/**
 * The same check for routes where only some fields need it. Call it when the body has been read,
 * since with REAUTH_MINUTES=0 it uses the password up. Throws `REAUTH_REQUIRED`.
 */
export async function requireRecentPassword(request: FastifyRequest): Promise<void> {
  await request.checkRecentPassword?.(signedInOf(request).sessionId);
}

/**
 * Whether the user of an open request still has the same session, role and merchant. For responses
 * without an end.
 */
export async function isStillSignedIn({ signedIn, readSignedIn }: FastifyRequest): Promise<boolean> {
  if (signedIn === null || readSignedIn === null) return false;
  const now = await readSignedIn();
  const { sessionId, role, merchant } = signedIn;
  return now?.sessionId === sessionId && now.role === role && now.merchant?.id === merchant?.id;
}

/** The session of a request, in routes behind `requireRole`. Throws `NOT_SIGNED_IN`. */
export function signedInOf({ signedIn }: FastifyRequest): Session {
  if (signedIn !== null) return signedIn;
  throw new TerminalError('NOT_SIGNED_IN', 'You are not signed in, or your session has ended: sign in again');
}

/** The signed-in user of a request, as use cases take it. Throws `NOT_SIGNED_IN`. */
export function signedInUserOf(request: FastifyRequest): SignedInUser {
  const { userId, sessionId, role, merchant } = signedInOf(request);
  return { userId, sessionId, role, merchantId: merchant?.id ?? null };
}
