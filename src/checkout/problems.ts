import { SECOND_MS } from '../../machines/index.ts';
import { RetryableError, TerminalError } from '../errors.ts';
import { problemPage } from './pages/problem.ts';

export interface ProblemAnswer {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when trying again will not help. */
  readonly retryAfter: number | null;
  readonly page: string;
  /** Nobody foresaw this: it belongs in the log. */
  readonly isBug: boolean;
}

/** The page a failure becomes. `formOf` is the transaction whose form was sent; null when a page was asked for. */
export function answerProblem(error: unknown, formOf: string | null): ProblemAnswer {
  const { status, heading, sentence, retryAfter } = explain(error);
  const page = problemPage({
    heading,
    sentence,
    root: formOf === null ? '../' : '../../',
    // A page that answers a form must not be loaded again: that would ask for a page where there is only a form's target.
    retrySeconds: formOf === null ? retryAfter : null,
    backTo: formOf === null || status === NOT_FOUND.status ? null : `../${formOf}`,
  });
  return { status, retryAfter, page, isBug: status === BROKEN.status };
}

// Helpers

interface Explanation {
  readonly status: number;
  readonly heading: string;
  readonly sentence: string;
  readonly retryAfter: number | null;
}

const NOT_FOUND: Explanation = {
  status: 404,
  heading: 'There is no such payment',
  sentence: 'Please check the address, or open the payment again from the shop.',
  retryAfter: null,
};

const UNAVAILABLE = {
  status: 503,
  heading: 'Temporarily unavailable',
  sentence: 'This page cannot be shown at the moment. Payments are not affected. It tries again by itself.',
} as const;

const BROKEN: Explanation = {
  status: 500,
  heading: 'Something went wrong',
  sentence: 'This is our fault, not yours, and payments are not affected. Please try again in a moment.',
  retryAfter: null,
};

const REFUSED_HEADING = 'That is not possible';

function explain(error: unknown): Explanation {
  if (error instanceof RetryableError) {
    return { ...UNAVAILABLE, retryAfter: Math.max(1, Math.ceil(error.retryAfterMs / SECOND_MS)) };
  }
  if (error instanceof TerminalError) {
    if (error.code === 'TRANSACTION_NOT_FOUND') return NOT_FOUND;
    const status = error.code === 'INVALID_REQUEST' ? 400 : 409;
    return { status, heading: REFUSED_HEADING, sentence: `${error.message}.`, retryAfter: null };
  }
  const status = clientMistakeOf(error);
  if (status === null) return BROKEN;
  return { status, heading: REFUSED_HEADING, sentence: 'The request could not be understood.', retryAfter: null };
}

/** The status Fastify gives to requests it refuses itself, such as a body that is too large. */
function clientMistakeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}
