import type { ScheduleForCustomer } from '../../recurring/index.ts';
import { html } from '../html.ts';
import { actionForm, amountBox, list, SIGN, schedulePage, terms } from './parts.ts';
import { settledPage } from './settled-page.ts';
import { WORDS } from './words.ts';

/** Where a customer agrees to being asked for money again and again, and what has become of it afterwards. */
export function confirmPage(schedule: ScheduleForCustomer): string {
  if (schedule.status !== 'pending_confirmation') return settledPage(schedule, schedule.status);
  const { confirm, nextHeading } = WORDS;
  return schedulePage({
    schedule,
    sign: SIGN.ask,
    words: confirm.ask(schedule.interval),
    body: [
      amountBox(schedule),
      terms(schedule),
      list(nextHeading, confirm.next(schedule.startAt)),
      actionForm({ id: 'confirm', label: confirm.button }),
      html`<p class="hint">${confirm.otherwise}</p>`,
    ],
  });
}
