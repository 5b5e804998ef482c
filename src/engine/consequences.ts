import { partitionOf } from '../bus/index.ts';
import type { ActorKind, OutgoingMessage, Step } from './types.ts';

/** What the steps of one batch ask of timers and outbox, reduced to the last word per timer. */
export interface Consequences {
  /** By `pairKey(actorId, name)`. */
  readonly timers: Map<string, TimerChange>;
  readonly messages: OutgoingMessage[];
}

export type TimerChange = TimerSetting | TimerRemoval | TimerParking;

export interface TimerSetting {
  readonly kind: 'set';
  readonly actorId: string;
  readonly name: string;
  readonly setBySequence: number;
  readonly dueAt: number | null;
  readonly gate: string | null;
  readonly height: number | null;
  readonly queue: string;
}

export interface TimerRemoval {
  readonly kind: 'remove';
  readonly actorId: string;
  readonly name: string;
}

/** Its firing was set aside: it stays, so that its dead letter can be delivered again, but never fires by itself. */
export interface TimerParking {
  readonly kind: 'park';
  readonly actorId: string;
  readonly name: string;
  readonly setBySequence: number;
}

/** Which setting of a timer an event stands for. */
export interface Firing {
  readonly name: string;
  readonly setBySequence: number;
}

export function noConsequences(): Consequences {
  return { timers: new Map(), messages: [] };
}

/** Events of one kind of actor travel in a queue of their own. */
export function actorQueue(kind: string): string {
  return `actor-${kind}`;
}

/** Timers come as events with ids that name the setting that fired. */
export function timerEventId({ name, setBySequence }: Firing): string {
  return `timer:${name}:${setBySequence}`;
}

/** The setting an event id names; null when the event is no timer's. */
export function firingOf(eventId: string): Firing | null {
  const found = /^timer:(.+):(\d+)$/.exec(eventId);
  return found?.[1] === undefined ? null : { name: found[1], setBySequence: Number(found[2]) };
}

/** One map key for two texts. No text in the database contains NUL, so different pairs have different keys. */
export function pairKey(first: string, second: string): string {
  return `${first}\u0000${second}`;
}

/**
 * What one step asks for, in order. Throws what a handler throws, before anything is added to the batch. The firing that
 * caused the step is used up.
 */
export function consequencesOf(kind: ActorKind, step: Step, trace: string | null = null): Consequences {
  const { actorId } = step;
  const asked = noConsequences();
  const change = (timer: TimerChange) => asked.timers.set(pairKey(actorId, timer.name), timer);
  const firing = firingOf(step.eventId);
  if (firing !== null) change({ kind: 'remove', actorId, name: firing.name });
  const consequences = step.effects.flatMap((effect) => {
    const handler = kind.effects[effect.type];
    if (handler === undefined) throw new Error(`effect "${effect.type}" of chart "${kind.name}" has no handler`);
    // The registry's types were erased by `defineKind`; chart and handlers agree there.
    return handler(effect.params as never, step as never);
  });
  for (const [place, wanted] of consequences.entries()) {
    if (wanted.kind === 'message') {
      const { queue, key, data } = wanted;
      const id = `${actorId}:${step.sequence}:${place}`;
      asked.messages.push({ id, queue, partition: partitionOf(key), data, trace });
    } else if (wanted.kind === 'cancelTimer') {
      change({ kind: 'remove', actorId, name: wanted.name });
    } else {
      const { name, gate } = wanted;
      const dueAt = wanted.kind === 'timer' ? wanted.dueAt : null;
      const height = wanted.kind === 'heightTimer' ? wanted.height : null;
      const queue = actorQueue(kind.name);
      change({ kind: 'set', actorId, name, setBySequence: step.sequence, dueAt, gate, height, queue });
    }
  }
  return asked;
}

/** Adds what one step asks for to what its batch asks for; the later word on a timer counts. */
export function addConsequences(into: Consequences, asked: Consequences): void {
  for (const [key, change] of asked.timers) into.timers.set(key, change);
  into.messages.push(...asked.messages);
}
