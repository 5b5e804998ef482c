import { setup } from 'xstate';
import type { UnixMs } from '../vocabulary/time.ts';
import {
  DELIVERY_HORIZON_MS,
  latestStart,
  MAX_ATTEMPTS,
  MAX_WAIT_OVERDUE_MS,
  RESPONSE_OVERDUE_MS,
  retryDelayMs,
  SILENCE_HORIZON_MS,
} from './retry-policy.ts';
import type { DeliveryContext, DeliveryEffects, DeliveryEvent, DeliveryTerms } from './types.ts';

export interface DeliveryStateMeta {
  readonly waitsFor: 'the sender' | 'the next attempt';
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
    isDeliveredAlready: ({ context }) => context.deliveredStatus !== undefined,
    /** Ignores failures of an abandoned attempt. */
    isCurrentAttempt: ({ context, event }) => 'attempt' in event && event.attempt === context.attempt,
    isLastAttempt: ({ context, event }) =>
      'attempt' in event &&
      event.attempt === context.attempt &&
      (context.made >= MAX_ATTEMPTS || event.at >= horizonOf(context)),
    /** Webhooks are never sent to this address, so a retry would change nothing. */
    isBlocked: ({ context, event }) =>
      event.type === 'sender.attempt_failed' && event.attempt === context.attempt && event.failure.kind === 'blocked',
    isPastHorizon: ({ context, event }) =>
      'attempt' in event && event.attempt === context.attempt && event.at >= horizonOf(context),
    /** False for a stale event: the timer was cancelled, moved or handled before. */
    isRunningTimer: ({ context, event }) => 'dueAt' in event && event.dueAt >= (context.timerDueAt ?? Infinity),
    /**
     * Uses the time when the response was due, not the clock, so that a delivery interrupted by an
     * outage of this service is sent once more.
     */
    isSilentForGood: ({ context, event }) =>
      'dueAt' in event &&
      event.dueAt >= (context.timerDueAt ?? Infinity) &&
      event.dueAt >= bornAt(context) + SILENCE_HORIZON_MS,
  },
});

const charted = base.extend({
  actions: {
    beginAttempt: base.enqueueActions(({ context, event, enqueue }) => {
      const attempt = context.attempt + 1;
      const dueAt = responseDueAt(event, context);
      const overdue = overdueOf(event, context, context.made);
      enqueue.assign({ attempt, made: context.made + 1, timerDueAt: dueAt });
      if (context.deliveredStatus !== undefined) return;
      if ('at' in event || context.owedSince === undefined) {
        enqueue({ type: 'sendAttempt', params: { attempt, isRequested: isRequested(event, context), ...overdue } });
      }
      enqueue({ type: 'startTimer', params: { timer: 'answer_overdue', dueAt, gated: false } });
    }),
    repeatAttempt: base.enqueueActions(({ context, event, enqueue }) => {
      const dueAt = responseDueAt(event, context);
      const overdue = overdueOf(event, context, context.made - 1);
      enqueue.assign({ timerDueAt: dueAt });
      enqueue({ type: 'sendAttempt', params: { attempt: context.attempt, isRequested: false, ...overdue } });
      enqueue({ type: 'startTimer', params: { timer: 'answer_overdue', dueAt, gated: false } });
    }),
    endAttempt: base.enqueueActions(({ context, enqueue }) => {
      if (context.deliveredStatus !== undefined) return;
      enqueue({ type: 'cancelTimer', params: { timer: 'answer_overdue' } });
    }),
    recordFailure: base.assign(({ event }) => {
      return 'failure' in event ? { lastFailure: event.failure } : {};
    }),
    scheduleRetry: base.enqueueActions(({ context, event, enqueue }) => {
      const wished = retryWish(event, context);
      if (wished === null) return;
      const dueAt = Math.min(wished, horizonOf(context));
      enqueue.assign({ timerDueAt: dueAt });
      enqueue({ type: 'startTimer', params: { timer: 'retry_due', dueAt, gated: false } });
    }),
    cancelRetry: base.enqueueActions(({ enqueue }) => {
      enqueue({ type: 'cancelTimer', params: { timer: 'retry_due' } });
    }),
    uncountAttempt: base.assign(({ context }) => ({ made: context.made - 1 })),
    /** Counts an attempt whose number was reverted although the endpoint received it. */
    countLateSuccess: base.assign(({ context, event }) => {
      if (!('attempt' in event) || event.attempt <= context.attempt) return {};
      return { attempt: event.attempt, made: context.made + 1 };
    }),
    takeBackAttempt: base.assign(({ context }) => ({ made: context.made - 1, attempt: context.attempt - 1 })),
    recordEnd: base.assign(({ context, event }) => ({ endedAt: clockOf(event, context), timerDueAt: null })),
  },
});

function responseDueAt(event: DeliveryEvent, context: DeliveryContext): UnixMs {
  return clockOf(event, context) + RESPONSE_OVERDUE_MS;
}

function bornAt({ owedSince, createdAt }: DeliveryContext): UnixMs {
  return owedSince ?? createdAt;
}

function horizonOf(context: DeliveryContext): UnixMs {
  return bornAt(context) + DELIVERY_HORIZON_MS;
}

/**
 * Unix ms of the next attempt; a past time means immediately. Null for events that end no attempt.
 * Backing off from an endpoint costs its deliveries no attempts.
 */
function retryWish(event: DeliveryEvent, context: DeliveryContext): UnixMs | null {
  if (event.type === 'sender.attempt_failed') {
    return event.at + (retryDelayMs(context.made, event.jitter, event.retryAfterMs) ?? 0);
  }
  if (!('until' in event)) return null;
  const latest = Math.max(latestStart(bornAt(context), context.made), event.at + MAX_WAIT_OVERDUE_MS);
  return Math.max(event.at, Math.min(event.until, latest));
}

/** Set only on an overdue attempt. */
function overdueOf(event: DeliveryEvent, context: DeliveryContext, made: number): { isOverdue?: true } {
  return clockOf(event, context) >= latestStart(bornAt(context), made) ? { isOverdue: true } : {};
}

function isRequested(event: DeliveryEvent, context: DeliveryContext): boolean {
  return event.type === 'merchant.redelivery_requested' || (context.made === 0 && context.isRequested === true);
}

/** The initial transition has no event, only the creation time. */
function clockOf(event: DeliveryEvent, context: DeliveryContext): UnixMs {
  return 'at' in event ? event.at : context.createdAt;
}

/**
 * One webhook event being delivered to one endpoint.
 *
 * - sending     an attempt is in flight; its result ends it, or a timeout repeats it
 * - waiting     the last attempt failed, or the endpoint is backed off; the retry timer ends it
 * - delivered   the endpoint responded 2xx to any attempt, however late the response is received
 * - failed      every scheduled attempt failed, or webhooks are never sent to this address
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
      description: 'An attempt is in progress.',
      meta: { waitsFor: 'the sender' },
      entry: 'beginAttempt',
      exit: 'endAttempt',
      always: {
        guard: 'isDeliveredAlready',
        target: 'delivered',
        description: 'The endpoint accepted the first attempt before this delivery was recorded.',
      },
      on: {
        'sender.attempt_succeeded': {
          target: 'delivered',
          description: 'For any attempt: the endpoint has the event.',
        },
        'sender.attempt_failed': [
          {
            guard: 'isBlocked',
            target: 'failed',
            actions: 'recordFailure',
            description: 'The address is blocked: nothing was or will be sent.',
          },
          { guard: 'isLastAttempt', target: 'failed', actions: 'recordFailure' },
          { guard: 'isCurrentAttempt', target: 'waiting', actions: ['recordFailure', 'scheduleRetry'] },
        ],
        'sender.probe_failed': [
          { guard: 'isPastHorizon', target: 'failed', actions: 'recordFailure' },
          {
            guard: 'isCurrentAttempt',
            target: 'waiting',
            actions: ['recordFailure', 'uncountAttempt', 'scheduleRetry'],
            description: 'A probe ahead of schedule: it keeps its number and does not shorten the schedule.',
          },
        ],
        'sender.attempt_deferred': [
          { guard: 'isPastHorizon', target: 'failed', actions: ['recordFailure', 'takeBackAttempt'] },
          {
            guard: 'isCurrentAttempt',
            target: 'waiting',
            actions: ['recordFailure', 'takeBackAttempt', 'scheduleRetry'],
            description: 'Nothing was sent, so the number is reused.',
          },
        ],
        'timer.answer_overdue': [
          {
            guard: 'isSilentForGood',
            target: 'failed',
            description: 'No sender has responded for three days.',
          },
          {
            guard: 'isRunningTimer',
            actions: 'repeatAttempt',
            description: 'The sender did not respond: the same attempt is sent again.',
          },
        ],
      },
    },
    waiting: {
      description: 'The last attempt failed. The next one is scheduled.',
      meta: { waitsFor: 'the next attempt' },
      on: {
        'sender.attempt_succeeded': {
          target: 'delivered',
          actions: ['countLateSuccess', 'cancelRetry'],
          description: 'A late response to an attempt that was recorded as not made or failed.',
        },
        // An older timer may have fired just before a redelivery was requested.
        'timer.retry_due': { guard: 'isRunningTimer', target: 'sending', actions: 'cancelRetry' },
        'merchant.redelivery_requested': { target: 'sending', actions: 'cancelRetry' },
      },
    },
    delivered: {
      type: 'final',
      description: 'The endpoint responded 2xx.',
      entry: 'recordEnd',
    },
    failed: {
      type: 'final',
      description: 'The schedule or its 24 hours are used up, or no sender responded for three days.',
      entry: 'recordEnd',
    },
  },
});
