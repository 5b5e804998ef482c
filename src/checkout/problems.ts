import { SECOND_MS } from '../../machines/index.ts';
import { RetryableError, TerminalError } from '../errors.ts';
import type { Locale } from './languages/locale.ts';
import type { ProblemTexts } from './languages/texts.ts';
import type { Words } from './languages/words.ts';
import { problemPage } from './pages/problem.ts';

export interface ProblemAnswer {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when a retry will not help. */
  readonly retryAfter: number | null;
  readonly page: string;
  /** An unexpected error, which must be logged. */
  readonly isBug: boolean;
}

/**
 * The error page for a failure. `formOf` is the transaction whose form was sent; null
 * when a page was requested.
 */
export function answerProblem(error: unknown, formOf: string | null, locale: Locale): ProblemAnswer {
  const { status, words, message, retryAfter } = explain(error, locale.texts.problems);
  const isForm = formOf !== null;
  const page = problemPage(
    {
      words,
      message,
      root: isForm ? '../../' : '../',
      // The response to a form must not be reloaded: that would send a GET to a
      // URL that accepts only POST.
      retrySeconds: isForm ? null : retryAfter,
      backTo: isForm && status !== NOT_FOUND ? `../${formOf}?lang=${locale.language}` : null,
    },
    locale,
  );
  return { status, retryAfter, page, isBug: status === BROKEN };
}

// Helpers

const NOT_FOUND = 404;
const BROKEN = 500;

interface Explanation {
  readonly status: number;
  readonly words: Words;
  readonly message: string | null;
  readonly retryAfter: number | null;
}

function explain(error: unknown, texts: ProblemTexts): Explanation {
  const plain = { message: null, retryAfter: null } as const;
  if (error instanceof RetryableError) {
    const retryAfter = Math.max(1, Math.ceil(error.retryAfterMs / SECOND_MS));
    const status = error.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 503;
    return { ...plain, status, words: texts.unavailable, retryAfter };
  }
  if (error instanceof TerminalError) {
    if (error.code === 'TRANSACTION_NOT_FOUND') return { ...plain, status: NOT_FOUND, words: texts.notFound };
    const isMistake = error.code === 'INVALID_REQUEST';
    const words = isMistake ? texts.notUnderstood : texts.notNow;
    return { ...plain, status: isMistake ? 400 : 409, words, message: error.message };
  }
  const status = clientMistakeOf(error);
  if (status === null) return { ...plain, status: BROKEN, words: texts.broken };
  return { ...plain, status, words: texts.notUnderstood };
}

/** Status of requests that Fastify rejects itself, for example because the body is too large. */
function clientMistakeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}
