import { type Html, html, httpUrlOf } from '../html.ts';
import { chooseLanguage, DEFAULT_LANGUAGE } from '../languages/choose-language.ts';
import type { Texts } from '../languages/en.ts';
import { LOCALES, type Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { messagePage } from './message.ts';
import { PAGE_ICONS, type PageIcon } from './parts.ts';

/** Why a checkout could not be opened. */
export interface PayProblem {
  readonly code: string;
  /** In English, as in the API. */
  readonly message: string;
  /** The request field that is the cause, by its API name; null when there is none. */
  readonly field: string | null;
  readonly requestId: string;
  /** Seconds after which the same request may succeed; null when a retry is pointless. */
  readonly retrySeconds: number | null;
  /** Page of the payment that the customer already has open; null when there is none. */
  readonly openPaymentUrl: string | null;
  /** The customer's `Accept-Language`; English if omitted. */
  readonly acceptLanguage?: string | undefined;
  /** The `lang` query parameter, unvalidated; it takes precedence over the browser's preference. */
  readonly lang?: unknown;
}

/** A page should not wait longer than this to reload automatically. */
const MAX_REFRESH_SECONDS = 300;

/**
 * The page a customer sees when no payment could be opened: what it means for them and, in small
 * print, what the shop needs to fix it. Complete without script.
 */
export function payProblemPage(problem: PayProblem): string {
  const locale = LOCALES[chooseLanguage({ lang: problem.lang, acceptLanguage: problem.acceptLanguage })];
  const texts = locale.texts.payProblems;
  const { kind, icon, isForShop, retries } = explain(problem);
  const words = wordsOf(kind, problem, locale);
  const { retrySeconds } = problem;
  const waits = retries && retrySeconds !== null && retrySeconds <= MAX_REFRESH_SECONDS;
  const url = httpUrlOf(problem.openPaymentUrl);
  return messagePage({
    locale,
    root: '../',
    icon,
    words: waits ? { ...words, sentences: [...words.sentences, texts.triesAgain] } : words,
    below: isForShop ? html`\n${forShop(problem, texts)}` : null,
    back: url === null ? null : { href: url, label: texts.goToOpenPayment },
    retryAfter: waits ? retrySeconds : null,
  });
}

// Helpers

type Problems = Texts['payProblems'];
type Kind = { [K in keyof Problems]: Problems[K] extends ScreenText ? K : never }[keyof Problems];

interface Explanation {
  readonly kind: Kind;
  readonly icon: PageIcon;
  /** Whether the shop has something to fix. */
  readonly isForShop: boolean;
  readonly retries: boolean;
}

const { ask: WAIT, alert: ALERT } = PAGE_ICONS;

function explain({ code, field }: PayProblem): Explanation {
  const forCustomer = { isForShop: false, retries: false } as const;
  const forBoth = { isForShop: true, retries: false } as const;
  switch (code) {
    case 'INVALID_AMOUNT':
    case 'AMOUNT_TOO_LOW':
      // Shops may let customers choose the amount, so the customer may be able to fix it.
      return { ...forBoth, kind: 'amount', icon: ALERT };
    case 'INVALID_CRYPTO':
    case 'WALLET_NOT_CONFIGURED':
      return { ...forBoth, kind: 'coin', icon: ALERT };
    case 'ACTIVE_TRANSACTION_EXISTS':
      return { ...forCustomer, kind: 'paymentOpen', icon: WAIT };
    case 'RATE_LIMIT_EXCEEDED':
      return { ...forCustomer, kind: 'tooMany', icon: WAIT, retries: true };
    case 'TOO_MANY_OPEN_PAYMENTS':
      // Other customers can still pay, so the page must not say that the shop accepts no payments.
      if (field === 'client_address') return { ...forBoth, kind: 'tooManyOpenOfNetwork', icon: WAIT, retries: true };
      return { ...forBoth, kind: 'tooManyOpen', icon: WAIT, retries: true };
    case 'RATE_FETCH_FAILED':
    case 'ADDRESS_GENERATION_FAILED':
    case 'UPSTREAM_ERROR':
    case 'INTERNAL_ERROR':
      return { ...forBoth, kind: 'unavailable', icon: WAIT, retries: true };
    case 'MONTHLY_LIMIT_REACHED':
    case 'NO_ACTIVE_PLAN':
    case 'PLAN_UPGRADE_REQUIRED':
      return { ...forBoth, kind: 'shopCannot', icon: ALERT };
    default:
      // The URL is wrong, which is not the customer's error.
      return { ...forBoth, kind: 'wrongAddress', icon: ALERT };
  }
}

/**
 * API messages are more specific than these texts but only in English, so
 * only English pages use them.
 */
function wordsOf(kind: Kind, { message }: PayProblem, { language, texts }: Locale): ScreenText {
  const words = texts.payProblems[kind];
  if (language !== DEFAULT_LANGUAGE) return words;
  if (kind === 'amount') return { ...words, sentences: [sentenceOf(message), ...words.sentences] };
  return words;
}

/** API messages start with the name of a parameter. */
function sentenceOf(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function forShop({ code, message, requestId }: PayProblem, { forShop: names }: Problems): Html {
  return html`<div class="details"><h2>${names.heading}</h2>
<p lang="en">${message}</p>
<dl class="rows"><div><dt>${names.code}</dt><dd><span class="id">${code}</span></dd></div><div><dt>${names.request}</dt><dd><span class="id">${requestId}</span></dd></div></dl></div>`;
}
