import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import {
  type DeliveryContext,
  type DeliveryEffects,
  type DeliveryEvent,
  type DeliveryTerms,
  deliveryMachine,
  statePath,
} from '../../../machines/index.ts';

/** One delivery driven by hand; its snapshot is serialised to JSON and back after every event. */
export interface DeliveryRun {
  readonly timers: ReadonlyMap<string, number>;
  /** Attempt numbers that were sent, repeats included. */
  readonly sent: readonly number[];
  /** The sent attempts that do not wait while the endpoint is held back. */
  readonly requested: readonly number[];
  /** Whether the last sent attempt must not wait because its delivery has run out of time. */
  isOverdue(): boolean;
  leaf(): string;
  isOver(): boolean;
  context(): DeliveryContext;
  /** When the one running timer is due; throws when there is not exactly one. */
  dueAt(): number;
  send(event: DeliveryEvent): void;
}

export const CREATED_AT = Date.UTC(2026, 2, 1);
export const DELIVERY: DeliveryTerms = {
  deliveryId: 'dlv_example',
  endpointId: 'whe_example',
  webhookEventId: 'evt_example',
  createdAt: CREATED_AT,
  earlierAttempts: 0,
};

export function startDelivery(terms: DeliveryTerms = DELIVERY): DeliveryRun {
  const timers = new Map<string, number>();
  const sent: number[] = [];
  const requested: number[] = [];
  let isOverdue = false;
  const [first, opening] = initialTransition(deliveryMachine, terms);
  let snapshot = throughJson(first);
  for (const action of opening) carryOut(action);

  return {
    timers,
    sent,
    requested,
    isOverdue: () => isOverdue,
    leaf: () => statePath(snapshot.value),
    isOver: () => snapshot.status === 'done',
    context: () => snapshot.context,
    dueAt() {
      const [due, ...others] = timers.values();
      if (due === undefined || others.length > 0) throw new Error(`expected one running timer, found ${timers.size}`);
      return due;
    },
    send(event) {
      if (snapshot.status !== 'active') return;
      const timer = event.type.startsWith('timer.') ? event.type.slice('timer.'.length) : undefined;
      if (timer !== undefined && 'dueAt' in event && timers.get(timer) === event.dueAt) timers.delete(timer);
      const [next, actions] = transition(deliveryMachine, snapshot, event);
      snapshot = throughJson(next);
      for (const action of actions) carryOut(action);
    },
  };

  function carryOut(action: { readonly type: string; readonly params: unknown }): void {
    const effect = action as Effect;
    switch (effect.type) {
      case 'sendAttempt':
        sent.push(effect.params.attempt);
        isOverdue = effect.params.isOverdue === true;
        if (effect.params.isRequested) requested.push(effect.params.attempt);
        break;
      case 'startTimer':
        timers.set(effect.params.timer, effect.params.dueAt);
        break;
      case 'cancelTimer':
        timers.delete(effect.params.timer);
        break;
      default:
        throw new Error(`the chart asked for an unknown effect ${action.type}`);
    }
  }
}

export function succeeded(attempt: number, at: number): DeliveryEvent {
  return { type: 'sender.attempt_succeeded', at, attempt, status: 200 };
}

export function failed(
  attempt: number,
  at: number,
  { jitter = 0, retryAfterMs = null }: { jitter?: number; retryAfterMs?: number | null } = {},
): DeliveryEvent {
  return { type: 'sender.attempt_failed', at, attempt, failure: UNAVAILABLE, jitter, retryAfterMs };
}

export function probeFailed(attempt: number, at: number, until: number): DeliveryEvent {
  return { type: 'sender.probe_failed', at, attempt, failure: UNAVAILABLE, until };
}

export function deferred(attempt: number, at: number, until: number): DeliveryEvent {
  const failure = { kind: 'held_back', status: null, detail: 'it has failed all the time' } as const;
  return { type: 'sender.attempt_deferred', at, attempt, failure, until };
}

// Helpers

const UNAVAILABLE = { kind: 'status', status: 503, detail: 'Service Unavailable' } as const;

type Effect = {
  [Type in keyof DeliveryEffects]: { readonly type: Type; readonly params: DeliveryEffects[Type] };
}[keyof DeliveryEffects];

type Snapshot = SnapshotFrom<typeof deliveryMachine>;

function throughJson({ value, context, status }: Snapshot): Snapshot {
  return deliveryMachine.resolveState(JSON.parse(JSON.stringify({ value, context, status })));
}
