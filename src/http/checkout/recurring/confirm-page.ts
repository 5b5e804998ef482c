import type { ScheduleForCustomer } from '../../../recurring/index.ts';
import { html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import { PAGE_ICONS } from '../pages/parts.ts';
import { actionForm, amountBox, list, schedulePage, terms } from './parts.ts';
import { settledPage } from './settled-page.ts';

/**
 * Page on which a customer agrees to recurring payment requests; afterwards it shows their status.
 */
export function confirmPage(schedule: ScheduleForCustomer, locale: Locale): string {
  if (schedule.status !== 'pending_confirmation') return settledPage(schedule, schedule.status, locale);
  const { confirm, nextHeading, often } = locale.texts.recurring;
  const first = schedule.startAt === null ? confirm.firstAtOnce : confirm.firstOnItsDay;
  return schedulePage({
    locale,
    schedule,
    icon: PAGE_ICONS.ask,
    words: confirm.ask(often[schedule.interval]),
    body: [
      amountBox(schedule, locale),
      terms(schedule, locale),
      list(nextHeading, [first, ...confirm.after]),
      actionForm({ id: 'confirm', label: confirm.button }),
      html`<p class="hint">${confirm.otherwise}</p>`,
    ],
  });
}
