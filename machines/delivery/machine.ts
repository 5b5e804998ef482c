import { setup } from 'xstate';
import type { UnixMs } from '../vocabulary/time.ts';
import { ANSWER_OVERDUE_MS, MAX_ATTEMPTS, retryGapMs } from './schedule.ts';
import type { DeliveryContext, DeliveryEffects, DeliveryEvent, DeliveryTerms } from './types.ts';

export interface DeliveryStateMeta {
  readonly waitsFor: 'sender' | 'clock' | 'nobody';
}

const base = setup({
  types: {} as {
    context: DeliveryContext;
    events: DeliveryEvent;
    input: DeliveryTerms;
    meta: DeliveryStateMeta;
  },
  actions: {
    sendAttempt: (_, _params: DeliveryEffects['sendAttempt']) => {},
    startTimer: (_, _params: DeliveryEffects['startTimer']) => {},
    cancelTimer: (_, _params: DeliveryEffects['cancelTimer']) => {},
  },
  guards: {
    /** Answers of an attempt that was given up in the meantime no longer count. */
    isCurrentAttempt: ({ context, event }) => 'attempt' in event && event.attempt === context.attempt,
    isLastAttempt: ({ context, event }) =>
      'attempt' in event && event.attempt === context.attempt && context.made >= MAX_ATTEMPTS,
    /** A timer that was cancelled or has fired already while its event was under way must not act again. */
    isRunningTimer: ({ context, event }) => 'dueAt' in event && event.dueAt >= (context.timerDueAt ?? Infinity),
  },
});

const charted = base.extend({
  actions: {
    beginAttempt: base.enqueueActions(({ context, event, enqueue }) => {
      const attempt = context.attempt + 1;
      const dueAt = answerDueAt(event, context);
      enqueue.assign({ attempt, made: context.made + 1, timerDueAt: dueAt });
      enqueue({ type: 'sendAttempt', params: { attempt } });
      enqueue({ type: 'startTimer', params: { timer: 'answer_overdue', dueAt, gated: false } });
    }),
    repeatAttempt: base.enqueueActions(({ context, event, enqueue }) => {
      const dueAt = answerDueAt(event, context);
      enqueue.assign({ timerDueAt: dueAt });
      enqueue({ type: 'sendAttempt', params: { attempt: context.attempt } });
      enqueue({ type: 'startTimer', params: { timer: 'answer_overdue', dueAt, gated: false } });
    }),
    endAttempt: base.enqueueActions(({ enqueue }) => {
      enqueue({ type: 'cancelTimer', params: { timer: 'answer_overdue' } });
    }),
    recordFailure: base.assign(({ event }) => {
      return event.type === 'sender.attempt_failed' ? { lastFailure: event.failure } : {};
    }),
    scheduleRetry: base.enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'sender.attempt_failed') return;
      const dueAt = event.at + (retryGapMs(context.made, event.jitter) ?? 0);
      enqueue.assign({ timerDueAt: dueAt });
      enqueue({ type: 'startTimer', params: { timer: 'retry_due', dueAt, gated: false } });
    }),
    recordEnd: base.assign(({ context, event }) => ({ endedAt: clockOf(event, context), timerDueAt: null })),
  },
});

function answerDueAt(event: DeliveryEvent, context: DeliveryContext): UnixMs {
  return clockOf(event, context) + ANSWER_OVERDUE_MS;
}

/** The opening of the chart has no event, only its creation time. */
function clockOf(event: DeliveryEvent, context: DeliveryContext): UnixMs {
  return 'at' in event ? event.at : context.createdAt;
}

/**
 * One webhook event on its way to one endpoint.
 *
 * - sending     an attempt is with a sender; its answer ends it, or silence repeats it
 * - waiting     the last attempt failed; the retry timer ends it
 * - delivered   the endpoint answered 2xx
 * - failed      every attempt of the schedule failed
 */
export const deliveryMachine = charted.createMachine({
  id: 'delivery',
  version: '1',
  options: { maxIterations: 100 },
  context: ({ input }) => ({
    ...input,
    attempt: input.earlierAttempts,
    made: 0,
    lastFailure: null,
    timerDueAt: null,
    endedAt: null,
  }),
  initial: 'sending',
  states: {
    sending: {
      description: 'The stored bytes are with a sender.',
      meta: { waitsFor: 'sender' },
      entry: 'beginAttempt',
      exit: 'endAttempt',
      on: {
        'sender.attempt_succeeded': { guard: 'isCurrentAttempt', target: 'delivered' },
        'sender.attempt_failed': [
          { guard: 'isLastAttempt', target: 'failed', actions: 'recordFailure' },
          { guard: 'isCurrentAttempt', target: 'waiting', actions: ['recordFailure', 'scheduleRetry'] },
        ],
        'timer.answer_overdue': {
          guard: 'isRunningTimer',
          actions: 'repeatAttempt',
          description: 'The sender has gone silent: the same attempt is sent again.',
        },
      },
    },
    waiting: {
      description: 'The endpoint did not take it; the next attempt has its time.',
      meta: { waitsFor: 'clock' },
      on: {
        'timer.retry_due': { guard: 'isRunningTimer', target: 'sending' },
      },
    },
    delivered: {
      type: 'final',
      description: 'The endpoint answered 2xx.',
      meta: { waitsFor: 'nobody' },
      entry: 'recordEnd',
    },
    failed: {
      type: 'final',
      description: 'The schedule is used up.',
      meta: { waitsFor: 'nobody' },
      entry: 'recordEnd',
    },
  },
});
