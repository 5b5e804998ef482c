import { statePath, type UnixMs } from '../../../machines/index.ts';
import { firingOf } from './consequences.ts';
import { storable } from './storable.ts';
import type { ActorEvent, ActorKind, Effect, Snapshot, StartCommand, Step } from './types.ts';

/** A loaded actor while a batch folds its events. */
export interface LiveActor {
  readonly id: string;
  readonly kind: ActorKind;
  readonly startKey: string | null;
  readonly clockOffsetMs: number;
  readonly createdAt: UnixMs;
  snapshot: Snapshot;
  state: string;
  sequence: number;
  /** Sequence of the last step that changed it. */
  lastChange: number;
  updatedAt: UnixMs;
  stateEnteredAt: UnixMs;
  /** Not inserted yet. */
  readonly isNew: boolean;
}

/** Event type of the step that starts an actor; its event holds the chart's input. */
const START_EVENT = 'actor.started';

/** Returns the new actor and its first step. Throws when the chart rejects the input. */
export function foldStart(kind: ActorKind, start: StartCommand, now: UnixMs): { actor: LiveActor; step: Step } {
  const input = { ...start.input, createdAt: now };
  const [snapshot, actions] = kind.stepper.start(input);
  throwIfBroken(snapshot);
  const actor: LiveActor = {
    id: start.actorId,
    kind,
    startKey: start.startKey,
    clockOffsetMs: 0,
    createdAt: now,
    snapshot,
    state: statePath(snapshot.value),
    sequence: 1,
    lastChange: 1,
    updatedAt: now,
    stateEnteredAt: now,
    isNew: true,
  };
  const stamped = { eventId: START_EVENT, event: { type: START_EVENT, input }, at: now };
  const step = stepOf(actor, stamped, 'started', effectsOf(actions));
  return { actor, step: { ...step, attachment: start.attachment ?? null } };
}

/**
 * Folds one event into the actor and returns the step. Stamps the event with the actor's own time,
 * which never runs backwards; a timer firing is never stamped before its due time. Throws what the
 * chart throws and leaves the actor unchanged.
 */
export function foldEvent(actor: LiveActor, command: Received, now: UnixMs): Step {
  const stamped = stamp(actor, command, now);
  const [next, actions] = actor.kind.stepper.step(actor.snapshot, stamped.event);
  throwIfBroken(next);
  const effects = effectsOf(actions);
  actor.sequence += 1;
  if (effects.length === 0 && isUnchanged(actor.snapshot, next)) return stepOf(actor, stamped, 'ignored', []);
  const state = statePath(next.value);
  if (state !== actor.state) actor.stateEnteredAt = stamped.at;
  actor.snapshot = next;
  actor.lastChange = actor.sequence;
  actor.updatedAt = stamped.at;
  actor.state = state;
  return stepOf(actor, stamped, 'applied', effects);
}

/**
 * The step of an event that does not reach the chart: the actor has finished, or a stale timer
 * fired.
 */
export function foldIgnored(actor: LiveActor, command: Received, now: UnixMs): Step {
  actor.sequence += 1;
  return stepOf(actor, stamp(actor, command, now), 'ignored', []);
}

/** The step of an event that failed. The actor is unchanged except for its sequence. */
export function foldFailure(actor: LiveActor, command: Received, now: UnixMs, error: string): Step {
  actor.sequence += 1;
  const stamped = stamp(actor, command, now);
  const event = storable(stamped.event);
  return { ...stepOf(actor, { ...stamped, event }, 'failed', []), error };
}

/** The step that an actor has just taken. */
export function stepOf(
  actor: LiveActor,
  { eventId, event, at }: Stamped,
  outcome: Step['outcome'],
  effects: readonly Effect[],
): Step {
  return {
    eventId,
    event,
    at,
    wallAt: at - actor.clockOffsetMs,
    actorId: actor.id,
    sequence: actor.sequence,
    outcome,
    state: actor.state,
    context: actor.snapshot.context,
    effects,
    attachment: null,
    error: null,
  };
}

// Helpers

/** XState returns some chart errors as a snapshot, which must not be stored. */
function throwIfBroken(snapshot: Snapshot): void {
  if (snapshot.status === 'error') throw snapshot.error;
}

/**
 * Whether a transition changed nothing. A handler that finds nothing new, as for a repeated
 * observation, returns a new snapshot whose context has the same fields: it is not projected, and a
 * decision made on the previous step is still valid.
 */
function isUnchanged(before: Snapshot, next: Snapshot): boolean {
  if (next === before) return true;
  if (next.status !== before.status || statePath(next.value) !== statePath(before.value)) return false;
  const [old, fresh] = [before.context as Fields, next.context as Fields];
  const names = Object.keys(fresh);
  return names.length === Object.keys(old).length && names.every((name) => name in old && old[name] === fresh[name]);
}

type Fields = Readonly<Record<string, unknown>>;

interface Received {
  readonly eventId: string;
  readonly event: ActorEvent;
}

interface Stamped extends Received {
  readonly at: UnixMs;
}

function stamp(actor: LiveActor, { eventId, event }: Received, now: UnixMs): Stamped {
  const at = Math.max(now + actor.clockOffsetMs, actor.updatedAt, dueAtOf(eventId, event));
  return { eventId, event: { ...event, at }, at };
}

/**
 * Due time of a firing, 0 for other events: process clocks differ, and a firing is never stamped
 * before it was due.
 */
function dueAtOf(eventId: string, event: ActorEvent): UnixMs {
  return firingOf(eventId) !== null && 'dueAt' in event && typeof event.dueAt === 'number' ? event.dueAt : 0;
}

function effectsOf(actions: readonly { readonly type: string; readonly params?: unknown }[]): Effect[] {
  return actions.map(({ type, params }) => {
    if (type.startsWith('xstate.')) throw new Error(`the chart requested "${type}", which is not data`);
    return { type, params };
  });
}
