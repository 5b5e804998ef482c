import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ActiveTransactionError } from '../../payments/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { beginErrorReply, classifyError, retryAfterOf } from '../plugins/index.ts';
import { describeError, type ErrorCode, isErrorCode } from './error-codes.ts';
import type { ErrorBody, Problem } from './problem-shape.ts';
import { problemOfValidation } from './validation-problem.ts';

const MAX_PATH_CHARACTERS = 200;

/** Sends every failure in this scope as the error envelope. */
export function sendProblems(app: FastifyInstance): void {
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.replace(/\?.*$/s, '').slice(0, MAX_PATH_CHARACTERS);
    return sendProblem(new TerminalError('NOT_FOUND', `${request.method} ${path} does not exist.`), request, reply);
  });
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  const { code, retryAfterSeconds: retryAfter } = problem;
  const { status } = describeError(code);
  return beginErrorReply(error, { status, retryAfter, code }, { request, reply }).send(bodyOf(problem));
}

/** The caller's view of any thrown error. Errors not meant for callers become `INTERNAL_ERROR`. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ActiveTransactionError) {
    return { ...problemWith('ACTIVE_TRANSACTION_EXISTS', error.message), existingTransaction: error.openPayment };
  }
  if (error instanceof TerminalError)
    return isErrorCode(error.code) ? problemWith(error.code, error.message, error.field) : bug();
  if (error instanceof RetryableError) {
    const problem = isErrorCode(error.code)
      ? problemWith(error.code, error.message, error.field)
      : upstreamProblem(error);
    return { ...problem, retryAfterSeconds: retryAfterOf(error) };
  }
  if (!isFastifyError(error)) return bug();
  if (error.validation !== undefined) return problemOfValidation(error.validation, error.validationContext);
  return classifyError(error).kind === 'unreadable'
    ? problemWith('INVALID_REQUEST', UNREADABLE[error.code] ?? 'The request cannot be read.')
    : bug();
}

export function bodyOf({ code, message, details, existingTransaction }: Problem): ErrorBody {
  return {
    success: false,
    error: code,
    message,
    ...(details.length === 0 ? {} : { details: [...details] }),
    ...(existingTransaction === undefined ? {} : { existing_transaction: existingTransaction }),
  };
}

// Helpers

/** Errors of the HTTP layer, in words that a caller can act on. */
const UNREADABLE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 1 MB.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the body as JSON, with "Content-Type: application/json".',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; send a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON, or has a key named __proto__ or constructor.prototype.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
  FST_ERR_BAD_URL: 'The path is not valid percent-encoding.',
};

function problemWith(code: ErrorCode, thrown?: string, about: string | null = null): Problem {
  const { message: usual, field: usualField = null, hidesCause } = describeError(code);
  const message = thrown === undefined || hidesCause === true ? usual : thrown;
  const field = about ?? usualField;
  return { code, message, details: field === null ? [] : [{ field, message }], retryAfterSeconds: null };
}

/** Upstream failures are only logged, except where callers can act on them. */
function upstreamProblem({ code, message }: RetryableError): Problem {
  const problem = problemWith('UPSTREAM_ERROR');
  return code === 'NETWORK_NOT_WATCHED' ? { ...problem, message } : problem;
}

function bug(): Problem {
  return problemWith('INTERNAL_ERROR');
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && ('statusCode' in error || 'validation' in error) && 'code' in error;
}
