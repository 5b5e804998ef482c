import { databaseUnavailable } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import { firingOf, pairKey } from '../consequences.ts';
import { foldEvent, foldFailure, foldIgnored, type LiveActor } from '../fold.ts';
import type { UnreadableActor } from '../sql/actors.ts';
import { findArchived } from '../sql/archive.ts';
import type { ConditionalCommand, EventCommand, EventOutcome, StaleOutcome } from '../types.ts';
import { startOne } from './batch-starts.ts';
import { type BatchState, type Poison, record } from './batch-state.ts';
import type { CommandResult, TracedEvent } from './command.ts';
import type { LoadedBatch } from './load-batch.ts';

/**
 * Delivers the events of a batch in order, each to its locked actor. With `poison`, the one event
 * could not be written before: it is dead-lettered without running the chart.
 */
export async function deliverEvents(batch: BatchState, loaded: LoadedBatch, poison: Poison | null): Promise<void> {
  const { events, accepted, timers, unreadable } = loaded;
  const isMissing = (id: string) => !batch.actors.has(id) && !unreadable.has(id);
  // After the locks, to include actors archived while the batch waited.
  const missing = events.filter(({ command: { actorId, start } }) => start === undefined && isMissing(actorId));
  const found = await findArchived(batch.trx, [...new Set(missing.map(({ command }) => command.actorId))]);
  const archived = new Map([...loaded.archived, ...found]);
  for (const { command, index } of events) {
    const identity = pairKey(command.actorId, command.eventId);
    const actor = batch.actors.get(command.actorId);
    const { start } = command;
    if (start !== undefined && isMissing(command.actorId) && !archived.has(command.actorId)) {
      const result = startAndDeliver(batch, { ...command, start }, timers, poison);
      batch.results[index] = result;
      if (!('rejection' in result) && result.outcome.outcome !== 'failed') accepted.add(identity);
      continue;
    }
    let outcome: EventOutcome | StaleOutcome;
    if (accepted.has(identity)) {
      outcome = { outcome: 'duplicate', state: actor?.state ?? null };
    } else if (actor !== undefined && hasMovedOn(actor, command)) {
      outcome = { outcome: 'stale', state: actor.state };
    } else if (actor === undefined && archived.has(command.actorId)) {
      // Ignored like any event of a finished actor, but not journaled.
      outcome = { outcome: 'ignored', state: archived.get(command.actorId) ?? null };
    } else if (actor === undefined) {
      outcome = deadLetterUnread(batch, unreadable.get(command.actorId), command);
    } else {
      outcome = deliverOne(batch, actor, command, timers, poison);
      if (outcome.outcome !== 'failed') accepted.add(identity);
    }
    batch.results[index] = { outcome, actor };
  }
}

// Helpers

/**
 * Checked under the lock, so that no step can come between check and delivery. A sequence the actor
 * has not reached was never seen by a caller.
 */
function hasMovedOn({ sequence, lastChange }: LiveActor, command: EventCommand | ConditionalCommand): boolean {
  if (!('expectedSequence' in command)) return false;
  return command.expectedSequence < lastChange || command.expectedSequence > sequence;
}

type StartOfActor = NonNullable<EventCommand['start']>;
type Timers = LoadedBatch['timers'];

function deliverOne(
  batch: BatchState,
  actor: LiveActor,
  command: TracedEvent,
  timers: Timers,
  poison: Poison | null,
): EventOutcome {
  if (poison !== null) return deadLetter(batch, actor, command, poison);
  const now = batch.clock.now();
  // `transition` runs root handlers even on a finished chart; a finished actor must not change.
  const isMissed = actor.snapshot.status !== 'active';
  if (isMissed || isStale(batch, command, timers)) {
    batch.steps.push({ kind: actor.kind, step: foldIgnored(actor, command, now), isMissed });
    return { outcome: 'ignored', state: actor.state };
  }
  const before = { ...actor };
  try {
    const step = foldEvent(actor, command, now);
    record(batch, actor.kind, step, command.trace);
    return { outcome: step.outcome === 'ignored' ? 'ignored' : 'applied', state: actor.state };
  } catch (error) {
    Object.assign(actor, before);
    return deadLetter(batch, actor, command, { reason: messageOf(error), isTransient: false });
  }
}

/** The event includes the start of its actor. Like any start, it is never dead-lettered. */
function startAndDeliver(
  batch: BatchState,
  command: TracedEvent & { readonly start: StartOfActor },
  timers: Timers,
  poison: Poison | null,
): CommandResult {
  const { actorId, start, trace = null } = command;
  if (poison !== null) {
    const cause = new Error(poison.reason);
    return { rejection: poison.isTransient ? databaseUnavailable(cause) : cause };
  }
  const kind = batch.kinds.get(start.kind);
  if (kind.prepare !== undefined)
    return { rejection: new Error(`an event cannot start a ${kind.name}: it needs preparation`) };
  const started = startOne(batch, kind, { ...start, actorId, startKey: null, trace }, start);
  if ('rejection' in started || started.actor === undefined) return started;
  const { actor } = started;
  const isOver = actor.snapshot.status !== 'active';
  const outcome: EventOutcome = isOver
    ? { outcome: 'applied', state: actor.state }
    : deliverOne(batch, actor, command, timers, null);
  return { outcome: { ...outcome, hasStarted: true }, actor };
}

/**
 * True when the event is a firing of a timer that was cancelled, reset, or has fired since it was
 * published.
 */
function isStale(batch: BatchState, { actorId, eventId }: EventCommand, timers: Timers): boolean {
  const firing = firingOf(eventId);
  if (firing === null) return false;
  const key = pairKey(actorId, firing.name);
  const change = batch.consequences.timers.get(key);
  if (change === undefined) return timers.get(key) !== firing.setBySequence;
  return change.kind === 'remove' || (change.kind === 'set' && change.setBySequence !== firing.setBySequence);
}

/**
 * Journals an event that made the chart or an effect handler throw as `failed` and dead-letters it,
 * without effects.
 */
function deadLetter(batch: BatchState, actor: LiveActor, command: EventCommand, poison: Poison): EventOutcome {
  batch.steps.push({ kind: actor.kind, step: foldFailure(actor, command, batch.clock.now(), poison.reason) });
  addDeadLetter(batch, command, poison);
  return { outcome: 'failed', state: actor.state };
}

/**
 * Events for an actor whose row or snapshot this process cannot read are dead-lettered and not
 * journaled.
 */
function deadLetterUnread(batch: BatchState, actor: UnreadableActor | undefined, command: EventCommand): EventOutcome {
  if (actor === undefined) return { outcome: 'unknown_actor', state: null };
  addDeadLetter(batch, command, { reason: actor.reason, isTransient: false });
  return { outcome: 'failed', state: actor.state };
}

function addDeadLetter(batch: BatchState, { actorId, eventId, event, topic }: EventCommand, poison: Poison): void {
  const firing = firingOf(eventId);
  if (firing !== null) {
    const parking = { kind: 'park', actorId, name: firing.name, setBySequence: firing.setBySequence } as const;
    const key = pairKey(actorId, firing.name);
    if (!batch.consequences.timers.has(key)) batch.consequences.timers.set(key, parking);
  }
  const data = { actorId, eventId, event, ...(topic === undefined ? {} : { topic }) };
  batch.deadLetters.push({ queue: 'engine', messageId: `${actorId}:${eventId}`, actorId, data, ...poison });
}
