import type { ScheduleContext, ScheduleStatus } from './types.ts';

/**
 * The status the merchant interface shows for a leaf path such as `active.waiting`. Throws a
 * `RangeError` for a path the chart does not have.
 */
export function scheduleStatusOf(state: string, { endedAs }: Pick<ScheduleContext, 'endedAs'>): ScheduleStatus {
  // How it ended is in the context, because all ends share the last state.
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
