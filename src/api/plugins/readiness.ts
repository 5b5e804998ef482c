import type { FastifyInstance } from 'fastify';
import { RetryableError } from '../../errors.ts';

const RETRY_AFTER_MS = 2_000;

/** Turns callers away, to come back soon, for as long as the service is not ready to serve them. */
export function requireReadiness(app: FastifyInstance, isReady: () => boolean): void {
  app.addHook('onRequest', async () => {
    if (!isReady()) throw startingError();
  });
}

export function startingError(): RetryableError {
  return new RetryableError('STARTING', 'The service is starting', { retryAfterMs: RETRY_AFTER_MS });
}
