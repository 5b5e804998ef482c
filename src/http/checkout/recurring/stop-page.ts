import { assertNever } from '../../../platform/errors.ts';
import type { ScheduleForCustomer } from '../../../recurring/index.ts';
import type { Locale } from '../languages/locales.ts';
import { PAGE_ICONS } from '../pages/parts.ts';
import { actionForm, amountBox, list, schedulePage, terms } from './parts.ts';
import { settledPage } from './settled-page.ts';

/** Page on which a customer ends the requests; afterwards it shows their status. */
export function stopPage(schedule: ScheduleForCustomer, locale: Locale): string {
  const { status } = schedule;
  switch (status) {
    case 'pending_confirmation':
    case 'active':
    case 'paused':
      return question(schedule, locale);
    case 'cancelled':
    case 'stopped_by_customer':
    case 'bounced':
    case 'expired_unconfirmed':
      return settledPage(schedule, status, locale);
    default:
      return assertNever(status, 'status of a schedule');
  }
}

// Helpers

function question(schedule: ScheduleForCustomer, locale: Locale): string {
  const { ask, decline, meaningHeading, meaning, button } = locale.texts.recurring.stop;
  return schedulePage({
    locale,
    schedule,
    icon: PAGE_ICONS.alert,
    words: schedule.status === 'pending_confirmation' ? decline : ask,
    body: [
      amountBox(schedule, locale),
      terms(schedule, locale),
      list(meaningHeading, meaning),
      actionForm({ id: 'stop', label: button, isGrave: true }),
    ],
  });
}
