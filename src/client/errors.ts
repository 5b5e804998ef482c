import type { ErrorEnvelope } from './operations.ts';

/** The error codes of the service. New ones may be added: handle an unknown code by its status. */
export type ApiErrorCode = ErrorEnvelope['error'] | 'UNREADABLE_ANSWER';

export interface ApiErrorInit {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly body: ErrorEnvelope | null;
}

/** The service rejected the request. Nothing was changed unless the code says otherwise. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  /** Include it when you report a problem. */
  readonly requestId: string | null;
  /** The invalid fields, if known. */
  readonly details: readonly { readonly field: string; readonly message: string }[];
  /** Value of the `Retry-After` header. */
  readonly retryAfterSeconds: number | null;
  /**
   * The whole error response, e.g. for `existing_transaction`; null when the response is not from
   * the service, such as a proxy's error page.
   */
  readonly body: ErrorEnvelope | null;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.code = init.code;
    this.status = init.status;
    this.requestId = init.requestId;
    this.details = init.body?.details ?? [];
    this.retryAfterSeconds = init.retryAfterSeconds;
    this.body = init.body;
  }
}

/**
 * No response was received. The request may or may not have been processed: read the result back,
 * or retry with the same idempotency key.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: 'TIMEOUT' | 'CONNECTION_FAILED';

  constructor(code: ConnectionError['code'], message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

export type WebhookErrorCode =
  | 'BODY_NOT_RAW'
  | 'SECRET_INVALID'
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_WRONG'
  | 'TIMESTAMP_INVALID'
  | 'TIMESTAMP_OUT_OF_RANGE'
  | 'PAYLOAD_INVALID'
  | 'MODE_WRONG';

/**
 * The request is not a valid webhook of the service for this secret. Respond with 400 and do
 * nothing.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
