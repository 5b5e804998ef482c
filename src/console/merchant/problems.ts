import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { asSentence } from '../session/index.ts';

/**
 * Statuses of the error codes specific to the merchant console; the enclosing scope handles the
 * rest.
 */
const STATUS: Readonly<Record<string, number>> = {
  INVALID_STATE: 409,
  REQUEST_REUSED: 409,
  DECISION_FAILED: 409,
  ATTENTION_NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  LINK_EXISTS: 409,
  SCHEDULE_NOT_FOUND: 404,
  IDEMPOTENCY_CONFLICT: 409,
  MERCHANT_NOT_APPROVED: 403,
  RECIPIENT_LIMIT_REACHED: 429,
  KEY_NOT_FOUND: 404,
  KEY_NOT_SECRET: 409,
  KEY_REVOKED: 409,
  KEY_ROTATED: 409,
  TOO_MANY_KEYS: 409,
  PLAN_UPGRADE_REQUIRED: 403,
  INVALID_WEBHOOK_EVENTS: 400,
  INVALID_WEBHOOK_URL: 400,
  WEBHOOK_DELIVERY_NOT_FOUND: 404,
  WEBHOOK_ENDPOINT_EXISTS: 409,
  WEBHOOK_ENDPOINT_NOT_FOUND: 404,
  WEBHOOK_REPLAY_NOT_FOUND: 404,
  INVALID_EXTENDED_KEY: 400,
  PRIVATE_KEY_REFUSED: 400,
  WALLET_NOT_FOUND: 404,
  WALLET_EXISTS: 409,
  WALLET_OF_OTHER_MODE: 409,
  WALLET_SHARED: 409,
  ADDRESS_MISMATCH: 409,
};

/** Handles these errors with their status, as `{error, message}`. */
export function answerMerchantProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof TerminalError ? STATUS[error.code] : undefined;
    if (!(error instanceof TerminalError) || status === undefined) throw error;
    return reply.code(status).send({ error: error.code, message: asSentence(error.message) });
  });
}
