import type { FastifyRequest } from 'fastify';
import { TooManyAttempts } from '../../../accounts/index.ts';
import { INTERFACE_TERMS, networkOf, type RateLimiter, type RequestLimits } from '../../../merchants/index.ts';

/** More than anyone clicks; a script with a stolen session might. */
export const CHANGE_LIMITS: RequestLimits = INTERFACE_TERMS.professional.requests;
/**
 * A page with live updates of a busy shop sends about 2 requests a second without end, more if a
 * long list is open; several tabs must fit.
 */
export const READ_LIMITS: RequestLimits = { perMinute: 1_200, perHour: 60 * 1_200 };
/** The sign-in page sends a few requests; an office with many users has one address. */
export const STRANGER_LIMITS: RequestLimits = INTERFACE_TERMS.professional.requests;

/**
 * Counts a request before its body is read: without a session for its client's network, otherwise
 * for the user, changes and reads separately. Throws `TooManyAttempts` over the limit.
 */
export async function limitRequest(request: FastifyRequest, limiter: Pick<RateLimiter, 'count'>): Promise<void> {
  const { subject, limits } = countedFor(request);
  const { rejection } = await limiter.count(subject, limits);
  if (rejection !== null) throw new TooManyAttempts(rejection.retryAfterMs, 'requests');
}

// Helpers

const READING = new Set(['GET', 'HEAD']);
/**
 * With these a user ends stolen sessions. They are counted for each session, so that a thief cannot
 * use up the requests of the owner.
 */
const ENDING_SESSIONS: ReadonlySet<string | undefined> = new Set([
  '/console/api/me',
  '/console/api/password',
  '/console/api/sessions',
  '/console/api/sessions/:id',
  '/console/api/sign-out',
]);

function countedFor({ ip, method, routeOptions, signedIn }: FastifyRequest): {
  subject: string;
  limits: RequestLimits;
} {
  if (signedIn === null) return { subject: `console from ${networkOf(ip)}`, limits: STRANGER_LIMITS };
  const { sessionId, userId } = signedIn;
  const who = ENDING_SESSIONS.has(routeOptions.url) ? sessionId : userId;
  return READING.has(method)
    ? { subject: `console reads ${who}`, limits: READ_LIMITS }
    : { subject: `console ${who}`, limits: CHANGE_LIMITS };
}
