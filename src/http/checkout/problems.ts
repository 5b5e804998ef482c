import { classifyError } from '../plugins/index.ts';
import { html } from './html.ts';
import type { Texts } from './languages/en.ts';
import type { Locale } from './languages/locales.ts';
import type { ScreenText } from './languages/screen-text.ts';
import { messagePage } from './pages/message.ts';
import { PAGE_ICONS } from './pages/parts.ts';

export interface ProblemResponse {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when a retry will not help. */
  readonly retryAfter: number | null;
  readonly page: string;
}

/**
 * The error page for a failure: what happened and what to do, without internal details. `formOf` is
 * the transaction whose form was sent; null when a page was requested.
 */
export function sendProblemPage(error: unknown, formOf: string | null, locale: Locale): ProblemResponse {
  const { problems } = locale.texts;
  const { status, words, message, retryAfter } = explain(error, problems);
  const isForm = formOf !== null;
  const markup = messagePage({
    locale,
    // The response to a form has no URL that a link could lead to.
    offersLanguages: !isForm,
    root: isForm ? '../../' : '../',
    icon: PAGE_ICONS.alert,
    words,
    details: message === null ? null : html`\n<p lang="en">${message}.</p>`,
    back:
      isForm && status !== NOT_FOUND
        ? { href: `../${formOf}?lang=${locale.language}`, label: problems.backToPayment }
        : null,
    // Nor may it be reloaded: that would send a GET to a URL that accepts only POST.
    retryAfter: isForm ? null : retryAfter,
  });
  return { status, retryAfter, page: markup };
}

// Helpers

const NOT_FOUND = 404;

interface Explanation {
  readonly status: number;
  readonly words: ScreenText;
  /** Message for developers, in English as in the API; null for none. */
  readonly message: string | null;
  readonly retryAfter: number | null;
}

function explain(error: unknown, texts: Texts['problems']): Explanation {
  const plain = { message: null, retryAfter: null } as const;
  const failure = classifyError(error);
  switch (failure.kind) {
    case 'temporary':
      return { ...plain, status: failure.status, words: texts.unavailable, retryAfter: failure.retryAfter };
    case 'rejected': {
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
