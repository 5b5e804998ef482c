import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TerminalError } from '../../../platform/errors.ts';
import { beginErrorReply } from '../../plugins/index.ts';
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

/** Sends the error envelope. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  const { code, retryAfterSeconds: retryAfter } = problem;
  const { status } = factsOf(code);
  return beginErrorReply(error, { status, retryAfter, code }, { request, reply }).send(bodyOf(problem));
}
