import type { FastifyInstance } from 'fastify';
import { TooManyAttempts } from '../../../accounts/index.ts';
import { INTERFACE_TERMS, type RateLimiter } from '../../../merchants/index.ts';
import { signedInOf } from './guard.ts';

/** More than anyone clicks; a script with a stolen session might. */
const LIMITS = INTERFACE_TERMS.professional.requests;
const READING = new Set(['GET', 'HEAD']);

/** Limits how often each user changes something, counted before the body is read. */
export function limitChanges(app: FastifyInstance, limiter: Pick<RateLimiter, 'count'>): void {
  app.addHook('preParsing', async (request) => {
    if (READING.has(request.method)) return;
    const { rejection } = await limiter.count(`console ${signedInOf(request).userId}`, LIMITS);
    if (rejection !== null) throw new TooManyAttempts(rejection.retryAfterMs);
  });
}
