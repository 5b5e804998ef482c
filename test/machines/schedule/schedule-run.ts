import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import {
  type Interval,
  type ScheduleContext,
  type ScheduleEffects,
  type ScheduleEmail,
  type ScheduleEvent,
  type ScheduleNotification,
  type ScheduleTerms,
  type ScheduleTimer,
  scheduleMachine,
  statePath,
} from '../../../machines/index.ts';

/** One schedule driven by hand; its snapshot is serialised to JSON and back after every event. */
export interface ScheduleRun {
  readonly timers: ReadonlyMap<ScheduleTimer, number>;
  readonly mails: readonly ScheduleEmail[];
  readonly notifications: readonly ScheduleNotification[];
  readonly requested: readonly { periodNo: number; dueAt: number; at: number }[];
  readonly skipped: readonly { from: number; to: number }[];
  readonly settled: readonly ScheduleEffects['settlePeriod'][];
  readonly excess: readonly ScheduleEffects['noteExcess'][];
  /** The period that was awaited when the schedule ended; null for none. */
  cutShort(): number | null;
  now(): number;
  leaf(): string;
  isOver(): boolean;
  context(): ScheduleContext;
  /** Delivers an event now. */
  send(event: UntimedEvent): void;
  /** Advances the time; timers fire when due, in order. */
  passTo(moment: number): void;
  /**
   * Time passes during downtime: all due timers fire only at its end, in the order given by `pick`.
   */
  sleepTo(moment: number, pick?: (due: readonly ScheduleTimer[]) => ScheduleTimer): void;
  /** Time passes, and the due timers have not fired yet when the next event arrives. */
  lagTo(moment: number): void;
}

/** An event without its time. */
export type UntimedEvent = DistributiveOmit<Exclude<ScheduleEvent, { type: `timer.${string}` }>, 'at'>;

export const CREATED_AT = Date.UTC(2027, 0, 31, 9, 30);

export function startSchedule(
  terms: Partial<ScheduleTerms> & { interval: Interval } = { interval: 'monthly' },
): ScheduleRun {
  const timers = new Map<ScheduleTimer, number>();
  const mails: ScheduleEmail[] = [];
  const notifications: ScheduleNotification[] = [];
  const requested: { periodNo: number; dueAt: number; at: number }[] = [];
  const skipped: { from: number; to: number }[] = [];
  const settled: ScheduleEffects['settlePeriod'][] = [];
  const excess: ScheduleEffects['noteExcess'][] = [];
  const input = { scheduleId: 'sch_example', startAt: null, maxPeriods: null, createdAt: CREATED_AT, ...terms };
  let now = input.createdAt;
  const [first, opening] = initialTransition(scheduleMachine, input);
  let snapshot = throughJson(first);
  for (const action of opening) carryOut(action);

  let cutShort: number | null = null;

  function sendEvent(event: ScheduleEvent): void {
    if (snapshot.status !== 'active') return;
    const [next, actions] = transition(scheduleMachine, snapshot, event);
    const asked = actions as readonly Effect[];
    const isNotified = asked.some(
      ({ type, params }) => type === 'notifyMerchant' && params.event === 'recurring.payment.unpaid',
    );
    for (const { type, params } of isNotified ? [] : asked) {
      if (type === 'settlePeriod' && params.outcome === 'unpaid') cutShort = params.periodNo;
    }
    snapshot = throughJson(next);
    for (const action of actions) carryOut(action);
  }

  function carryOut(action: { readonly type: string; readonly params: unknown }): void {
    const effect = action as Effect;
    switch (effect.type) {
      case 'startTimer':
        timers.set(effect.params.timer, effect.params.dueAt);
        break;
      case 'cancelTimer':
        timers.delete(effect.params.timer);
        break;
      case 'sendMail':
        mails.push(effect.params);
        break;
      case 'requestPeriod':
        requested.push({ ...effect.params, at: now });
        break;
      case 'skipPeriods':
        skipped.push(effect.params);
        break;
      case 'settlePeriod':
        settled.push(effect.params);
        break;
      case 'noteExcess':
        excess.push(effect.params);
        break;
      case 'notifyMerchant':
        notifications.push(effect.params);
        break;
      default:
        throw new Error(`the chart asked for an unknown effect ${action.type}`);
    }
  }

  function fire(timer: ScheduleTimer): void {
    const dueAt = timers.get(timer);
    if (dueAt === undefined) return;
    timers.delete(timer);
    sendEvent({ type: `timer.${timer}`, at: now, dueAt });
  }

  const dueBy = (moment: number) =>
    [...timers]
      .filter(([, dueAt]) => dueAt <= moment)
      .sort((a, b) => a[1] - b[1])
      .map(([timer]) => timer);

  return {
    timers,
    mails,
    notifications,
    requested,
    skipped,
    settled,
    excess,
    cutShort: () => cutShort,
    now: () => now,
    leaf: () => statePath(snapshot.value),
    isOver: () => snapshot.status === 'done',
    context: () => snapshot.context,
    send: (event) => sendEvent({ ...event, at: now }),
    passTo(moment) {
      for (let [next] = dueBy(moment); next !== undefined; [next] = dueBy(moment)) {
        now = Math.max(now, timers.get(next) ?? now);
        fire(next);
      }
      now = Math.max(now, moment);
    },
    lagTo(moment) {
      now = Math.max(now, moment);
    },
    sleepTo(moment, pick = ([first]) => first as ScheduleTimer) {
      now = Math.max(now, moment);
      for (let due = dueBy(now); due.length > 0; due = dueBy(now)) fire(pick(due));
    },
  };
}

// Helpers

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

type Effect = {
  [Type in keyof ScheduleEffects]: { readonly type: Type; readonly params: ScheduleEffects[Type] };
}[keyof ScheduleEffects];

type Snapshot = SnapshotFrom<typeof scheduleMachine>;

function throughJson({ value, context, status }: Snapshot): Snapshot {
  return scheduleMachine.resolveState(JSON.parse(JSON.stringify({ value, context, status })));
}
