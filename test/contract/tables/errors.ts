import type { FieldTable } from '../check.ts';
import { ADDED_ERROR_CODES, ADDED_TO_ERROR } from './additions.ts';
import { EXISTING_TRANSACTION } from './transaction.ts';

/** The error table of the interface: code → HTTP status. */
export const ERRORS_OF_INTERFACE: Readonly<Record<string, number>> = {
  INVALID_REQUEST: 400,
  INVALID_CRYPTO: 400,
  INVALID_AMOUNT: 400,
  AMOUNT_TOO_LOW: 400,
  INVALID_CURRENCY: 400,
  INVALID_METADATA: 400,
  WALLET_NOT_CONFIGURED: 400,
  MISSING_ITEMS: 400,
  MISSING_ORDER_ID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  USE_PAY_ENDPOINT: 403,
  PLAN_UPGRADE_REQUIRED: 403,
  NO_ACTIVE_PLAN: 403,
  TRANSACTION_NOT_FOUND: 404,
  ACTIVE_TRANSACTION_EXISTS: 409,
  RATE_LIMIT_EXCEEDED: 429,
  MONTHLY_LIMIT_REACHED: 429,
  RATE_FETCH_FAILED: 500,
  ADDRESS_GENERATION_FAILED: 500,
  UPSTREAM_ERROR: 500,
};

/** Code → HTTP status of the service: the interface plus the additions. */
export const ERROR_STATUSES: Readonly<Record<string, number>> = {
  ...ERRORS_OF_INTERFACE,
  ...statusesOf(ADDED_ERROR_CODES),
};

/** The envelope of a failure with this code. */
export function errorEnvelope(code: string): FieldTable {
  return {
    success: { type: { oneOf: [false] }, required: 'yes' },
    error: { type: { oneOf: [code] }, required: 'yes' },
    message: { type: 'string', required: 'yes' },
    ...(code === 'ACTIVE_TRANSACTION_EXISTS'
      ? { existing_transaction: { type: { fields: EXISTING_TRANSACTION }, required: 'yes' } }
      : {}),
    ...ADDED_TO_ERROR,
  };
}

/** Codes with a `Retry-After` header. MONTHLY_LIMIT_REACHED has none: retrying does not help. */
export const COMES_WITH_RETRY_AFTER = [
  'RATE_LIMIT_EXCEEDED',
  'TOO_MANY_OPEN_PAYMENTS',
  'RATE_FETCH_FAILED',
  'UPSTREAM_ERROR',
];

// Helpers

function statusesOf(added: Readonly<Record<string, { readonly status: number }>>): Record<string, number> {
  return Object.fromEntries(Object.entries(added).map(([code, { status }]) => [code, status]));
}
