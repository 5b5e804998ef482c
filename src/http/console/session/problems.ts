import type { FastifyReply, FastifyRequest } from 'fastify';
import { TooManyAttempts } from '../../../accounts/index.ts';
import { beginErrorReply, classifyError, retryAfterOf } from '../../plugins/index.ts';

/** Responds to an error with `{error, message}` and a matching status. */
export function sendConsoleProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, retryAfter, code, message } = problemOf(error);
  return beginErrorReply(error, { status, retryAfter }, { request, reply }).send({
    error: code,
    // Some features end their messages with a full stop.
    message: message.endsWith('.') ? message : `${message}.`,
  });
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
  ALREADY_ACCEPTED: 409,
  SENDS_NO_MAILS: 409,
  TOTP_IS_ON: 409,
  TOTP_IS_OFF: 409,
  TOO_MANY_USERS: 409,
  CONFLICT: 409,
  TOO_MANY_ATTEMPTS: 429,
};

/** Statuses of the other features. Of a code that ends with `_NOT_FOUND` it is 404. */
const FEATURE_STATUS: Readonly<Record<string, number>> = {
  MERCHANT_NOT_APPROVED: 403,
  PLAN_UPGRADE_REQUIRED: 403,
  CHART_VERSION_UNKNOWN: 404,
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

// Helpers

interface ConsoleProblem {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when a retry will not help. */
  readonly retryAfter: number | null;
  readonly code: string;
  readonly message: string;
}

function problemOf(error: unknown): ConsoleProblem {
  const failure = classifyError(error);
  switch (failure.kind) {
    case 'temporary': {
      const {
        status,
        retryAfter,
        error: { code, message },
      } = failure;
      return { status, retryAfter, code, message };
    }
    case 'rejected': {
      const { code, message } = failure.error;
      // Only the operator can fix an unreadable secret, so users get no details about keys.
      if (code === 'SECRET_UNREADABLE') return BUG;
      const retryAfter = failure.error instanceof TooManyAttempts ? retryAfterOf(failure.error) : null;
      const status = CONSOLE_STATUS[code] ?? FEATURE_STATUS[code] ?? (code.endsWith('_NOT_FOUND') ? 404 : 400);
      return { status, retryAfter, code, message };
    }
    case 'unreadable': {
      const message =
        failure.status === 413
          ? 'The request is too large: omit unneeded fields.'
          : 'The request could not be read: send a JSON object with Content-Type application/json.';
      return { status: failure.status, retryAfter: null, code: 'INVALID_REQUEST', message };
    }
    case 'bug':
      return BUG;
  }
}

const BUG: ConsoleProblem = {
  status: 500,
  retryAfter: null,
  code: 'INTERNAL_ERROR',
  message: 'The service failed; its log has the cause. Try again in a moment.',
};
