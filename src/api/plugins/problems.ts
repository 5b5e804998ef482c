import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RetryableError, TerminalError } from '../../errors.ts';
import { factsOf } from '../error-codes.ts';
import { bodyOf, problemOf } from '../problem.ts';

/** Longest part of a path that a message includes. */
const MAX_PATH_CHARACTERS = 200;

/** Answers every failure in this scope with the error envelope. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.replace(/\?.*$/s, '').slice(0, MAX_PATH_CHARACTERS);
    return sendProblem(new TerminalError('NOT_FOUND', `There is no ${request.method} ${path}.`), request, reply);
  });
}

/** Sends the error envelope; server errors are logged with their cause. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  const { status } = factsOf(problem.code);
  if (status >= 500) {
    const context = { err: error, code: problem.code, method: request.method, route: request.routeOptions.url };
    // Temporary failures are logged once by the affected component, not once per
    // request; others need attention.
    if (error instanceof RetryableError) request.log.debug(context, 'a request could not be served now');
    else request.log.error(context, 'a request failed');
  }
  if (problem.retryAfterSeconds !== null) void reply.header('Retry-After', problem.retryAfterSeconds);
  return reply.code(status).send(bodyOf(problem));
}
