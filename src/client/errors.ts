import type { ErrorEnvelope } from './operations.ts';

/** The codes the service answers with. More may come: treat an unknown one by its status. */
export type ApiErrorCode = ErrorEnvelope['error'] | 'UNREADABLE_ANSWER';

export interface ApiErrorFacts {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly body: ErrorEnvelope | null;
}

/** The service has answered, and refused. Nothing happened, but for what the code says. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  /** Name it when you report a problem. */
  readonly requestId: string | null;
  /** The fields that are wrong, as far as they are known. */
  readonly details: readonly { readonly field: string; readonly message: string }[];
  /** What `Retry-After` says. */
  readonly retryAfterSeconds: number | null;
  /** The whole answer, e.g. for `existing_transaction`; null when it was not of the service, like a proxy's own page. */
  readonly body: ErrorEnvelope | null;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.body?.details ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.body = facts.body;
  }
}

/** No answer has come. Whether the request was carried out is not known: read it back, or repeat it with the same key. */
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

/** What was posted is not a webhook of the service for this secret. Answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
