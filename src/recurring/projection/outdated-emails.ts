import type { Transaction } from 'kysely';
import { REMINDERS_MS, scheduleStatusOf } from '../../../machines/index.ts';
import { holdEmails } from '../../mail/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { requestedOf, type ScheduleStep } from '../schedule-step.ts';
import { confirmationKey, requestKey } from './emails.ts';

/**
 * Holds queued emails that these steps have made outdated: emails about a paid period, all of a
 * schedule that ended early, and reminders while it is paused.
 */
export async function holdOutdatedEmails(trx: Transaction<Database>, steps: readonly ScheduleStep[]): Promise<void> {
  await holdEmails(trx, steps.flatMap(outdatedKeys));
}

// Helpers

function outdatedKeys(step: ScheduleStep): string[] {
  const { actorId: scheduleId, state, context } = step;
  const { confirmationsSent, current, endedAs, unpaid } = context;
  const keysOf = (periodNo: number, { first = 0, last = REMINDERS_MS.length } = {}) =>
    Array.from({ length: last - first + 1 }, (_, index) => requestKey(scheduleId, { periodNo, step: first + index }));
  const paid = requestedOf([step], 'settlePeriod').filter(({ params }) => params.outcome === 'paid');
  const keys = paid.flatMap(({ params }) => keysOf(params.periodNo));
  // What a finished schedule requested can still be paid.
  if (endedAs !== null && endedAs !== 'finished') {
    const confirmations = Array.from({ length: confirmationsSent }, (_, index) => confirmationKey(scheduleId, index));
    return [...keys, ...confirmations, ...unpaid.flatMap((periodNo) => keysOf(periodNo))];
  }
  if (scheduleStatusOf(state, context) !== 'paused') return keys;
  // Not the emails that a later step of the batch writes, after it was resumed.
  const written = current === null ? [] : keysOf(current.periodNo, { first: 1, last: current.remindersSent });
  return [...keys, ...written, ...unpaid.flatMap((periodNo) => keysOf(periodNo, { first: 1 }))];
}
