/**
 * Every code the merchant API answers with: its HTTP status, whether the same request may succeed later, and what is said
 * when nothing better is known. `field` is the part of the request the code is always about. `docs/api.md` lists the
 * same codes; a test compares the two.
 */
export interface ErrorCodeFacts {
  readonly status: 400 | 401 | 403 | 404 | 409 | 500 | 503;
  readonly retryable: boolean;
  readonly message: string;
  readonly field?: string;
  /** The message of the error that was thrown is for the log; callers get the one above. */
  readonly hidesCause?: true;
}

export const ERROR_CODES = {
  INVALID_REQUEST: { status: 400, retryable: false, message: 'The request is not valid.' },
  INVALID_CRYPTO: { status: 400, retryable: false, message: 'This coin is not supported.', field: 'crypto' },
  INVALID_AMOUNT: {
    status: 400,
    retryable: false,
    message: 'amount must be a JSON number above 0 with at most 2 decimals.',
    field: 'amount',
  },
  AMOUNT_TOO_LOW: {
    status: 400,
    retryable: false,
    message: 'amount must be worth at least 1.00 USD.',
    field: 'amount',
  },
  INVALID_CURRENCY: {
    status: 400,
    retryable: false,
    message: 'This currency is not supported.',
    field: 'currency_fiat',
  },
  INVALID_METADATA: {
    status: 400,
    retryable: false,
    message: 'metadata must be an object or null.',
    field: 'metadata',
  },
  WALLET_NOT_CONFIGURED: {
    status: 400,
    retryable: false,
    message: 'No wallet is configured for this coin.',
    field: 'crypto',
  },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    message: 'A valid secret API key is required: send it as "Authorization: Bearer sk_...".',
  },
  FORBIDDEN: { status: 403, retryable: false, message: 'This API key may not do that.' },
  USE_PAY_ENDPOINT: {
    status: 403,
    retryable: false,
    message: 'This is a publishable key. This endpoint needs a secret key, which belongs on your server only.',
  },
  NOT_FOUND: { status: 404, retryable: false, message: 'There is no such endpoint.' },
  TRANSACTION_NOT_FOUND: { status: 404, retryable: false, message: 'No transaction has this id.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    retryable: false,
    message: 'X-Idempotency-Key was used before with a different request; use a new key for a new payment.',
  },
  INVALID_STATE: { status: 409, retryable: false, message: 'This cannot happen in the current state.' },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    message: 'Something went wrong on our side. Name the X-Request-Id when you report it.',
    hidesCause: true,
  },
  RATE_FETCH_FAILED: { status: 500, retryable: true, message: 'There is no current exchange rate. Try again shortly.' },
  ADDRESS_GENERATION_FAILED: {
    status: 500,
    retryable: true,
    message: 'No deposit address could be derived from the wallet of this coin.',
    hidesCause: true,
  },
  UPSTREAM_ERROR: {
    status: 503,
    retryable: true,
    message:
      'The service cannot do this at the moment. Repeat the request after the seconds in Retry-After; with the same X-Idempotency-Key nothing is created twice.',
    hidesCause: true,
  },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

export function factsOf(code: ErrorCode): ErrorCodeFacts {
  return ERROR_CODES[code];
}
