import { ActiveTransactionError } from '../../../payments/index.ts';
import { classifyError } from '../../plugins/index.ts';
import type { PayProblem } from '../pages/pay-problem.ts';

export interface LinkProblemResponse {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when waiting will not help. */
  readonly retryAfter: number | null;
  readonly problem: Pick<PayProblem, 'code' | 'message' | 'field' | 'retrySeconds' | 'openPaymentUrl'>;
}

/**
 * Why no payment could be opened, for `payProblemPage`. A form is not sent again automatically: a
 * reload would only fetch the empty one.
 */
export function sendLinkProblem(error: unknown, { isForm }: { readonly isForm: boolean }): LinkProblemResponse {
  const failure = classifyError(error);
  const plain = { field: null, retrySeconds: null, openPaymentUrl: null };
  switch (failure.kind) {
    case 'temporary': {
      const { status, retryAfter } = failure;
      const { code, message, field } = failure.error;
      const shown = EXPLAINED.has(code) ? code : UNKNOWN.code;
      return {
        status,
        retryAfter,
        problem: { ...plain, code: shown, message, field, retrySeconds: isForm ? null : retryAfter },
      };
    }
    case 'rejected': {
      const { code, message, field } = failure.error;
      const openPaymentUrl =
        failure.error instanceof ActiveTransactionError ? failure.error.openPayment.payment_url : null;
      return {
        status: STATUSES.get(code) ?? 409,
        retryAfter: null,
        problem: { ...plain, code, message, field, openPaymentUrl },
      };
    }
    case 'unreadable':
      return {
        status: failure.status,
        retryAfter: null,
        problem: { ...plain, code: 'INVALID_REQUEST', message: 'The form could not be read' },
      };
    case 'bug':
      return { status: 500, retryAfter: null, problem: { ...plain, ...UNKNOWN } };
  }
}

// Helpers

const UNKNOWN = { code: 'INTERNAL_ERROR', message: 'The payment could not be opened' } as const;

/** Temporary failures with their own text. */
const EXPLAINED: ReadonlySet<string> = new Set([
  'RATE_LIMIT_EXCEEDED',
  'TOO_MANY_OPEN_PAYMENTS',
  'RATE_FETCH_FAILED',
  'ADDRESS_GENERATION_FAILED',
]);

/** All other refusals concern the shop or a payment that is open: 409. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['NOT_FOUND', 404],
  ['FORBIDDEN', 403],
  ['INVALID_CRYPTO', 400],
  ['INVALID_AMOUNT', 400],
  ['AMOUNT_TOO_LOW', 400],
]);
