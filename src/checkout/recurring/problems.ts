import { SECOND_MS } from '../../../machines/index.ts';
import { RetryableError, TerminalError } from '../../errors.ts';
import { html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';
import type { Words } from '../languages/words.ts';
import { page } from '../pages/layout.ts';
import { SIGN, status as statusOf } from './parts.ts';

export interface RecurringProblemAnswer {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when waiting will not help. */
  readonly retryAfter: number | null;
  readonly page: string;
  /** Who has to act: none, the shop or its operator, or the developers of this service. */
  readonly concerns: 'nobody' | 'shop' | 'us';
}

/** For a link with an unknown token. */
export function noSuchLink(): TerminalError {
  return new TerminalError(NOT_FOUND_CODE, 'No link has this token');
}

/**
 * The error page for a failure. Problems of the shop's account are not shown to customers, who only
 * learn that they cannot pay now.
 */
export function answerRecurringProblem(
  error: unknown,
  { isForm, locale }: { readonly isForm: boolean; readonly locale: Locale },
): RecurringProblemAnswer {
  const { problems, back } = locale.texts.recurring;
  const { status, words, retryAfter, concerns } = explain(error, locale);
  // A form is not resent automatically, because that is up to the customer.
  const reloads = retryAfter !== null && !isForm;
  const sentences = reloads ? [...words.sentences, problems.triesAgain] : words.sentences;
  const markup = page({
    locale,
    title: words.heading,
    root: '../../',
    refresh: reloads ? { seconds: retryAfter, when: 'always' } : null,
    isTest: false,
    storeName: null,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card ${SIGN.alert.card}"><div class="status">${statusOf(SIGN.alert, { heading: words.heading, sentences })}</div></section>
${isForm && status !== 404 ? html`<p class="back"><a class="button" id="back" href="">${back}</a></p>` : null}
</main>`,
  });
  return { status, retryAfter, page: markup, concerns };
}

// Helpers

const NOT_FOUND_CODE = 'NOT_FOUND';

interface Explanation extends Pick<RecurringProblemAnswer, 'status' | 'retryAfter' | 'concerns'> {
  readonly words: Words;
}

function explain(error: unknown, { texts }: Locale): Explanation {
  const { problems } = texts.recurring;
  const plain = { retryAfter: null, concerns: 'nobody' } as const;
  if (error instanceof RetryableError) {
    const retryAfter = Math.max(1, Math.ceil(error.retryAfterMs / SECOND_MS));
    const status = error.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 503;
    return { ...plain, status, words: problems.unavailable, retryAfter };
  }
  if (error instanceof TerminalError) {
    switch (error.code) {
      case NOT_FOUND_CODE:
        return { ...plain, status: 404, words: problems.noSuchLink };
      case 'INVALID_STATE':
        return { ...plain, status: 409, words: problems.notNow };
      case 'INVALID_CRYPTO':
        return { ...plain, status: 400, words: problems.chooseCoin };
      default:
        // All other refusals concern the shop: its plan, monthly limit, wallet or amount.
        return { ...plain, status: 409, words: problems.shopCannot, concerns: 'shop' };
    }
  }
  const status = clientMistakeOf(error);
  if (status === null) return { ...plain, status: 500, words: problems.broken, concerns: 'us' };
  return { ...plain, status, words: problems.notUnderstood };
}

/** Status of requests that Fastify rejects itself, for example because the body is too large. */
function clientMistakeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}
