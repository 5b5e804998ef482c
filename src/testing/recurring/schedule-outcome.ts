import type { ScheduleStatus } from '../../../machines/index.ts';
import type { RecurringWebhook } from '../../client/index.ts';
import type { Delivery } from '../deliveries.ts';

/** What a shop makes of a recurring payment request from its webhooks alone. */
export interface ScheduleOutcome {
  readonly status: ScheduleStatus;
  /**
   * How often each period was credited, by its number; periods that were not have no entry. Once when a
   * recurring.payment.completed came, however often it came, and however late.
   */
  readonly credited: Readonly<Record<number, number>>;
  /** The periods that were given up and not paid since, in order. */
  readonly unpaid: readonly number[];
}

/**
 * What a correct receiver ends with, after all of these deliveries, whatever their order: the event with the highest `sequence`
 * tells the status, every period that was paid is credited once, and one that was paid is no longer unpaid. The payment.*
 * events of its payments credit nothing more. Null when nothing was told about the request.
 */
export function expectedScheduleOutcome(scheduleId: string, deliveries: readonly Delivery[]): ScheduleOutcome | null {
  const told = deliveries
    .filter(({ event }) => event.event.startsWith('recurring.'))
    .map(({ event }) => JSON.parse(event.body) as RecurringWebhook)
    .filter((payload) => payload.schedule_id === scheduleId);
  const [first] = told;
  if (first === undefined) return null;
  const newest = told.reduce((best, next) => (next.sequence > best.sequence ? next : best), first);
  const paid = periodsOf(told, 'recurring.payment.completed');
  const unpaid = periodsOf(told, 'recurring.payment.unpaid').filter((period) => !paid.includes(period));
  return { status: newest.status, credited: Object.fromEntries(paid.map((period) => [period, 1])), unpaid };
}

// Helpers

function periodsOf(told: readonly RecurringWebhook[], event: RecurringWebhook['event']): number[] {
  const periods = told.flatMap((payload) => (payload.event === event ? (payload.period_no ?? []) : []));
  return [...new Set(periods)].sort((a, b) => a - b);
}
