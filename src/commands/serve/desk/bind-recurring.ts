import { CONFIRMATION_WINDOW_MS, MAX_CONFIRMATIONS } from '../../../../machines/index.ts';
import type { RecurringDesk } from '../../../console/index.ts';
import { TerminalError } from '../../../errors.ts';
import { readCents } from '../../../links/index.ts';
import { actFor, isApproved } from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import {
  createCustomerLinks,
  createSchedule,
  decideSchedule,
  getSchedule,
  listPeriods,
  listScheduleMails,
  listSchedules,
  type PeriodView,
  type ScheduleView,
  scheduleNow,
  simulateSchedule,
} from '../../../recurring/index.ts';
import { askerOf } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

const SCHEDULES_PER_PAGE = 50;
const PERIODS_PER_PAGE = 50;

/** Recurring payment requests in the merchant console. */
export function bindRecurring(
  { clock, create, tokens, recurringMaxUnconfirmed: maxUnconfirmed }: DeskDeps,
  { watch }: Pick<OutageNotice, 'watch'>,
): RecurringDesk {
  const { db, engine, publicUrl } = create;
  const acting = { db, engine, clock, maxUnconfirmed };
  const showing = { db, links: createCustomerLinks({ publicUrl, tokens }) };
  return {
    list: ({ merchantId }, { mode, status, reference, offset }) =>
      watch(async () => {
        const wanted = { limit: SCHEDULES_PER_PAGE, offset, status, reference };
        const [{ schedules, pagination }, approved] = await Promise.all([
          listSchedules({ db }, { merchantId, mode }, wanted),
          isApproved(db, merchantId),
        ]);
        const needsApproval = mode === 'live' && !approved;
        return { schedules: schedules.map(toInfo), needsApproval, ...placeOf(pagination) };
      }),
    get: ({ merchantId }, { mode, id }) =>
      watch(async () => {
        const scope = { merchantId, mode };
        const [schedule, now, mails] = await Promise.all([
          getSchedule({ db }, scope, id),
          scheduleNow({ db, clock }, scope, id),
          listScheduleMails({ db }, scope, id),
        ]);
        return { schedule: toInfo(schedule), now, maxConfirmations: MAX_CONFIRMATIONS, mails };
      }),
    periods: ({ merchantId }, { mode, id }, offset) =>
      watch(async () => {
        const wanted = { limit: PERIODS_PER_PAGE, offset };
        const { periods, pagination } = await listPeriods(showing, { merchantId, mode }, id, wanted);
        return { periods: periods.map(toPeriod), ...placeOf(pagination) };
      }),
    create: ({ merchantId, userId }, { mode, requestId, amount, currency, startAt, ...wanted }) =>
      watch(async () => {
        readCents(amount);
        const request = {
          ...wanted,
          // A decimal with at most two places, which a number represents exactly enough to print
          // the same digits.
          amount: Number(amount),
          currencyFiat: currency,
          startAt: startAt === null ? null : new Date(startAt).toISOString(),
          metadata: null,
        };
        const caller = await actFor(db, { merchantId, mode });
        const { schedule } = await createSchedule(
          { ...create, clock },
          caller,
          request,
          `console:${requestId}`,
          userId,
        );
        return toInfo(schedule);
      }).catch(inFieldsOfTheForm),
    decide: ({ merchantId, userId }, { mode, id }, decision) =>
      watch(async () => toInfo(await decideSchedule(acting, { merchantId, mode }, id, decision, userId))),
    simulate: (member, id, step) =>
      watch(async () => {
        const scope = { merchantId: member.merchantId, mode: 'test' } as const;
        const simulation =
          step.action === 'advance_to' ? { action: step.action, to: new Date(step.to).toISOString() } : step;
        return toInfo(await simulateSchedule(acting, scope, id, simulation, askerOf(acting, member)));
      }),
  };
}

// Helpers

function toInfo(view: ScheduleView) {
  const createdAt = Date.parse(view.created_at);
  return {
    id: view.schedule_id,
    reference: view.reference,
    customerEmail: view.customer_email,
    description: view.description,
    amount: view.amount_fiat,
    currency: view.currency_fiat,
    interval: view.interval,
    status: view.status,
    crypto: view.crypto,
    startAt: momentOf(view.start_at),
    maxPeriods: view.max_periods,
    successUrl: view.success_url,
    confirmationsSent: view.confirmations_sent,
    lastPeriodNo: view.last_period_no,
    nextDueAt: momentOf(view.next_due_at),
    createdAt,
    confirmBy: view.status === 'pending_confirmation' ? createdAt + CONFIRMATION_WINDOW_MS : null,
    confirmedAt: momentOf(view.confirmed_at),
    endedAt: momentOf(view.ended_at),
    isFinished: view.end_reason === 'finished',
  };
}

function toPeriod(view: PeriodView) {
  return {
    periodNo: view.period_no,
    status: view.status,
    dueAt: Date.parse(view.due_at),
    requestedAt: momentOf(view.requested_at),
    remindersSent: view.reminders_sent,
    settledAt: momentOf(view.settled_at),
    paymentId: view.transaction_id,
    paymentUrl: view.payment_url,
    attemptIds: view.attempts,
    excessPaymentIds: view.excess_transaction_ids,
  };
}

function momentOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function placeOf({ limit, offset, total }: { limit: number; offset: number; total: number }) {
  return { total, next: offset + limit < total ? offset + limit : null };
}

/**
 * Renames the fields in errors, which the use case names as the REST API does, to those of the
 * form.
 */
function inFieldsOfTheForm(error: unknown): never {
  const isOfStart = error instanceof TerminalError && error.message.startsWith('start_at ');
  if (!isOfStart) throw error;
  const { code, message } = error;
  throw new TerminalError(code, message.replace('start_at', 'startAt'), { field: 'startAt', cause: error });
}
