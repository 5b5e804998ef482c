import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../../../../machines/index.ts';
import { TooManyAttempts } from '../../../accounts/index.ts';
import { messageOf, RetryableError, TerminalError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';

/**
 * Responds to an error with `{error, message}` and a matching status. Only server errors are logged
 * as errors.
 */
export function answerConsoleProblem(
  error: unknown,
  { request, reply, log }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly log: Log },
): FastifyReply {
  const { status, code, message, retryAfterMs } = problemOf(error);
  // The route's pattern, never the URL.
  const context = { method: request.method, route: request.routeOptions.url };
  if (status === 500) log.error({ ...context, err: error }, 'a request of the console failed');
  if (status === 503) log.debug({ ...context, reason: messageOf(error) }, 'a request of the console has to wait');
  if (retryAfterMs !== null) void reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / SECOND_MS)));
  return reply.code(status).send({ error: code, message });
}

// Helpers

interface ConsoleProblem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

/**
 * Statuses of sign-in and accounts. Codes that are not listed are invalid requests: 400. 401 is
 * only for authentication, because the pages then go to sign-in.
 */
export const CONSOLE_STATUS: Readonly<Record<string, number>> = {
  NOT_SIGNED_IN: 401,
  WRONG_CREDENTIALS: 401,
  CODE_REQUIRED: 401,
  WRONG_PASSWORD: 403,
  WRONG_CODE: 403,
  REAUTH_REQUIRED: 403,
  FORBIDDEN: 403,
  CROSS_SITE_REQUEST: 403,
  SIGN_UP_CLOSED: 403,
  NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  EMAIL_TAKEN: 409,
  MERCHANT_NAME_TAKEN: 409,
  OWN_LOGIN: 409,
  TOTP_IS_ON: 409,
  TOTP_IS_OFF: 409,
  TOO_MANY_USERS: 409,
  CONFLICT: 409,
  TOO_MANY_ATTEMPTS: 429,
};

/** Statuses of what merchants and operators manage. */
const FEATURE_STATUS: Readonly<Record<string, number>> = {
  MERCHANT_NOT_APPROVED: 403,
  PLAN_UPGRADE_REQUIRED: 403,
  ACTOR_NOT_FOUND: 404,
  ATTENTION_NOT_FOUND: 404,
  CHART_VERSION_UNKNOWN: 404,
  DEAD_LETTER_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  MERCHANT_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  WALLET_NOT_FOUND: 404,
  WEBHOOK_DELIVERY_NOT_FOUND: 404,
  WEBHOOK_ENDPOINT_NOT_FOUND: 404,
  WEBHOOK_REPLAY_NOT_FOUND: 404,
  ADDRESS_MISMATCH: 409,
  DECISION_FAILED: 409,
  IDEMPOTENCY_CONFLICT: 409,
  INVALID_STATE: 409,
  KEY_NOT_SECRET: 409,
  KEY_REVOKED: 409,
  KEY_ROTATED: 409,
  LINK_EXISTS: 409,
  NOTHING_TO_DO: 409,
  REQUEST_REUSED: 409,
  STALE: 409,
  TOO_MANY_KEYS: 409,
  WALLET_EXISTS: 409,
  WALLET_OF_OTHER_MODE: 409,
  WALLET_SHARED: 409,
  WEBHOOK_ENDPOINT_EXISTS: 409,
  EVENT_FAILED: 422,
  TOO_MANY_ACTORS: 422,
  RECIPIENT_LIMIT_REACHED: 429,
  CHART_UNKNOWN: 501,
};

/** Only the operator can fix an unreadable secret, so users get no details about keys. */
function problemOf(error: unknown): ConsoleProblem {
  if (error instanceof RetryableError) {
    const { code, message, retryAfterMs } = error;
    return { status: code === 'TOO_MANY_OPEN_PAYMENTS' ? 429 : 503, code, message: asSentence(message), retryAfterMs };
  }
  if (error instanceof TerminalError && error.code !== 'SECRET_UNREADABLE') {
    const { code, message } = error;
    const retryAfterMs = error instanceof TooManyAttempts ? error.retryAfterMs : null;
    return {
      status: CONSOLE_STATUS[code] ?? FEATURE_STATUS[code] ?? 400,
      code,
      message: asSentence(message),
      retryAfterMs,
    };
  }
  const status = clientMistakeOf(error);
  if (status === null) {
    const message = 'The service failed; what happened is in its log. Try again in a moment.';
    return { status: 500, code: 'INTERNAL_ERROR', message, retryAfterMs: null };
  }
  const message =
    status === 413
      ? 'The request is too large: leave out what is not asked for.'
      : 'The request could not be read: send a JSON object with Content-Type application/json.';
  return { status, code: 'INVALID_REQUEST', message, retryAfterMs: null };
}

/** Some features end their messages with a full stop. */
function asSentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

/** The status of a request that Fastify itself rejects, such as invalid JSON. */
function clientMistakeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}
