import type {
  FiatCurrency,
  Interval,
  Mode,
  ScheduleNotification,
  ScheduleStatus,
  UnixMs,
} from '../../machines/index.ts';
import { assertNever } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';

export interface ScheduleEventFields {
  readonly mode: Mode;
  readonly reference: string | null;
  readonly customerEmail: string;
  readonly description: string;
  /** Exact decimal. */
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
}

/**
 * The exact JSON text of a schedule's event. `sequence` increases by one with every event of a
 * schedule, because deliveries may arrive out of order. Fields without a value are omitted.
 */
export function recurringEventBody({
  id,
  at,
  scheduleId,
  schedule,
  status,
  notification,
}: {
  readonly id: string;
  readonly at: UnixMs;
  /** UUID (RFC 9562). */
  readonly scheduleId: string;
  readonly schedule: ScheduleEventFields;
  /** After the event. */
  readonly status: ScheduleStatus;
  readonly notification: ScheduleNotification;
}): string {
  const { event, sequence } = notification;
  const { reference } = schedule;
  return JSON.stringify({
    id,
    event,
    mode: schedule.mode,
    timestamp: isoTime(at),
    sequence,
    schedule_id: scheduleId,
    ...(reference === null ? {} : { reference }),
    customer_email: schedule.customerEmail,
    description: schedule.description,
    amount_fiat: schedule.amountFiat,
    currency_fiat: schedule.currencyFiat,
    interval: schedule.interval,
    status,
    ...detailsOf(notification),
  });
}

// Helpers

function detailsOf(notification: ScheduleNotification): object {
  switch (notification.event) {
    case 'recurring.confirmed':
      return {};
    case 'recurring.payment.completed':
      return { period_no: notification.periodNo, transaction_id: notification.transactionId };
    case 'recurring.payment.unpaid':
      return { period_no: notification.periodNo };
    case 'recurring.stopped':
      return { reason: notification.reason };
    default:
      return assertNever(notification, 'notification');
  }
}
