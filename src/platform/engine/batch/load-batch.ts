import { settleAll } from '../../db/index.ts';
import { firingOf } from '../consequences.ts';
import { findStarted, lockActors, type UnreadableActor } from '../sql/actors.ts';
import { findArchived } from '../sql/archive.ts';
import { findAccepted } from '../sql/journal.ts';
import { findTimers } from '../sql/timers.ts';
import type { EventCommand } from '../types.ts';
import type { BatchState } from './batch-state.ts';
import type { Placed, TracedEvent, TracedStart } from './command.ts';

/** The commands of a batch by type, and the rows that they need besides their actors. */
export interface LoadedBatch {
  readonly starts: readonly Placed<TracedStart>[];
  readonly events: readonly Placed<TracedEvent>[];
  /** Actors, archived ones included, that have the id or start key of a start. */
  readonly started: readonly { readonly id: string; readonly start_key: string | null }[];
  readonly unreadable: ReadonlyMap<string, UnreadableActor>;
  /** States of archived actors that an event may start, by id. */
  readonly archived: ReadonlyMap<string, string>;
  /** Events accepted before, by `pairKey`. */
  readonly accepted: Set<string>;
  /** The current setting of each timer whose firing is delivered, by `pairKey`. */
  readonly timers: ReadonlyMap<string, number>;
}

/**
 * Locks the actors of a batch's events, adds them to `batch.actors`, and reads what the commands
 * need, in one round trip. The server runs the statements in this order, so those after the lock
 * read what was committed while it waited.
 */
export async function loadBatch(batch: BatchState): Promise<LoadedBatch> {
  const { trx, kinds, commands } = batch;
  const placed = commands.map((command, index) => ({ command, index }));
  const starts = placed.filter((each): each is Placed<TracedStart> => each.command.type === 'start');
  const events = placed.filter((each): each is Placed<TracedEvent> => each.command.type === 'event');
  const startCommands = starts.map(({ command }) => command);
  const eventCommands = events.map(({ command }) => command);
  const startable = eventCommands.filter(({ start }) => start !== undefined).map(({ actorId }) => actorId);
  const [started, { readable, unreadable }, archived, accepted, timers] = await settleAll([
    findStarted(trx, startCommands),
    lockActors(trx, kinds, [...new Set(eventCommands.map(({ actorId }) => actorId))]),
    findArchived(trx, startable),
    findAccepted(trx, eventCommands),
    findTimers(trx, eventCommands.flatMap(firedTimer)),
  ]);
  for (const actor of readable) batch.actors.set(actor.id, actor);
  const unreadableById = new Map(unreadable.map((actor) => [actor.id, actor]));
  return { starts, events, started, unreadable: unreadableById, archived, accepted, timers };
}

// Helpers

function firedTimer({ actorId, eventId }: EventCommand): { actorId: string; name: string }[] {
  const firing = firingOf(eventId);
  return firing === null ? [] : [{ actorId, name: firing.name }];
}
