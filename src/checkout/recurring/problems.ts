import { SECOND_MS } from '../../../machines/index.ts';
import { RetryableError, TerminalError } from '../../errors.ts';
import { html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';
import type { Words } from '../languages/words.ts';
import { page } from '../pages/layout.ts';
import { SIGN, status as statusOf } from './parts.ts';

export interface RecurringProblemAnswer {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when trying again will not help by itself. */
  readonly retryAfter: number | null;
  readonly page: string;
  /** Who has something to put right: nobody, the shop or its operator, or whoever writes this program. */
  readonly concerns: 'nobody' | 'shop' | 'us';
}

/** Thrown for a link that names nothing. */
export function noSuchLink(): TerminalError {
  return new TerminalError(NOT_FOUND_CODE, 'No link has this token');
}

/**
 * The page a failure becomes. What is wrong with the shop's account is the shop's affair: the customer only learns that it
 * cannot be paid now.
 */
export function answerRecurringProblem(
  error: unknown,
  { isForm, locale }: { readonly isForm: boolean; readonly locale: Locale },
): RecurringProblemAnswer {
  const { problems, back } = locale.texts.recurring;
  const { status, words, retryAfter, concerns } = explain(error, locale);
  // A form is not sent again by itself, because that should be the customer's doing.
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
        // Everything else a payment is refused for lies with the shop: its plan, its month, its wallet, its amount.
        return { ...plain, status: 409, words: problems.shopCannot, concerns: 'shop' };
    }
  }
  const status = clientMistakeOf(error);
  if (status === null) return { ...plain, status: 500, words: problems.broken, concerns: 'us' };
  return { ...plain, status, words: problems.notUnderstood };
}

/** The status Fastify gives to requests it refuses itself, such as a body that is too large. */
function clientMistakeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}
