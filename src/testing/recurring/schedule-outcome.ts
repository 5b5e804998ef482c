import type { ScheduleStatus } from '../../../machines/index.ts';
import type { RecurringWebhook } from '../../client/index.ts';
import type { Delivery } from '../deliveries.ts';

/** State of a recurring payment request in a shop that knows only its webhooks. */
export interface ScheduleOutcome {
  readonly status: ScheduleStatus;
  /**
   * How often each period was credited, by its number; periods without credit have no entry. Once
   * if recurring.payment.completed arrived, however often and however late.
   */
  readonly credited: Readonly<Record<number, number>>;
  /** Periods that were given up and not paid since, in order. */
  readonly unpaid: readonly number[];
}

/**
 * State of a correct receiver after all of these deliveries, in any order: the event with the
 * highest `sequence` determines the status, every paid period is credited once, and a paid period
 * is no longer unpaid. The payment.* events of its payments credit nothing more. Null without an
 * event of the request.
 */
export function expectedScheduleOutcome(scheduleId: string, deliveries: readonly Delivery[]): ScheduleOutcome | null {
  const received = deliveries
    .filter(({ event }) => event.event.startsWith('recurring.'))
    .map(({ event }) => JSON.parse(event.body) as RecurringWebhook)
    .filter((payload) => payload.schedule_id === scheduleId);
  const [first] = received;
  if (first === undefined) return null;
  const newest = received.reduce((best, next) => (next.sequence > best.sequence ? next : best), first);
  const paid = periodsOf(received, 'recurring.payment.completed');
  const unpaid = periodsOf(received, 'recurring.payment.unpaid').filter((period) => !paid.includes(period));
  return { status: newest.status, credited: Object.fromEntries(paid.map((period) => [period, 1])), unpaid };
}

// Helpers

function periodsOf(received: readonly RecurringWebhook[], event: RecurringWebhook['event']): number[] {
  const periods = received.flatMap((payload) => (payload.event === event ? (payload.period_no ?? []) : []));
  return [...new Set(periods)].sort((a, b) => a - b);
}
