import { classifyError } from '../plugins/index.ts';
import type { Locale } from './languages/locale.ts';
import type { ProblemTexts } from './languages/texts.ts';
import type { Words } from './languages/words.ts';
import { problemPage } from './pages/problem.ts';

export interface ProblemAnswer {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when a retry will not help. */
  readonly retryAfter: number | null;
  readonly page: string;
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
  return { status, retryAfter, page };
}

// Helpers

const NOT_FOUND = 404;

interface Explanation {
  readonly status: number;
  readonly words: Words;
  readonly message: string | null;
  readonly retryAfter: number | null;
}

function explain(error: unknown, texts: ProblemTexts): Explanation {
  const plain = { message: null, retryAfter: null } as const;
  const failure = classifyError(error);
  switch (failure.kind) {
    case 'temporary':
      return { ...plain, status: failure.status, words: texts.unavailable, retryAfter: failure.retryAfter };
    case 'refused': {
      const { code, message } = failure.error;
      if (code === 'TRANSACTION_NOT_FOUND') return { ...plain, status: NOT_FOUND, words: texts.notFound };
      if (code === 'INVALID_REQUEST') return { ...plain, status: 400, words: texts.notUnderstood, message };
      return { ...plain, status: 409, words: texts.notNow, message };
    }
    case 'unreadable':
      return { ...plain, status: failure.status, words: texts.notUnderstood };
    case 'bug':
      return { ...plain, status: 500, words: texts.broken };
  }
}
