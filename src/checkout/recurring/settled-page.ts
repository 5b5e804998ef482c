import type { ScheduleForCustomer } from '../../recurring/index.ts';
import { amountBox, SIGN, type Sign, schedulePage, terms } from './parts.ts';
import { type SettledStatus, WORDS } from './words.ts';

/** Where a schedule stands that is agreed to or over, for whoever comes back to the link of an old mail. */
export function settledPage(schedule: ScheduleForCustomer, status: SettledStatus): string {
  const { isFinished, nextDueAt, startAt } = schedule;
  const { heading, sentences } = WORDS.standing(status, isFinished);
  return schedulePage({
    schedule,
    sign: isFinished ? SIGN.done : SIGNS_OF[status],
    words: {
      heading,
      sentences: status === 'active' ? [...sentences, WORDS.following(nextDueAt, startAt)] : sentences,
    },
    body: [amountBox(schedule), terms(schedule)],
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
