import type { UnixMs } from '../../../../machines/index.ts';
import type { ScheduleForCustomer } from '../../../recurring/index.ts';
import type { Locale } from '../languages/locale.ts';
import type { SettledStatus } from '../languages/recurring/texts.ts';
import { amountBox, SIGN, type Sign, schedulePage, terms } from './parts.ts';

/** Status of a confirmed or ended schedule, for customers who return to the link of an old mail. */
export function settledPage(schedule: ScheduleForCustomer, status: SettledStatus, locale: Locale): string {
  const { isFinished } = schedule;
  const { statuses, finished } = locale.texts.recurring;
  const { heading, sentences } = isFinished ? finished : statuses[status];
  return schedulePage({
    locale,
    schedule,
    sign: isFinished ? SIGN.done : SIGNS_OF[status],
    words: {
      heading,
      sentences: status === 'active' ? [...sentences, following(schedule, locale)] : sentences,
    },
    body: [amountBox(schedule, locale), terms(schedule, locale)],
  });
}

// Helpers

const SIGNS_OF: { readonly [S in SettledStatus]: Sign } = {
  active: SIGN.done,
  paused: SIGN.ask,
  cancelled: SIGN.over,
  stopped_by_customer: SIGN.done,
  bounced: SIGN.over,
  expired_unconfirmed: SIGN.over,
};

/** When the next request is due, for a confirmed schedule. */
function following(
  { nextDueAt, startAt }: { readonly nextDueAt: UnixMs | null; readonly startAt: UnixMs | null },
  { texts, formats }: Locale,
): string {
  const { none, first, next } = texts.recurring.following;
  if (nextDueAt === null) return none;
  const day = formats.day(nextDueAt);
  return nextDueAt === startAt ? first(day) : next(day);
}
