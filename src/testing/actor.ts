import { type EventFromLogic, initialTransition, type SnapshotFrom, transition } from 'xstate';
import {
  type MerchantNotification,
  statePath,
  type TransactionContext,
  type TransactionEffects,
  type TransactionTerms,
  type TransactionTimer,
  transactionMachine,
  type UnixMs,
} from '../../machines/index.ts';

/**
 * One payment run by the same chart as the service, with its timers and pending questions in
 * memory.
 */
export interface PaymentActor {
  readonly context: TransactionContext;
  /** Active leaf state as a dotted path. */
  readonly state: string;
  readonly isOver: boolean;
  /** Due value of each running timer: Unix ms, or a block height for `depth_reached`. */
  readonly timers: ReadonlyMap<TransactionTimer, number>;
  send(event: EventFromLogic<typeof transactionMachine>): void;
  /**
   * The ids of the next outputs whose depth the chart asked for; undefined when nothing is pending.
   */
  takeQuestion(): readonly string[] | undefined;
}

/** Starts a payment. `onWebhook` is called for every webhook, with the context and the time. */
export function startActor(
  terms: TransactionTerms,
  onWebhook: (notification: MerchantNotification, context: TransactionContext, at: UnixMs) => void,
): PaymentActor {
  const timers = new Map<TransactionTimer, number>();
  const questions: (readonly string[])[] = [];
  const [first, opening] = initialTransition(transactionMachine, terms);
  if (first.status === 'error') throw first.error;
  let snapshot: SnapshotFrom<typeof transactionMachine> = first;
  carryOut(opening, terms.createdAt);

  function carryOut(actions: readonly EmittedEffect[], at: UnixMs): void {
    for (const action of actions) {
      if (isEffect(action, 'startTimer')) timers.set(action.params.timer, action.params.dueAt);
      else if (isEffect(action, 'startHeightTimer')) timers.set(action.params.timer, action.params.height);
      else if (isEffect(action, 'cancelTimer')) timers.delete(action.params.timer);
      else if (isEffect(action, 'verifyOutputs')) questions.push(action.params.outputIds);
      else if (isEffect(action, 'notifyMerchant')) onWebhook(action.params, snapshot.context, at);
    }
  }

  return {
    timers,
    get context() {
      return snapshot.context;
    },
    get state() {
      return statePath(snapshot.value);
    },
    get isOver() {
      return snapshot.status !== 'active';
    },
    send(event) {
      if (snapshot.status !== 'active') return;
      if (event.type.startsWith('timer.')) timers.delete(event.type.slice('timer.'.length) as TransactionTimer);
      const [next, actions] = transition(transactionMachine, snapshot, event);
      snapshot = next;
      carryOut(actions, event.at);
    },
    takeQuestion: () => questions.shift(),
  };
}

// Helpers

interface EmittedEffect {
  readonly type: string;
  readonly params: unknown;
}

/** The chart types the parameters of its effects; `transition` returns them untyped. */
function isEffect<T extends keyof TransactionEffects>(
  action: EmittedEffect,
  type: T,
): action is { readonly type: T; readonly params: TransactionEffects[T] } {
  return action.type === type;
}
