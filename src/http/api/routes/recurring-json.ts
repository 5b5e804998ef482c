import type { Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../platform/iso-time.ts';
import type { PeriodView, ScheduleView } from '../../../recurring/index.ts';
import type { Schedule, SchedulePeriod } from '../schemas/recurring.ts';

export function scheduleToJson(schedule: ScheduleView): Static<typeof Schedule> {
  return {
    schedule_id: schedule.id,
    reference: schedule.reference,
    customer_email: schedule.customerEmail,
    description: schedule.description,
    amount_fiat: schedule.amount,
    currency_fiat: schedule.currency,
    interval: schedule.interval,
    status: schedule.status,
    crypto: schedule.crypto,
    start_at: isoTimeOrNull(schedule.startAt),
    max_periods: schedule.maxPeriods,
    metadata: schedule.metadata,
    success_url: schedule.successUrl,
    is_test: schedule.isTest,
    confirmations_sent: schedule.confirmationsSent,
    last_period_no: schedule.lastPeriodNo,
    next_due_at: isoTimeOrNull(schedule.nextDueAt),
    created_at: isoTime(schedule.createdAt),
    confirmed_at: isoTimeOrNull(schedule.confirmedAt),
    ended_at: isoTimeOrNull(schedule.endedAt),
    end_reason: schedule.endReason,
  };
}

export function periodToJson(period: PeriodView): Static<typeof SchedulePeriod> {
  return {
    period_no: period.periodNo,
    status: period.status,
    due_at: isoTime(period.dueAt),
    requested_at: isoTimeOrNull(period.requestedAt),
    reminders_sent: period.remindersSent,
    settled_at: isoTimeOrNull(period.settledAt),
    transaction_id: period.paymentId,
    payment_url: period.paymentUrl,
    attempts: [...period.attemptIds],
    excess_transaction_ids: [...period.excessPaymentIds],
  };
}
