import { type Html, html, httpUrlOf } from '../html.ts';
import { page } from './layout.ts';
import { SIGNS } from './parts.ts';

/** Why a checkout could not be opened. */
export interface PayProblem {
  readonly code: string;
  readonly message: string;
  /** Names the request in the log. */
  readonly requestId: string;
  /** Seconds after which the same request may succeed; null when repeating it is pointless. */
  readonly retrySeconds: number | null;
  /** The page of the payment the shopper has open already; null when there is none. */
  readonly openPaymentUrl: string | null;
}

/** Waiting longer than this is nothing a page should do by itself. */
const MAX_REFRESH_SECONDS = 300;

/**
 * What a shopper sees when no checkout could be opened: what it means for them, and in small print what the shop must know to
 * put it right. Complete without script.
 */
export function payProblemPage(problem: PayProblem): string {
  const { heading, sentences, sign, isForShop, retries } = explain(problem);
  const { retrySeconds } = problem;
  const waits = retries && retrySeconds !== null && retrySeconds <= MAX_REFRESH_SECONDS;
  const shown = waits ? [...sentences, 'This page tries again by itself.'] : sentences;
  const url = httpUrlOf(problem.openPaymentUrl);
  return page({
    title: heading,
    root: '../',
    refresh: waits ? { seconds: retrySeconds, when: 'always' } : null,
    isTest: false,
    storeName: null,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card ${sign.card}"><div class="status">${sign.drawing}<h1>${heading}</h1>${shown.map((sentence) => html`<p>${sentence}</p>`)}</div>
${isForShop ? forShop(problem) : null}</section>
${url === null ? null : html`<p class="back"><a class="button" id="back" href="${url}">Go to the open payment</a></p>`}
</main>`,
  });
}

// Helpers

interface Explanation {
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly sign: { readonly card: string; readonly drawing: Html };
  /** Whether the shop has something to put right. */
  readonly isForShop: boolean;
  readonly retries: boolean;
}

const PAID = { card: 'completed', drawing: SIGNS.tick } as const;
const OVER = { card: 'expired', drawing: SIGNS.cross } as const;
const WAIT = { card: 'waiting', drawing: SIGNS.clock } as const;
const ALERT = { card: 'late', drawing: SIGNS.alert } as const;
const NOTHING_LOST = 'You have paid nothing, and there is nothing to pay here.';

function explain({ code, message }: PayProblem): Explanation {
  const plain = { isForShop: false, retries: false } as const;
  switch (code) {
    case 'PAYMENT_LINK_PAID':
      return { ...plain, heading: 'Already paid', sentences: [message], sign: PAID };
    case 'PAYMENT_LINK_EXPIRED':
      return { ...plain, heading: 'This payment link is no longer open', sentences: [message], sign: OVER };
    case 'INVALID_AMOUNT':
    case 'AMOUNT_TOO_LOW':
      // Shops may let shoppers say how much, so this can be theirs to put right.
      return {
        heading: 'This amount cannot be paid',
        sentences: [sentenceOf(message), 'You have paid nothing. Please go back and choose another amount.'],
        sign: ALERT,
        isForShop: true,
        retries: false,
      };
    case 'INVALID_CRYPTO':
    case 'WALLET_NOT_CONFIGURED':
      return {
        heading: 'This coin cannot be paid with here',
        sentences: ['You have paid nothing. Please go back and choose another coin.'],
        sign: ALERT,
        isForShop: true,
        retries: false,
      };
    case 'ACTIVE_TRANSACTION_EXISTS':
      return {
        ...plain,
        heading: 'You have another payment open',
        sentences: ['Please finish it first, or come back when its time is over.'],
        sign: WAIT,
      };
    case 'RATE_LIMIT_EXCEEDED':
      return {
        ...plain,
        heading: 'Too many requests',
        sentences: ['Too much has been asked from your network address just now. Please wait a moment.'],
        sign: WAIT,
        retries: true,
      };
    case 'RATE_FETCH_FAILED':
    case 'ADDRESS_GENERATION_FAILED':
    case 'UPSTREAM_ERROR':
    case 'INTERNAL_ERROR':
      return {
        heading: 'Temporarily unavailable',
        sentences: ['The checkout cannot be opened at the moment. You have paid nothing.'],
        sign: WAIT,
        isForShop: true,
        retries: true,
      };
    case 'MONTHLY_LIMIT_REACHED':
    case 'NO_ACTIVE_PLAN':
    case 'PLAN_UPGRADE_REQUIRED':
      return {
        heading: 'This shop cannot take payments at the moment',
        sentences: [NOTHING_LOST, 'Please contact the shop, or choose another way to pay.'],
        sign: ALERT,
        isForShop: true,
        retries: false,
      };
    default:
      // Somebody made the address wrongly, and that was not the shopper.
      return {
        heading: 'This checkout cannot be opened',
        sentences: ['The address that led here is not right. You have paid nothing. Please go back and tell the shop.'],
        sign: ALERT,
        isForShop: true,
        retries: false,
      };
  }
}

/** Messages of the interface begin with the name of a parameter. */
function sentenceOf(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function forShop({ code, message, requestId }: PayProblem): Html {
  return html`<div class="details"><h2>For the shop</h2>
<p>${message}</p>
<dl class="facts"><div><dt>Code</dt><dd><span class="id">${code}</span></dd></div><div><dt>Request</dt><dd><span class="id">${requestId}</span></dd></div></dl></div>`;
}
