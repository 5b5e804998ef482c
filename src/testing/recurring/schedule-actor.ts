import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import {
  type ScheduleContext,
  type ScheduleEffects,
  type ScheduleEvent,
  type ScheduleNotification,
  type ScheduleStatus,
  type ScheduleTerms,
  type ScheduleTimer,
  scheduleMachine,
  scheduleStatusOf,
  statePath,
  type UnixMs,
} from '../../../machines/index.ts';

/**
 * One recurring payment request run by the same chart as the service, with its timers in memory.
 */
export interface ScheduleActor {
  readonly context: ScheduleContext;
  readonly status: ScheduleStatus;
  /** When each running timer is due. */
  readonly timers: ReadonlyMap<ScheduleTimer, UnixMs>;
  send(event: ScheduleEvent): void;
}

/** Starts a request. Calls `onWebhook` for each webhook, with the status after it and the time. */
export function startScheduleActor(
  terms: ScheduleTerms,
  onWebhook: (notification: ScheduleNotification, status: ScheduleStatus, at: UnixMs) => void,
): ScheduleActor {
  const timers = new Map<ScheduleTimer, UnixMs>();
  const [first, opening] = initialTransition(scheduleMachine, terms);
  if (first.status === 'error') throw first.error;
  let snapshot: SnapshotFrom<typeof scheduleMachine> = first;
  carryOut(opening, terms.createdAt);

  function carryOut(actions: readonly EmittedEffect[], at: UnixMs): void {
    for (const action of actions) {
      if (isEffect(action, 'startTimer')) timers.set(action.params.timer, action.params.dueAt);
      else if (isEffect(action, 'cancelTimer')) timers.delete(action.params.timer);
      else if (isEffect(action, 'notifyMerchant')) onWebhook(action.params, statusOf(snapshot), at);
    }
  }

  return {
    timers,
    get context() {
      return snapshot.context;
    },
    get status() {
      return statusOf(snapshot);
    },
    send(event) {
      if (snapshot.status !== 'active') return;
      if ('dueAt' in event) timers.delete(event.type.slice('timer.'.length) as ScheduleTimer);
      const [next, actions] = transition(scheduleMachine, snapshot, event);
      snapshot = next;
      carryOut(actions, event.at);
    },
  };
}

// Helpers

interface EmittedEffect {
  readonly type: string;
  readonly params: unknown;
}

/** The chart types the parameters of its effects; `transition` returns them untyped. */
function isEffect<T extends keyof ScheduleEffects>(
  action: EmittedEffect,
  type: T,
): action is { readonly type: T; readonly params: ScheduleEffects[T] } {
  return action.type === type;
}

function statusOf({ value, context }: SnapshotFrom<typeof scheduleMachine>): ScheduleStatus {
  return scheduleStatusOf(statePath(value), context);
}
