import { ASSETS, type CryptoSymbol, type ScheduleStatus } from '../../../../machines/index.ts';
import { assertNever } from '../../../platform/errors.ts';
import type { PeriodForCustomer } from '../../../recurring/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { coinChoices } from '../pages/coin-choices.ts';
import { PAGE_ICONS, type PageIcon, row } from '../pages/parts.ts';
import { schedulePage } from './parts.ts';

/**
 * Locale of a page, and the query string that keeps its language in links: `?lang=pl`, or empty.
 */
export interface PageLanguage {
  readonly locale: Locale;
  readonly lang: string;
}

/**
 * Page behind the stable link of one period: offers a payment for it, or leads to the existing one.
 */
export function payPage(period: PeriodForCustomer, language: PageLanguage): string {
  const { schedule } = period;
  const { locale } = language;
  const screen = payScreenOf(period);
  const { icon, words, action } = show(screen, period, language);
  const body = [terms(period, locale), ...(action === null ? [] : [action])];
  return schedulePage({ locale, schedule, icon, words, body });
}

/** Path of a payment's page, relative to the page of its period. */
export function paymentPath(transactionId: string, lang: string): string {
  return `../../transaction/${encodeURIComponent(transactionId)}${lang}`;
}

type PayScreen =
  | { readonly kind: 'paid'; readonly transactionId: string | null }
  /** It was paid, but the coins have left the network since. */
  | { readonly kind: 'lost'; readonly transactionId: string | null }
  /** Coins have arrived; the customer can only look at the payment. */
  | { readonly kind: 'inProgress'; readonly transactionId: string }
  /** A payment is open and awaits its coins; another one can be opened in another coin. */
  | { readonly kind: 'open'; readonly transactionId: string; readonly cryptos: readonly CryptoSymbol[] }
  | { readonly kind: 'choose'; readonly cryptos: readonly CryptoSymbol[]; readonly isLate: boolean }
  | { readonly kind: 'over'; readonly status: EndedStatus }
  /** Due, but no payment can be opened. */
  | { readonly kind: 'unavailable' };

type EndedStatus = Exclude<ScheduleStatus, 'pending_confirmation' | 'active' | 'paused'>;

/**
 * Decides what the page of a period shows. Received coins take precedence; a customer who ended the
 * schedule is not asked to pay; an open payment comes before a new one.
 */
export function payScreenOf(period: PeriodForCustomer): PayScreen {
  const { schedule, status, cryptos, transactionId, isInProgress, isLost } = period;
  if (status === 'paid') return { kind: isLost ? 'lost' : 'paid', transactionId };
  if (transactionId !== null && isInProgress) return { kind: 'inProgress', transactionId };
  // A finished schedule has not been ended by anyone: its last period can be paid as
  // long as a coin is offered.
  if (isEnded(schedule.status) && !schedule.isFinished) return { kind: 'over', status: schedule.status };
  if (transactionId !== null) return { kind: 'open', transactionId, cryptos };
  if (cryptos.length > 0) return { kind: 'choose', cryptos, isLate: status === 'unpaid' };
  return isEnded(schedule.status) ? { kind: 'over', status: schedule.status } : { kind: 'unavailable' };
}

// Helpers

interface Shown {
  readonly icon: PageIcon;
  readonly words: ScreenText;
  readonly action: Html | null;
}

function show(screen: PayScreen, { schedule }: PeriodForCustomer, { locale, lang }: PageLanguage): Shown {
  const { pay, problems, statuses, finished } = locale.texts.recurring;
  const amount = locale.formats.money(schedule.amountFiat, schedule.currencyFiat);
  const linkTo = (transactionId: string | null, label: string) => paymentLink(transactionId, { label, lang });
  switch (screen.kind) {
    case 'paid':
      return { icon: PAGE_ICONS.done, words: pay.paid, action: linkTo(screen.transactionId, pay.receipt) };
    case 'lost': {
      const { lostHeading, lost } = locale.texts.screens;
      const words = { heading: lostHeading.all, sentences: [lost] };
      return { icon: PAGE_ICONS.alert, words, action: linkTo(screen.transactionId, pay.viewPayment) };
    }
    case 'inProgress':
      return {
        icon: PAGE_ICONS.inProgress,
        words: pay.inProgress,
        action: linkTo(screen.transactionId, pay.viewPayment),
      };
    case 'open':
      return {
        icon: PAGE_ICONS.ask,
        words: pay.open(amount),
        action: html`${linkTo(screen.transactionId, pay.continuePayment)}${another(screen.cryptos, locale)}`,
      };
    case 'choose':
      return {
        icon: screen.isLate ? PAGE_ICONS.late : PAGE_ICONS.ask,
        words: screen.isLate ? pay.late(amount) : pay.due(amount),
        action: coinForm(screen.cryptos, locale),
      };
    case 'over': {
      const { heading } = schedule.isFinished ? finished : statuses[screen.status];
      return { icon: PAGE_ICONS.over, words: { heading, sentences: [pay.nothingToPay] }, action: null };
    }
    case 'unavailable':
      return { icon: PAGE_ICONS.alert, words: problems.shopCannot, action: null };
    default:
      return assertNever(screen, 'screen of a period');
  }
}

function terms({ schedule, periodNo, status, dueAt }: PeriodForCustomer, { texts, formats }: Locale): Html {
  const { labels: names, often } = texts.recurring;
  const { description, amountFiat, currencyFiat, interval, maxPeriods } = schedule;
  const number = formats.count(periodNo);
  return html`<dl class="rows terms">
${row(names.description, html`<bdi>${description}</bdi>`)}
${row(names.amount, html`${formats.money(amountFiat, currencyFiat)}`)}
${row(names.period, html`${maxPeriods === null ? number : texts.countOf(number, formats.count(maxPeriods))}`)}
${row(status === 'awaited' ? names.due : names.wasDue, html`${formats.day(dueAt)}`)}
${row(names.often, html`${often[interval]}`)}
</dl>`;
}

/** Collapsed, because it is rarely needed; null when there is only one coin. */
function another(cryptos: readonly CryptoSymbol[], locale: Locale): Html | null {
  if (cryptos.length < 2) return null;
  return html`<details id="another"><summary id="another-summary">${locale.texts.recurring.pay.another}</summary>${coinForm(cryptos, locale)}</details>`;
}

/**
 * With one coin there is only its button; otherwise the coin is chosen first, because an
 * open payment keeps its coin.
 */
function coinForm(cryptos: readonly CryptoSymbol[], locale: Locale): Html {
  const { fixed, goToPay, payWith } = locale.texts.recurring.pay;
  const [only, ...others] = cryptos;
  if (only !== undefined && others.length === 0) {
    return html`<form method="post"><button class="button" id="pay" name="crypto" value="${only}">${payWith(`${ASSETS[only].name} (${only})`)}</button>
<p class="hint">${fixed}</p></form>`;
  }
  const choices = cryptos.map((symbol) => ({ symbol }));
  return html`<form method="post">${coinChoices(choices, null, locale)}<button class="button" id="pay">${goToPay}</button>
<p class="hint">${fixed}</p></form>`;
}

function paymentLink(
  transactionId: string | null,
  { label, lang }: { readonly label: string; readonly lang: string },
): Html | null {
  if (transactionId === null) return null;
  return html`<p class="back"><a class="button" id="go" href="${paymentPath(transactionId, lang)}">${label}</a></p>`;
}

function isEnded(status: ScheduleStatus): status is EndedStatus {
  return status !== 'pending_confirmation' && status !== 'active' && status !== 'paused';
}
