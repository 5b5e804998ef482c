import type { OpenPayment } from '../../payments/index.ts';
import type { ErrorCode } from './error-codes.ts';

export interface Detail {
  readonly field: string;
  readonly message: string;
}

export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly Detail[];
  /** Whole seconds for `Retry-After`; null when waiting is not known to help. */
  readonly retryAfterSeconds: number | null;
  /** The open payment that prevents a new one. */
  readonly existingTransaction?: OpenPayment;
}

/** The body of every error response. */
export interface ErrorBody {
  readonly success: false;
  readonly error: ErrorCode;
  readonly message: string;
  readonly details?: Detail[];
  readonly existing_transaction?: OpenPayment;
}
