/**
 * Every error code of the merchant API: its HTTP status and the default message. `field` is set
 * when the code is always about the same part of the request. `docs/merchants/api.md` lists the
 * same codes; a test compares the two.
 */
export interface ErrorDescription {
  readonly status: 400 | 401 | 403 | 404 | 409 | 410 | 429 | 500;
  readonly message: string;
  readonly field?: string;
  /** The message of the thrown error is only logged; callers get the one above. */
  readonly hidesCause?: true;
}

export const ERROR_CODES = {
  INVALID_REQUEST: { status: 400, message: 'The request is not valid.' },
  INVALID_CRYPTO: { status: 400, message: 'This coin is not supported.', field: 'crypto' },
  INVALID_AMOUNT: {
    status: 400,
    message: 'amount must be a JSON number above 0 with at most 2 decimals.',
    field: 'amount',
  },
  AMOUNT_TOO_LOW: { status: 400, message: 'amount must be worth at least 1.00 USD.', field: 'amount' },
  INVALID_CURRENCY: { status: 400, message: 'This currency is not supported.', field: 'currency_fiat' },
  INVALID_METADATA: { status: 400, message: 'metadata must be an object or null.', field: 'metadata' },
  MISSING_ITEMS: { status: 400, message: 'items must contain at least one item.', field: 'items' },
  MISSING_ORDER_ID: { status: 400, message: 'order_id must be one line of text.', field: 'order_id' },
  WALLET_NOT_CONFIGURED: { status: 400, message: 'No wallet is configured for this coin.', field: 'crypto' },
  INVALID_WEBHOOK_URL: {
    status: 400,
    message: 'url must begin with https:// and lead to a public address.',
    field: 'url',
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'A valid secret API key is required: send it as "Authorization: Bearer sk_...".',
  },
  FORBIDDEN: { status: 403, message: 'This API key does not allow that.' },
  USE_PAY_ENDPOINT: {
    status: 403,
    message: 'This is a publishable key. This endpoint needs a secret key, which belongs on your server only.',
  },
  PLAN_UPGRADE_REQUIRED: { status: 403, message: 'Your plan does not include this.' },
  NO_ACTIVE_PLAN: { status: 403, message: 'The plan of this account has ended. Renew it with POST /billing/checkout.' },
  MERCHANT_NOT_APPROVED: {
    status: 403,
    message: 'This account cannot send emails to customers until the operator of this service approves it.',
  },
  NOT_FOUND: { status: 404, message: 'This endpoint does not exist.' },
  TRANSACTION_NOT_FOUND: { status: 404, message: 'No transaction has this id.' },
  SCHEDULE_NOT_FOUND: { status: 404, message: 'No recurring payment request has this id.' },
  LINK_NOT_FOUND: { status: 404, message: 'No payment link of this mode has this slug.' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, message: 'No webhook endpoint has this id.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'No webhook delivery has this id.' },
  WEBHOOK_REPLAY_NOT_FOUND: { status: 404, message: 'No webhook replay has this id.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'X-Idempotency-Key was used before with a different request; use a new key for a new payment.',
  },
  ACTIVE_TRANSACTION_EXISTS: { status: 409, message: 'This customer already has an open payment.' },
  WEBHOOK_ENDPOINT_EXISTS: { status: 409, message: 'Another of your webhook endpoints has this URL.', field: 'url' },
  LINK_EXISTS: { status: 409, message: 'Another of your payment links has this slug.', field: 'slug' },
  PAYMENT_LINK_PAID: { status: 409, message: 'This payment link is used up.', field: 'link' },
  INVALID_STATE: { status: 409, message: 'This is not possible in the current state.' },
  PAYMENT_LINK_EXPIRED: { status: 410, message: 'This payment link is no longer open.', field: 'link' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests. Retry after the seconds in Retry-After.' },
  TOO_MANY_OPEN_PAYMENTS: {
    status: 429,
    message: 'Too many payments of this publishable key, or purchases of this account, are open and unpaid.',
  },
  MONTHLY_LIMIT_REACHED: {
    status: 429,
    message: 'The payments of this month are used up. Upgrade with POST /billing/checkout.',
  },
  RECIPIENT_LIMIT_REACHED: {
    status: 429,
    message: 'Too many confirmation emails were sent to this address, or from this account. Try again tomorrow.',
    field: 'customer_email',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Include the X-Request-Id when you report it.',
    hidesCause: true,
  },
  RATE_FETCH_FAILED: { status: 500, message: 'There is no current exchange rate. Try again shortly.' },
  ADDRESS_GENERATION_FAILED: {
    status: 500,
    message: 'No deposit address could be derived from the wallet of this coin.',
    hidesCause: true,
  },
  UPSTREAM_ERROR: {
    status: 500,
    message:
      'The service is temporarily unavailable. Retry after the seconds in Retry-After; with the same X-Idempotency-Key nothing is created twice.',
    hidesCause: true,
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

export function describeError(code: ErrorCode): ErrorDescription {
  return ERROR_CODES[code];
}
