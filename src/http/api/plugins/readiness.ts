import type { FastifyInstance } from 'fastify';
import { RetryableError } from '../../../platform/errors.ts';

const RETRY_AFTER_MS = 2_000;

/** Rejects requests, to be retried soon, until the service is ready. */
export function requireReadiness(app: FastifyInstance, isReady: () => boolean): void {
  app.addHook('onRequest', async () => {
    if (!isReady()) throw startingError();
  });
}

export function startingError(): RetryableError {
  return new RetryableError('STARTING', 'The service is starting', { retryAfterMs: RETRY_AFTER_MS });
}
