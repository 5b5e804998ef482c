import { setup } from 'xstate';
import { MAX_CONFIRMATIONS, newestUnrequested, nextPeriod } from './rules.ts';
import type {
  ScheduleContext,
  ScheduleEffects,
  ScheduleEvent,
  ScheduleStatus,
  ScheduleTerms,
  ScheduleTimer,
} from './types.ts';

export interface ScheduleStateMeta {
  readonly publicStatus?: ScheduleStatus;
  /** Every state but the final one has it, or inherits it. */
  readonly waitsFor?: 'the customer' | 'the next due date' | 'the merchant' | 'late payments';
}

/** Types, guards and effects of the schedule chart. The engine runs the effects. */
export const scheduleEffects = setup({
  types: {} as {
    context: ScheduleContext;
    events: ScheduleEvent;
    input: ScheduleTerms;
    meta: ScheduleStateMeta;
  },
  actions: {
    startTimer: (_, _params: ScheduleEffects['startTimer']) => {},
    cancelTimer: (_, _params: ScheduleEffects['cancelTimer']) => {},
    sendMail: (_, _params: ScheduleEffects['sendMail']) => {},
    requestPeriod: (_, _params: ScheduleEffects['requestPeriod']) => {},
    skipPeriods: (_, _params: ScheduleEffects['skipPeriods']) => {},
    settlePeriod: (_, _params: ScheduleEffects['settlePeriod']) => {},
    noteExcess: (_, _params: ScheduleEffects['noteExcess']) => {},
    notifyMerchant: (_, _params: ScheduleEffects['notifyMerchant']) => {},
  },
  guards: {
    /** False for a stale event: the timer was cancelled, moved or handled before. */
    isRunningTimer: ({ context, event }) => isRunning(context, event),
    isAwaited: ({ context, event }) =>
      event.type === 'payment.completed' && event.periodNo === context.current?.periodNo,
    isLateForUnpaid: ({ context, event }) =>
      event.type === 'payment.completed' && context.unpaid.includes(event.periodNo),
    /** Checked after the two above: a period requested or skipped before and not awaited. */
    isForPaidPeriod: ({ context, event }) =>
      event.type === 'payment.completed' &&
      event.periodNo <= context.lastPeriodNo &&
      event.periodNo !== context.current?.periodNo &&
      !context.unpaid.includes(event.periodNo),
    mayResendConfirmation: ({ context }) => context.confirmationsSent < MAX_CONFIRMATIONS,
    hasPeriodDue: ({ context, event }) => 'at' in event && newestUnrequested(context, event.at) !== null,
    hasCurrent: ({ context }) => context.current !== null,
    hasNoPeriodLeft: ({ context }) => context.current === null && nextPeriod(context) === null,
  },
});

// Helpers

function isRunning({ timers }: ScheduleContext, event: ScheduleEvent): boolean {
  if (!('dueAt' in event)) return false;
  const timer = event.type.slice('timer.'.length) as ScheduleTimer;
  return event.dueAt >= (timers[timer] ?? Number.POSITIVE_INFINITY);
}
