import { TerminalError } from '../../../platform/errors.ts';
import { classifyError } from '../../plugins/index.ts';
import type { Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { messagePage } from '../pages/message.ts';
import { PAGE_ICONS } from '../pages/parts.ts';

export interface RecurringProblemResponse {
  readonly status: number;
  /** Seconds, for `Retry-After`; null when waiting will not help. */
  readonly retryAfter: number | null;
  readonly page: string;
  /** Whether the shop or its operator has to act. */
  readonly concernsShop: boolean;
}

export function noSuchLink(): TerminalError {
  return new TerminalError(NOT_FOUND_CODE, 'No link has this token');
}

/**
 * The error page for a failure. Problems of the shop's account are not shown to customers, who only
 * learn that they cannot pay now.
 */
export function sendRecurringProblem(
  error: unknown,
  { isForm, locale }: { readonly isForm: boolean; readonly locale: Locale },
): RecurringProblemResponse {
  const { problems, back } = locale.texts.recurring;
  const { status, words, retryAfter, concernsShop } = explain(error, locale);
  // A form is not resent automatically, because that is up to the customer.
  const reloads = retryAfter !== null && !isForm;
  const markup = messagePage({
    locale,
    root: '../../',
    icon: PAGE_ICONS.alert,
    words: reloads ? { ...words, sentences: [...words.sentences, problems.triesAgain] } : words,
    back: isForm && status !== 404 ? { href: '', label: back } : null,
    retryAfter: reloads ? retryAfter : null,
  });
  return { status, retryAfter, page: markup, concernsShop };
}

// Helpers

const NOT_FOUND_CODE = 'NOT_FOUND';

interface Explanation extends Pick<RecurringProblemResponse, 'status' | 'retryAfter' | 'concernsShop'> {
  readonly words: ScreenText;
}

function explain(error: unknown, { texts }: Locale): Explanation {
  const { problems } = texts.recurring;
  const plain = { retryAfter: null, concernsShop: false } as const;
  const failure = classifyError(error);
  switch (failure.kind) {
    case 'temporary':
      return { ...plain, status: failure.status, words: problems.unavailable, retryAfter: failure.retryAfter };
    case 'rejected':
      switch (failure.error.code) {
        case NOT_FOUND_CODE:
          return { ...plain, status: 404, words: problems.noSuchLink };
        case 'INVALID_STATE':
          return { ...plain, status: 409, words: problems.notNow };
        case 'INVALID_CRYPTO':
          return { ...plain, status: 400, words: problems.chooseCoin };
        default:
          // All other refusals concern the shop: its plan, monthly limit, wallet or amount.
          return { ...plain, status: 409, words: problems.shopCannot, concernsShop: true };
      }
    case 'unreadable':
      return { ...plain, status: failure.status, words: problems.notUnderstood };
    case 'bug':
      return { ...plain, status: 500, words: problems.broken };
  }
}
