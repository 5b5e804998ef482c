import type { UnixMs } from '../../../machines/index.ts';
import { assertNever } from '../../errors.ts';
import type { PublicTransaction } from '../../payments/index.ts';
import { type Html, html, httpUrlOf, markupOf } from '../html.ts';
import { isBlind, PACES, type Pace, remainingMs, type Screen, screenOf, versionOf } from '../screen.ts';
import { confirmationsOf, wordsOf } from '../words.ts';
import { details } from './details.ts';
import { page } from './layout.ts';
import { SIGNS } from './parts.ts';
import { payPanel } from './pay-panel.ts';
import { simulateForm } from './simulate-form.ts';

/** The part of the page that changes, with what the script must know about it. */
export interface Update {
  readonly version: string;
  readonly screen: Screen;
  readonly pace: Pace;
  /** Of the browser tab. */
  readonly title: string;
  /** For screen readers, when it differs from what was said last. */
  readonly announcement: string;
  readonly html: string;
}

/** The changing part of a transaction's page as it stands now. */
export function updateOf(transaction: PublicTransaction, now: UnixMs): Update {
  const screen = screenOf(transaction, now);
  const words = wordsOf(screen, transaction, remainingMs(transaction, now) <= 0);
  return {
    version: versionOf(transaction, now),
    screen,
    pace: PACES[screen],
    title: `${words.heading} · ${transaction.storeName}`,
    announcement: [words.heading, ...words.sentences, ...progressWords(transaction, screen)].join('. '),
    html: markupOf(fragment(transaction, screen, now)),
  };
}

/** The whole page. It says the same with and without script; the script only keeps it up to date. */
export function paymentPage(transaction: PublicTransaction, now: UnixMs): string {
  const screen = screenOf(transaction, now);
  const update = updateOf(transaction, now);
  const seconds = REFRESH_SECONDS[update.pace];
  const main = html`<main id="payment" tabindex="-1" data-version="${update.version}" data-screen="${screen}" data-pace="${update.pace}">
${fragment(transaction, screen, now)}
</main>`;
  return page({
    title: update.title,
    root: '../',
    refresh: seconds === null ? null : { seconds, when: 'without script' },
    isTest: transaction.mode === 'test',
    storeName: transaction.storeName,
    main,
    announcement: update.announcement,
  });
}

// Helpers

/** How often a page without script loads itself again; null for never. */
const REFRESH_SECONDS: { readonly [P in Pace]: number | null } = { live: 15, slow: 60, still: null };

const SCREEN_SIGNS: { readonly [S in Screen]: Html } = {
  waiting: SIGNS.clock,
  partial: SIGNS.half,
  checking: SIGNS.look,
  seen: SIGNS.tick,
  completed: SIGNS.tick,
  expired: SIGNS.cross,
  late: SIGNS.alert,
  reviewing: SIGNS.look,
  failed: SIGNS.cross,
};

function fragment(transaction: PublicTransaction, screen: Screen, now: UnixMs): Html {
  const windowIsOver = remainingMs(transaction, now) <= 0;
  const { heading, sentences } = wordsOf(screen, transaction, windowIsOver);
  return html`<section class="card ${screen}">
<div class="status">
  ${SCREEN_SIGNS[screen]}
  <h1>${heading}</h1>
  ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
</div>
${bodyOf(transaction, screen, now)}
</section>
${links(transaction, screen)}
${simulateForm(transaction, screen)}`;
}

function bodyOf(transaction: PublicTransaction, screen: Screen, now: UnixMs): Html {
  switch (screen) {
    case 'waiting':
    case 'partial':
      return html`${payPanel(transaction, now)}${foldedDetails(transaction)}`;
    case 'checking': {
      const mayPay = remainingMs(transaction, now) > 0;
      return html`${mayPay ? payPanel(transaction, now) : null}${foldedDetails(transaction)}`;
    }
    case 'seen':
      return html`${progress(transaction)}${isBlind(transaction, now) ? BLIND_NOTICE : null}${openDetails(transaction)}`;
    case 'completed':
    case 'expired':
    case 'late':
    case 'reviewing':
    case 'failed':
      return openDetails(transaction);
    default:
      return assertNever(screen, 'screen');
  }
}

const BLIND_NOTICE = html`<p class="notice">We cannot see the newest blocks at the moment. Nothing is lost; this page catches up by itself.</p>`;

function foldedDetails(transaction: PublicTransaction): Html {
  return html`<details id="details"><summary id="details-summary">Details</summary>${details(transaction)}</details>`;
}

function openDetails(transaction: PublicTransaction): Html {
  return html`<div class="details">${details(transaction)}</div>`;
}

function progress(transaction: PublicTransaction): Html {
  const count = confirmationsOf(transaction);
  const { confirmationsRequired } = transaction;
  return html`<div class="progress">
  <p id="progress-label"><b>${count} of ${confirmationsRequired}</b> ${plural(confirmationsRequired)}</p>
  <progress aria-labelledby="progress-label" value="${count}" max="${confirmationsRequired}">${count} of ${confirmationsRequired}</progress>
</div>`;
}

function progressWords(transaction: PublicTransaction, screen: Screen): string[] {
  if (screen !== 'seen') return [];
  const { confirmationsRequired } = transaction;
  return [`${confirmationsOf(transaction)} of ${confirmationsRequired} ${plural(confirmationsRequired)}`];
}

function plural(confirmations: number): string {
  return confirmations === 1 ? 'confirmation' : 'confirmations';
}

/** Ways back to the shop. Never followed by themselves, and only to web addresses. */
function links({ successUrl, cancelUrl }: PublicTransaction, screen: Screen): Html | null {
  const hasPaid = screen === 'completed' || screen === 'seen';
  const url = httpUrlOf(hasPaid ? (successUrl ?? cancelUrl) : cancelUrl);
  if (url === null) return null;
  return html`<p class="back"><a class="${screen === 'completed' ? 'button' : 'link'}" id="back" href="${url}" rel="noopener noreferrer">Back to the shop</a></p>`;
}
