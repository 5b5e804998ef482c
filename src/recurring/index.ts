/**
 * Public API of recurring payment requests: schedules, periods, and customer actions by email link.
 */

export { MAX_PENDING_PER_RECIPIENT, MAX_RECENT_CONFIRMATIONS } from './admit-recipients.ts';
export type { CreateScheduleDeps } from './create-schedule.ts';
export { createSchedule } from './create-schedule.ts';
export type { PeriodForCustomer, ScheduleForCustomer } from './customer.ts';
export type { CustomerRequests } from './customer-decides.ts';
export { createCustomerRequests, decideAsCustomer } from './customer-decides.ts';
export type { Tokens } from './customer-links.ts';
export { createCustomerLinks, createTokens } from './customer-links.ts';
export type { DecideDeps } from './decide-schedule.ts';
export { decideSchedule } from './decide-schedule.ts';
export { type EmailSample, samplePaidTwiceEmail, sampleRecurringEmail } from './email-templates/sample-emails.ts';
export type { ScheduleEmail } from './list-emails.ts';
export { listScheduleEmails } from './list-emails.ts';
export { listPeriods } from './list-periods.ts';
export { notifySchedule } from './notify-schedule.ts';
export { openPeriod } from './open-period.ts';
export type { PeriodDeps } from './period-for-customer.ts';
export type {
  PeriodPage,
  PeriodStatus,
  PeriodView,
  ScheduleDecision,
  ScheduleRequest,
  ScheduleView,
} from './schedule.ts';
export { PERIOD_STATUSES, SCHEDULE_DECISIONS, SCHEDULE_SIMULATIONS } from './schedule.ts';
export { createScheduleKind } from './schedule-kind.ts';
export { getSchedule, listSchedules, readScheduleId, scheduleNow } from './schedule-rows.ts';
export { settleForgottenPeriods } from './settle-forgotten.ts';
export type { SimulateScheduleDeps } from './simulate-schedule.ts';
export { simulateSchedule } from './simulate-schedule.ts';
export { recurringEventBody } from './webhook-body.ts';
