import type { UnixMs } from '../vocabulary/time.ts';
import * as rules from './rules.ts';
import { scheduleEffects as base } from './setup.ts';
import type { ScheduleContext, ScheduleEnd, ScheduleEvent, ScheduleNotification, ScheduleTimer } from './types.ts';

/** The chart's actions. Running timers are kept in `context.timers`, to recognise stale ones. */
export const actions = {
  askForConfirmation: base.enqueueActions(({ context, enqueue }) => {
    const dueAt = context.createdAt + rules.CONFIRMATION_WINDOW_MS;
    enqueue.assign({ confirmationsSent: 1, timers: { confirmation_expired: dueAt } });
    enqueue({ type: 'sendMail', params: { kind: 'confirmation', step: 0 } });
    enqueue({ type: 'startTimer', params: { timer: 'confirmation_expired', dueAt, gated: false } });
  }),
  resendConfirmation: base.enqueueActions(({ context, enqueue }) => {
    enqueue.assign({ confirmationsSent: context.confirmationsSent + 1 });
    enqueue({ type: 'sendMail', params: { kind: 'confirmation', step: context.confirmationsSent } });
  }),
  stopAwaitingConfirmation: base.enqueueActions(({ context, enqueue }) => {
    moveTimer(context, enqueue, 'confirmation_expired', null);
  }),
  setAnchor: base.assign(({ context, event }) => ({ anchor: context.startAt ?? clockOf(event, context) })),

  /** Requests the newest due period, skips those before it, and waits for the next one. */
  requestNewestDue: base.enqueueActions(({ context, event, enqueue }) => {
    const requestedAt = clockOf(event, context);
    const newest = rules.newestUnrequested(context, requestedAt);
    if (newest === null) return;
    const { periodNo, dueAt } = newest;
    const current = { periodNo, dueAt, requestedAt, remindersSent: 0 };
    if (periodNo > context.lastPeriodNo + 1) {
      enqueue({ type: 'skipPeriods', params: { from: context.lastPeriodNo + 1, to: periodNo - 1 } });
    }
    enqueue.assign({ lastPeriodNo: periodNo, current });
    enqueue({ type: 'requestPeriod', params: { periodNo, dueAt } });
    enqueue({ type: 'sendMail', params: { kind: 'request', step: 0, periodNo, dueAt } });
  }),
  remind: base.enqueueActions(({ context, enqueue }) => {
    const { current } = context;
    if (current === null) return;
    const remindersSent = current.remindersSent + 1;
    const { periodNo, dueAt } = current;
    enqueue.assign({ current: { ...current, remindersSent } });
    enqueue({ type: 'sendMail', params: { kind: 'request', step: remindersSent, periodNo, dueAt } });
  }),
  /**
   * Sets the timer of the next reminder. One that is overdue too, after a pause or downtime, is not
   * sent: the customer would get two at once.
   */
  awaitNextReminder: base.enqueueActions(({ context, event, enqueue }) => {
    const next = context.current === null ? null : rules.reminderAt(context, context.current);
    const isOverdue = next !== null && next <= clockOf(event, context);
    moveTimer(context, enqueue, 'reminder_due', isOverdue ? null : next);
  }),
  /** Periods that came due while the schedule was paused are never requested. */
  skipMissed: base.enqueueActions(({ context, event, enqueue }) => {
    const missed = rules.newestUnrequested(context, clockOf(event, context));
    if (missed === null) return;
    enqueue.assign({ lastPeriodNo: missed.periodNo });
    enqueue({ type: 'skipPeriods', params: { from: context.lastPeriodNo + 1, to: missed.periodNo } });
  }),

  settlePaid: base.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'payment.completed') return;
    const { periodNo, transactionId } = event;
    enqueue.assign({
      current: context.current?.periodNo === periodNo ? null : context.current,
      unpaid: context.unpaid.filter((each) => each !== periodNo),
    });
    enqueue({ type: 'settlePeriod', params: { periodNo, outcome: 'paid', transactionId } });
  }),
  settleUnpaid: base.enqueueActions(({ context, enqueue }) => {
    if (context.current === null) return;
    const { periodNo } = context.current;
    const sequence = context.sequence + 1;
    enqueue.assign({ current: null, unpaid: [...context.unpaid, periodNo], sequence });
    enqueue({ type: 'settlePeriod', params: { periodNo, outcome: 'unpaid', transactionId: null } });
    enqueue({ type: 'notifyMerchant', params: { event: 'recurring.payment.unpaid', periodNo, sequence } });
  }),

  notifyConfirmed: base.enqueueActions(({ context, enqueue }) => {
    const sequence = context.sequence + 1;
    enqueue.assign({ sequence });
    enqueue({ type: 'notifyMerchant', params: { event: 'recurring.confirmed', sequence } });
  }),
  notifyPaid: base.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'payment.completed') return;
    const sequence = context.sequence + 1;
    const { periodNo, transactionId } = event;
    enqueue.assign({ sequence });
    enqueue({
      type: 'notifyMerchant',
      params: { event: 'recurring.payment.completed', periodNo, transactionId, sequence },
    });
  }),

  reportExcess: base.enqueueActions(({ event, enqueue }) => {
    if (event.type !== 'payment.completed') return;
    const { periodNo, transactionId } = event;
    enqueue({ type: 'noteExcess', params: { periodNo, transactionId } });
  }),

  awaitNextPeriod: base.enqueueActions(({ context, enqueue }) => {
    const next = rules.nextPeriod(context);
    moveTimer(context, enqueue, 'period_due', next?.dueAt ?? null);
  }),
  stopAwaitingPeriods: base.enqueueActions(({ context, enqueue }) => moveTimer(context, enqueue, 'period_due', null)),
  /** Sets the reminder and unpaid timers of the current period; cancels them when there is none. */
  followCurrent: base.enqueueActions(({ context, enqueue }) => {
    const { current } = context;
    const timers = {
      reminder_due: current === null ? null : rules.reminderAt(context, current),
      unpaid_due: current === null ? null : rules.unpaidAt(context, current),
    };
    moveTimers(context, enqueue, timers);
  }),
  stopReminding: base.enqueueActions(({ context, enqueue }) => moveTimer(context, enqueue, 'reminder_due', null)),

  endAsCancelled: endAs('cancelled', null),
  endAsStopped: endAs('stopped_by_customer', 'stopped_by_customer'),
  endAsBounced: endAs('bounced', 'bounced'),
  endAsUnconfirmed: endAs('expired_unconfirmed', 'unconfirmed'),
  endAsFinished: endAs('finished', null),
};

// Helpers

type StopReason = Extract<ScheduleNotification, { event: 'recurring.stopped' }>['reason'];

/**
 * The current period becomes unpaid; payments already started for it still count. The merchant is
 * notified only of an end they did not cause, and never that this period is unpaid: the customer
 * did not get its full time.
 */
function endAs(end: ScheduleEnd, reason: StopReason | null) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const endedAt = clockOf(event, context);
    const { current } = context;
    const unpaid = current === null ? context.unpaid : [...context.unpaid, current.periodNo];
    const sequence = reason === null ? context.sequence : context.sequence + 1;
    enqueue.assign({ endedAs: end, endedAt, current: null, unpaid, sequence });
    if (current !== null) {
      const { periodNo } = current;
      enqueue({ type: 'settlePeriod', params: { periodNo, outcome: 'unpaid', transactionId: null } });
    }
    moveTimers(context, enqueue, { ...NO_TIMERS, forgotten: endedAt + rules.FORGET_AFTER_MS });
    if (reason !== null) enqueue({ type: 'notifyMerchant', params: { event: 'recurring.stopped', reason, sequence } });
  });
}

const NO_TIMERS: { readonly [T in ScheduleTimer]: null } = {
  confirmation_expired: null,
  period_due: null,
  reminder_due: null,
  unpaid_due: null,
  forgotten: null,
};

type Enqueue = Parameters<Parameters<typeof base.enqueueActions>[0]>[0]['enqueue'];

function moveTimer(context: ScheduleContext, enqueue: Enqueue, timer: ScheduleTimer, dueAt: UnixMs | null): void {
  moveTimers(context, enqueue, { [timer]: dueAt });
}

/** Sets timers to new due times and cancels those that are null; unchanged ones cost nothing. */
function moveTimers(
  { timers }: ScheduleContext,
  enqueue: Enqueue,
  dueTimes: Readonly<Partial<Record<ScheduleTimer, UnixMs | null>>>,
): void {
  const next: Partial<Record<ScheduleTimer, UnixMs>> = { ...timers };
  for (const [name, dueAt] of Object.entries(dueTimes) as [ScheduleTimer, UnixMs | null][]) {
    if ((timers[name] ?? null) === dueAt) continue;
    if (dueAt === null) {
      delete next[name];
      enqueue({ type: 'cancelTimer', params: { timer: name } });
    } else {
      next[name] = dueAt;
      enqueue({ type: 'startTimer', params: { timer: name, dueAt, gated: false } });
    }
  }
  enqueue.assign({ timers: next });
}

/**
 * A timer counts as fired no earlier than it was due, even if the clock was set back. The initial
 * transition has no event.
 */
function clockOf(event: ScheduleEvent, context: ScheduleContext): UnixMs {
  if ('dueAt' in event) return Math.max(event.at, event.dueAt);
  return 'at' in event ? event.at : context.createdAt;
}
