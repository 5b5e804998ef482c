import type { Kysely } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import { consequencesOf } from './consequences.ts';
import { foldEvent, foldIgnored, type LiveActor } from './fold.ts';
import { findActorRow, toLiveActor } from './sql/actors.ts';
import type { ActorEvent, Effect } from './types.ts';
import type { KindRegistry } from './versions/kind-registry.ts';

/** An actor as stored, archived or not, with its chart. A copy: nothing done with it is written. */
export interface RestingActor extends Readonly<LiveActor> {
  readonly version: string;
  readonly status: 'active' | 'done';
  readonly context: unknown;
  readonly value: unknown;
}

/** What an event would do. `failed`: it would be dead-lettered, for the reason in `error`. */
export interface Preview {
  readonly outcome: 'applied' | 'ignored' | 'failed';
  readonly state: string;
  readonly context: unknown;
  readonly effects: readonly Effect[];
  readonly error: string | null;
}

/**
 * Returns the actor with this id, or null. Throws `TerminalError` `CHART_UNKNOWN` when its chart is
 * not registered here.
 */
export async function findRestingActor(
  db: Kysely<Database>,
  kinds: KindRegistry,
  actorId: string,
): Promise<RestingActor | null> {
  const row = await findActorRow(db, actorId);
  if (row === null) return null;
  const actor = toLiveActor(kinds, row);
  const { value, context, status } = actor.snapshot;
  return { ...actor, version: row.version, status: status === 'active' ? 'active' : 'done', value, context };
}

/**
 * Returns what delivering this event now would do, computed on a copy by the functions that a batch
 * uses. Pure: the time is a parameter. A timer event is treated as a firing of the current setting.
 */
export function previewEvent(actor: RestingActor, event: ActorEvent, now: UnixMs): Preview {
  const { kind, status, context } = actor;
  const live: LiveActor = { ...actor };
  const command = { eventId: 'preview', event };
  try {
    const step = status === 'active' ? foldEvent(live, command, now) : foldIgnored(live, command, now);
    consequencesOf(kind, step);
    const outcome = step.outcome === 'applied' ? 'applied' : 'ignored';
    return { outcome, state: live.state, context: step.context, effects: step.effects, error: null };
  } catch (error) {
    return { outcome: 'failed', state: actor.state, context, effects: [], error: messageOf(error) };
  }
}
