import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import {
  type MerchantNotification,
  type PaymentEvent,
  statePath,
  type TransactionContext,
  type TransactionEffects,
  type TransactionEvent,
  type TransactionTerms,
  type TransactionTimer,
  transactionMachine,
} from '../../../machines/index.ts';
import { TERMS } from './terms.ts';

/**
 * One transaction driven by hand, with the part of the engine these tests need. It records effects
 * (running timers, requested verifications, notifications), serialises the snapshot to JSON and
 * back after every event, and delivers nothing to an actor that has ended.
 */
export interface ActorRun {
  readonly terms: TransactionTerms;
  /** Events the actor received, in order; none after its end. */
  readonly journal: readonly TransactionEvent[];
  readonly timers: ReadonlyMap<TransactionTimer, TimerSetting>;
  /**
   * Every timer ever set, including those moved or cancelled: their events may still be in flight.
   */
  readonly timersEverSet: readonly TimerSetting[];
  /** Verifications requested and not taken by `takeVerification` yet, oldest first. */
  readonly verifications: readonly (readonly string[])[];
  readonly notifications: readonly MerchantNotification[];
  readonly alerts: readonly TransactionEffects['alertOperator'][];
  /** The opening step. */
  readonly opening: Step;
  view(): View;
  send(event: TransactionEvent): Step;
  takeVerification(): readonly string[] | undefined;
}

export interface View {
  /** Active leaf state as a dotted path. */
  readonly leaf: string;
  readonly status: string;
  readonly context: TransactionContext;
}

export interface Step {
  /** Null for the opening. */
  readonly event: TransactionEvent | null;
  readonly before: View | null;
  readonly after: View;
  readonly effects: readonly Effect[];
}

export type Effect = {
  [Type in keyof TransactionEffects]: { readonly type: Type; readonly params: TransactionEffects[Type] };
}[keyof TransactionEffects];

/** `at` is the due time in ms for clock timers, the chain height for the depth timer. */
export interface TimerSetting {
  readonly timer: TransactionTimer;
  readonly at: number;
}

export function startRun(terms: TransactionTerms): ActorRun {
  const journal: TransactionEvent[] = [];
  const timers = new Map<TransactionTimer, TimerSetting>();
  const timersEverSet: TimerSetting[] = [];
  const verifications: (readonly string[])[] = [];
  const notifications: MerchantNotification[] = [];
  const alerts: TransactionEffects['alertOperator'][] = [];

  const [first, firstActions] = initialTransition(transactionMachine, terms);
  // A chart that rejects its terms does not throw: its initial snapshot has status `error`.
  if (first.status === 'error') throw first.error;
  let snapshot = throughJson(first);
  const opening: Step = { event: null, before: null, after: viewOf(snapshot), effects: firstActions.map(toEffect) };
  for (const effect of opening.effects) carryOut(effect);

  return {
    terms,
    journal,
    timers,
    timersEverSet,
    verifications,
    notifications,
    alerts,
    opening,
    view: () => viewOf(snapshot),
    takeVerification: () => verifications.shift(),
    send(event) {
      const before = viewOf(snapshot);
      if (snapshot.status !== 'active') return { event, before, after: before, effects: [] };
      journal.push(event);
      consumeTimer(event);
      const [next, actions] = transition(transactionMachine, snapshot, event);
      snapshot = throughJson(next);
      const effects = actions.map(toEffect);
      for (const effect of effects) carryOut(effect);
      if (snapshot.status !== 'active') timers.clear();
      return { event, before, after: viewOf(snapshot), effects };
    },
  };

  function carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'startTimer':
        setTimer({ timer: effect.params.timer, at: effect.params.dueAt });
        break;
      case 'startHeightTimer':
        setTimer({ timer: effect.params.timer, at: effect.params.height });
        break;
      case 'cancelTimer':
        timers.delete(effect.params.timer);
        break;
      case 'verifyOutputs':
        verifications.push(effect.params.outputIds);
        break;
      case 'notifyMerchant':
        notifications.push(effect.params);
        break;
      case 'alertOperator':
        alerts.push(effect.params);
        break;
      case 'watchAddress':
      case 'stopWatching':
        break;
    }
  }

  function setTimer(setting: TimerSetting): void {
    timers.set(setting.timer, setting);
    timersEverSet.push(setting);
  }

  /** A timer that fires is gone; the event of one that was moved leaves the new one running. */
  function consumeTimer(event: TransactionEvent): void {
    if (!event.type.startsWith('timer.')) return;
    const timer = event.type.slice('timer.'.length) as TransactionTimer;
    const at = 'dueAt' in event ? event.dueAt : 'height' in event ? event.height : undefined;
    if (timers.get(timer)?.at === at) timers.delete(timer);
  }
}

/** The shared example's payment after these events. */
export function play(events: readonly TransactionEvent[], terms: Partial<TransactionTerms> = {}): ActorRun {
  const run = startRun({ ...TERMS, ...terms });
  for (const event of events) run.send(event);
  return run;
}

/** The webhooks of a run, in order. */
export function webhooksOf(run: ActorRun): PaymentEvent[] {
  return run.notifications.map(({ event }) => event);
}

/** Folds a journal from scratch, without JSON in between. */
export function replay(terms: TransactionTerms, journal: readonly TransactionEvent[]): View {
  let [snapshot] = initialTransition(transactionMachine, terms);
  for (const event of journal) {
    if (snapshot.status !== 'active') break;
    [snapshot] = transition(transactionMachine, snapshot, event);
  }
  return viewOf(snapshot);
}

// Helpers

type Snapshot = SnapshotFrom<typeof transactionMachine>;

function throughJson({ value, context, status }: Snapshot): Snapshot {
  return transactionMachine.resolveState(JSON.parse(JSON.stringify({ value, context, status })));
}

function viewOf(snapshot: Snapshot): View {
  return { leaf: statePath(snapshot.value), status: snapshot.status, context: snapshot.context };
}

const EFFECT_TYPES: { readonly [Type in keyof TransactionEffects]: true } = {
  startTimer: true,
  startHeightTimer: true,
  cancelTimer: true,
  watchAddress: true,
  stopWatching: true,
  verifyOutputs: true,
  notifyMerchant: true,
  alertOperator: true,
};

function toEffect(action: { readonly type: string; readonly params: unknown }): Effect {
  if (!Object.hasOwn(EFFECT_TYPES, action.type))
    throw new Error(`the chart asked for an unknown effect ${action.type}`);
  return { type: action.type, params: action.params } as Effect;
}
