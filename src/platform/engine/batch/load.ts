import { settleAll } from '../../db/index.ts';
import { firingOf } from '../consequences.ts';
import { findStarted, lockActors, type UnreadableActor } from '../sql/actors.ts';
import { findAccepted } from '../sql/journal.ts';
import { findTimers } from '../sql/timers.ts';
import type { EventCommand } from '../types.ts';
import type { Placed, TracedEvent, TracedStart } from './command.ts';
import type { Work } from './work.ts';

/** What a batch reads before it folds, besides the actors themselves. */
export interface Loaded {
  readonly starts: readonly Placed<TracedStart>[];
  readonly events: readonly Placed<TracedEvent>[];
  /** Actors, archived ones included, that have the id or start key of a start. */
  readonly started: readonly { readonly id: string; readonly start_key: string | null }[];
  readonly unreadable: ReadonlyMap<string, UnreadableActor>;
  /** Events accepted before, by `pairKey`. */
  readonly accepted: Set<string>;
  /** The current setting of each timer whose firing is delivered, by `pairKey`. */
  readonly timers: ReadonlyMap<string, number>;
}

/**
 * Locks the actors of a batch's events and reads what its commands need, in one round trip. The
 * server runs the statements in this order, so those after the lock read what was committed while
 * it waited.
 */
export async function load(work: Work): Promise<Loaded> {
  const { trx, kinds, commands } = work;
  const placed = commands.map((command, place) => ({ command, place }));
  const starts = placed.filter((each): each is Placed<TracedStart> => each.command.type === 'start');
  const events = placed.filter((each): each is Placed<TracedEvent> => each.command.type === 'event');
  const delivered = events.map(({ command }) => command);
  const [started, { readable, unreadable }, accepted, timers] = await settleAll([
    findStarted(
      trx,
      starts.map(({ command }) => command),
    ),
    lockActors(trx, kinds, [...new Set(delivered.map(({ actorId }) => actorId))]),
    findAccepted(trx, delivered),
    findTimers(trx, delivered.flatMap(firedTimer)),
  ]);
  for (const actor of readable) work.actors.set(actor.id, actor);
  const broken = new Map(unreadable.map((actor) => [actor.id, actor]));
  return { starts, events, started, unreadable: broken, accepted, timers };
}

// Helpers

function firedTimer({ actorId, eventId }: EventCommand): { actorId: string; name: string }[] {
  const firing = firingOf(eventId);
  return firing === null ? [] : [{ actorId, name: firing.name }];
}
