import { Type } from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { CryptoSymbol, ExactNumber, FiatCurrency, Timestamp, TransactionStatus } from './primitives.ts';
import { ref } from './ref.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

export const ExistingTransaction = Type.Object(
  {
    transaction_id: Type.String(),
    status: ref(TransactionStatus),
    crypto: ref(CryptoSymbol),
    amount_fiat: ExactNumber('The price, in `currency_fiat`.'),
    currency_fiat: ref(FiatCurrency),
    payment_url: Type.String({ format: 'uri', description: 'Send the customer here.' }),
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
    error: Type.Unsafe<ErrorCode>({ type: 'string', enum: CODES, description: 'For programs.' }),
    message: Type.String({ description: 'For people.' }),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'The fields that are wrong, as far as they are known.',
      }),
    ),
    existing_transaction: Type.Optional(ref(ExistingTransaction)),
  },
  { $id: 'ErrorEnvelope', description: 'What went wrong.' },
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
  401: 'The API key is missing or not valid',
  403: 'The API key may not do this',
  404: 'It does not exist',
  409: 'The request contradicts what is there already',
  410: 'It was there, and is over',
  429: 'Too many requests',
  500: 'The service failed; Retry-After says when to repeat the request',
} as const;
