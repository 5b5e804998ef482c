import { classifyError } from '../plugins/index.ts';
import { html } from './html.ts';
import type { Locale } from './languages/locale.ts';
import type { ScreenText } from './languages/screen-text.ts';
import type { ProblemTexts } from './languages/texts.ts';
import { page } from './pages/layout.ts';
import { ICONS } from './pages/parts.ts';

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
  const { status, words, message, retryAfter } = explain(error, locale.texts.problems);
  const { heading, sentences } = words;
  const isForm = formOf !== null;
  const backTo = isForm && status !== NOT_FOUND ? `../${formOf}?lang=${locale.language}` : null;
  const markup = page({
    locale,
    // The response to a form has no URL that a link could lead to.
    offersLanguages: !isForm,
    title: heading,
    root: isForm ? '../../' : '../',
    // Nor may it be reloaded: that would send a GET to a URL that accepts only POST.
    refresh: isForm || retryAfter === null ? null : { seconds: retryAfter, when: 'always' },
    isTest: false,
    storeName: null,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card late"><div class="status">${ICONS.alert}<h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${message === null ? null : html`<p lang="en">${message}.</p>`}</div></section>
${backTo === null ? null : html`<p class="back"><a class="button" id="back" href="${backTo}">${locale.texts.problems.backToPayment}</a></p>`}
</main>`,
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

function explain(error: unknown, texts: ProblemTexts): Explanation {
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
