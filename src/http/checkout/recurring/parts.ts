import type { ScheduleForCustomer } from '../../../recurring/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { page } from '../pages/layout.ts';
import { type PageIcon, row, status } from '../pages/parts.ts';

export interface SchedulePageParts {
  readonly locale: Locale;
  readonly schedule: ScheduleForCustomer;
  readonly icon: PageIcon;
  readonly words: ScreenText;
  readonly body: readonly Html[];
}

/**
 * One card under the shop's name: the layout of every page of a schedule. Complete without script.
 */
export function schedulePage({ locale, schedule, icon, words, body }: SchedulePageParts): string {
  const { merchantName, brand, isTest } = schedule;
  return page({
    locale,
    offersLanguages: true,
    title: `${words.heading} · ${merchantName}`,
    root: '../../',
    refresh: null,
    isTest,
    testBanner: locale.texts.recurring.banner,
    storeName: merchantName,
    brand,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card ${icon.card}"><div class="status">${status(icon, words)}</div>
${body}</section>
</main>`,
  });
}

export function amountBox(
  { amountFiat, currencyFiat, interval }: ScheduleForCustomer,
  { texts: { recurring }, formats }: Locale,
): Html {
  return html`<div class="amount"><p class="label">${recurring.labels.amount}</p>
<p class="number">${formats.money(amountFiat, currencyFiat)} <small>${recurring.often[interval]}</small></p></div>`;
}

/** Description, start and number of the requests. */
export function terms(schedule: ScheduleForCustomer, { texts, formats }: Locale): Html {
  const { description, startAt, nextDueAt, maxPeriods, status: scheduleStatus } = schedule;
  const { labels, startsAtOnce, untilEnded } = texts.recurring;
  const isOpen = scheduleStatus === 'pending_confirmation';
  const isActive = scheduleStatus === 'active';
  return html`<dl class="rows terms">
${row(labels.description, html`<bdi>${description}</bdi>`)}
${isOpen || startAt !== null ? row(labels.start, html`${startAt === null ? startsAtOnce : formats.day(startAt)}`) : null}
${isActive && nextDueAt !== null ? row(labels.next, html`${formats.day(nextDueAt)}`) : null}
${isOpen || maxPeriods !== null ? row(labels.count, html`${maxPeriods === null ? untilEnded : formats.count(maxPeriods)}`) : null}
</dl>`;
}

export function list(heading: string, sentences: readonly string[]): Html {
  return html`<h2>${heading}</h2><ul class="points">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** A form with a button and no fields. It posts to the URL of the page. */
export function actionForm({ id, label, isGrave = false }: { id: string; label: string; isGrave?: boolean }): Html {
  return html`<form method="post"><button class="button${isGrave ? ' grave' : ''}" id="${id}">${label}</button></form>`;
}
