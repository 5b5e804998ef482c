import type { ScheduleForCustomer } from '../../../recurring/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import type { SettledStatus } from '../languages/recurring/en.ts';
import { PAGE_ICONS, type PageIcon } from '../pages/parts.ts';
import { amountBox, schedulePage, terms } from './parts.ts';

/**
 * Status of a confirmed or ended schedule, for customers who return to the link of an old email.
 */
export function settledPage(schedule: ScheduleForCustomer, status: SettledStatus, locale: Locale): string {
  const { isFinished } = schedule;
  const { statuses, finished } = locale.texts.recurring;
  const { heading, sentences } = isFinished ? finished : statuses[status];
  return schedulePage({
    locale,
    schedule,
    icon: isFinished ? PAGE_ICONS.done : ICONS_OF[status],
    words: {
      heading,
      sentences: status === 'active' ? [...sentences, ...following(schedule, locale)] : sentences,
    },
    body: [amountBox(schedule, locale), terms(schedule, locale), ...payNow(schedule, locale)],
  });
}

// Helpers

const ICONS_OF: { readonly [S in SettledStatus]: PageIcon } = {
  active: PAGE_ICONS.done,
  paused: PAGE_ICONS.ask,
  cancelled: PAGE_ICONS.over,
  stopped_by_customer: PAGE_ICONS.done,
  bounced: PAGE_ICONS.over,
  expired_unconfirmed: PAGE_ICONS.over,
};

/** What is due now, and when the next request is due, for a confirmed schedule. */
function following({ nextDueAt, startAt, due }: ScheduleForCustomer, { texts, formats }: Locale): string[] {
  const { none, first, next, firstIsDue, isDue } = texts.recurring.following;
  const now = due === null ? [] : [due.periodNo === 1 ? firstIsDue : isDue];
  if (nextDueAt === null) return due === null ? [none] : now;
  const day = formats.day(nextDueAt);
  return [...now, nextDueAt === startAt ? first(day) : next(day)];
}

function payNow({ due }: ScheduleForCustomer, { language, texts }: Locale): Html[] {
  if (due === null) return [];
  return [
    html`<p class="back"><a class="button" id="go" href="${due.url}?lang=${language}">${texts.recurring.pay.now}</a></p>`,
  ];
}
