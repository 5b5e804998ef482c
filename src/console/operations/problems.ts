import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { asSentence } from '../session/index.ts';

/**
 * Statuses of the error codes specific to the operator console; the enclosing scope handles the
 * rest.
 */
const STATUS: Readonly<Record<string, number>> = {
  ACTOR_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  DEAD_LETTER_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  MERCHANT_NOT_FOUND: 404,
  STALE: 409,
  REQUEST_REUSED: 409,
  INVALID_STATE: 409,
  NOTHING_TO_DO: 409,
  EVENT_FAILED: 422,
  CHART_UNKNOWN: 501,
};

/** Handles these errors with their status, as `{error, message}`. */
export function answerOperationProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof TerminalError ? STATUS[error.code] : undefined;
    if (!(error instanceof TerminalError) || status === undefined) throw error;
    return reply.code(status).send({ error: error.code, message: asSentence(error.message) });
  });
}
