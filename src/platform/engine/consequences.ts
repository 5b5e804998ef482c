import { partitionOf } from '../bus/index.ts';
import type { ActorKind, OutgoingMessage, Step } from './types.ts';

/**
 * Timer changes and messages requested by the steps of one batch; the last change per timer wins.
 */
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

/**
 * Its firing was dead-lettered: the row stays so that the dead letter can be redelivered, but the
 * timer does not fire automatically.
 */
export interface TimerParking {
  readonly kind: 'park';
  readonly actorId: string;
  readonly name: string;
  readonly setBySequence: number;
}

/** The setting of a timer that an event is a firing of. */
export interface Firing {
  readonly name: string;
  readonly setBySequence: number;
}

export function noConsequences(): Consequences {
  return { timers: new Map(), messages: [] };
}

/** Each kind of actor has its own event queue. */
export function actorQueue(kind: string): string {
  return `actor-${kind}`;
}

/** The event id of a firing; it contains the sequence of the step that set the timer. */
export function timerEventId({ name, setBySequence }: Firing): string {
  return `timer:${name}:${setBySequence}`;
}

/** Parses a firing's event id; null for other events. */
export function firingOf(eventId: string): Firing | null {
  const found = /^timer:(.+):(\d+)$/.exec(eventId);
  return found?.[1] === undefined ? null : { name: found[1], setBySequence: Number(found[2]) };
}

/**
 * One map key for two texts. Text in Postgres cannot contain NUL, so different pairs have different
 * keys.
 */
export function pairKey(first: string, second: string): string {
  return `${first}\u0000${second}`;
}

/**
 * Returns what one step requests, in order. A step caused by a timer also removes that timer.
 * Throws what an effect handler throws.
 */
export function consequencesOf(kind: ActorKind, step: Step, trace: string | null = null): Consequences {
  const { actorId } = step;
  const requested = noConsequences();
  const change = (timer: TimerChange) => requested.timers.set(pairKey(actorId, timer.name), timer);
  const firing = firingOf(step.eventId);
  if (firing !== null) change({ kind: 'remove', actorId, name: firing.name });
  const consequences = step.effects.flatMap((effect) => {
    const handler = kind.effects[effect.type];
    if (handler === undefined) throw new Error(`effect "${effect.type}" of chart "${kind.name}" has no handler`);
    // `defineKind` erased the types; it guarantees that chart and handlers match.
    return handler(effect.params as never, step as never);
  });
  for (const [index, consequence] of consequences.entries()) {
    if (consequence.kind === 'message') {
      const { queue, key, data } = consequence;
      const id = `${actorId}:${step.sequence}:${index}`;
      requested.messages.push({ id, queue, partition: partitionOf(key), data, trace });
    } else if (consequence.kind === 'cancelTimer') {
      change({ kind: 'remove', actorId, name: consequence.name });
    } else {
      const { name, gate } = consequence;
      const dueAt = consequence.kind === 'timer' ? consequence.dueAt : null;
      const height = consequence.kind === 'heightTimer' ? consequence.height : null;
      const queue = actorQueue(kind.name);
      change({ kind: 'set', actorId, name, setBySequence: step.sequence, dueAt, gate, height, queue });
    }
  }
  return requested;
}

/** Merges the consequences of one step into its batch; the later change of a timer wins. */
export function addConsequences(into: Consequences, requested: Consequences): void {
  for (const [key, change] of requested.timers) into.timers.set(key, change);
  into.messages.push(...requested.messages);
}
