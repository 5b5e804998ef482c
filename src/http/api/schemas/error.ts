import { Type } from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { CryptoSymbol, ExactNumber, FiatCurrency, ref, Timestamp, TransactionStatus } from './primitives.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

export const ExistingTransaction = Type.Object(
  {
    transaction_id: Type.String(),
    status: ref(TransactionStatus),
    crypto: ref(CryptoSymbol),
    amount_fiat: ExactNumber('The price, in `currency_fiat`.'),
    currency_fiat: ref(FiatCurrency),
    payment_url: Type.String({ format: 'uri', description: 'Payment page to send the customer to.' }),
    expires_at: Timestamp('When its payment window closes.'),
  },
  {
    $id: 'ExistingTransaction',
    description: 'The open payment of the same customer; only with ACTIVE_TRANSACTION_EXISTS.',
  },
);

export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Unsafe<ErrorCode>({ type: 'string', enum: CODES, description: 'Machine-readable code.' }),
    message: Type.String({ description: 'Human-readable message.' }),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'The invalid fields, if known.',
      }),
    ),
    existing_transaction: Type.Optional(ref(ExistingTransaction)),
  },
  { $id: 'ErrorEnvelope', description: 'An error.' },
);

/** Error codes of every route behind a secret key. */
const OF_EVERY_ROUTE: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'USE_PAY_ENDPOINT',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'UPSTREAM_ERROR',
];

export const CREATE_FAILURES: readonly ErrorCode[] = [
  'INVALID_CRYPTO',
  'INVALID_AMOUNT',
  'AMOUNT_TOO_LOW',
  'INVALID_CURRENCY',
  'INVALID_METADATA',
  'WALLET_NOT_CONFIGURED',
  'NO_ACTIVE_PLAN',
  'MONTHLY_LIMIT_REACHED',
  'IDEMPOTENCY_CONFLICT',
  'ACTIVE_TRANSACTION_EXISTS',
  'RATE_FETCH_FAILED',
  'ADDRESS_GENERATION_FAILED',
];

/** Error responses of a route by status: these codes, and those of every route. */
export function failures(...codes: readonly ErrorCode[]) {
  return onlyFailures(...OF_EVERY_ROUTE, ...codes);
}

/** Error responses of a route that needs no secret key: only these codes. */
export function onlyFailures(...codes: readonly ErrorCode[]) {
  const all = CODES.filter((code) => codes.includes(code));
  const statuses = new Set(all.map((code) => ERROR_CODES[code].status));
  const responses = [...statuses].map((status) => {
    const listed = all.filter((code) => ERROR_CODES[code].status === status).join(', ');
    return [status, ref(ErrorEnvelope, { description: `${DESCRIPTIONS[status]}: ${listed}.` })] as const;
  });
  return Object.fromEntries(responses) as Record<keyof typeof DESCRIPTIONS, (typeof responses)[number][1]>;
}

// Helpers

const DESCRIPTIONS = {
  400: 'The request is not valid',
  401: 'The API key is missing or invalid',
  403: 'The API key does not allow this',
  404: 'Not found',
  409: 'The request conflicts with the current state',
  410: 'No longer available',
  429: 'Too many requests',
  500: 'The service failed; Retry-After says when to retry',
} as const;
