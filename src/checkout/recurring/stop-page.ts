import { assertNever } from '../../errors.ts';
import type { ScheduleForCustomer } from '../../recurring/index.ts';
import { actionForm, amountBox, list, SIGN, schedulePage, terms } from './parts.ts';
import { settledPage } from './settled-page.ts';
import { WORDS } from './words.ts';

/** Where a customer ends the requests, and what has become of them afterwards. */
export function stopPage(schedule: ScheduleForCustomer): string {
  const { status } = schedule;
  switch (status) {
    case 'pending_confirmation':
    case 'active':
    case 'paused':
      return question(schedule);
    case 'cancelled':
    case 'stopped_by_customer':
    case 'bounced':
    case 'expired_unconfirmed':
      return settledPage(schedule, status);
    default:
      return assertNever(status, 'status of a schedule');
  }
}

// Helpers

function question(schedule: ScheduleForCustomer): string {
  const { ask, refuse, meaningHeading, meaning, button } = WORDS.stop;
  return schedulePage({
    schedule,
    sign: SIGN.alert,
    words: schedule.status === 'pending_confirmation' ? refuse : ask,
    body: [
      amountBox(schedule),
      terms(schedule),
      list(meaningHeading, meaning),
      actionForm({ id: 'stop', label: button, isGrave: true }),
    ],
  });
}
