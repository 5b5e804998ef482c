import type { ScheduleContext, ScheduleStatus } from './types.ts';

/** What the merchant interface shows of a schedule, from its leaf path such as `active.waiting`. Throws for one the chart does not have. */
export function scheduleStatusOf(state: string, { endedAs }: Pick<ScheduleContext, 'endedAs'>): ScheduleStatus {
  // How it ended stands in the context, because the last state of all is one for every end.
  if (endedAs !== null) return endedAs === 'finished' ? 'cancelled' : endedAs;
  const status = STATUSES[state];
  if (status === undefined) throw new RangeError(`unknown schedule state "${state}"`);
  return status;
}

// Helpers

const STATUSES: Readonly<Record<string, ScheduleStatus>> = {
  unconfirmed: 'pending_confirmation',
  'active.waiting': 'active',
  'active.awaiting': 'active',
  paused: 'paused',
};
