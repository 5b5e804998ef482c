import type { Kysely } from 'kysely';
import { statePath, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import { consequencesOf } from './consequences.ts';
import { foldEvent, foldIgnored, type LiveActor } from './fold.ts';
import { type KindRegistry, restoreSnapshot } from './kinds.ts';
import { findActorRow, toLiveActor } from './sql/actors.ts';
import type { ActorEvent, ActorKind, Effect } from './types.ts';

/** An actor as stored, archived or not, with its chart. A copy: nothing done with it is written. */
export interface RestingActor {
  readonly id: string;
  readonly kind: ActorKind;
  readonly version: string;
  readonly state: string;
  readonly status: 'active' | 'done';
  readonly context: unknown;
  readonly sequence: number;
  readonly clockOffsetMs: number;
  readonly createdAt: UnixMs;
  readonly stateEnteredAt: UnixMs;
  readonly updatedAt: UnixMs;
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
  const { snapshot, state, sequence, clockOffsetMs, createdAt, stateEnteredAt, updatedAt, kind } = toLiveActor(
    kinds,
    row,
  );
  const { value, context } = snapshot;
  const status = snapshot.status === 'active' ? 'active' : 'done';
  const rest = {
    state,
    status,
    context,
    sequence,
    clockOffsetMs,
    createdAt,
    stateEnteredAt,
    updatedAt,
    value,
  } as const;
  return { id: actorId, kind, version: row.version, ...rest };
}

/**
 * Returns what delivering this event now would do, computed on a copy by the functions that a batch
 * uses. Pure: the time is a parameter. A timer event is treated as a firing of the current setting.
 */
export function previewEvent(actor: RestingActor, event: ActorEvent, now: UnixMs): Preview {
  const { kind, value, context, status } = actor;
  const live: LiveActor = {
    id: actor.id,
    kind,
    startKey: null,
    clockOffsetMs: actor.clockOffsetMs,
    createdAt: actor.createdAt,
    snapshot: restoreSnapshot(kind, { value, context, status }),
    state: actor.state,
    sequence: actor.sequence,
    lastChange: actor.sequence,
    updatedAt: actor.updatedAt,
    stateEnteredAt: actor.stateEnteredAt,
    isNew: false,
  };
  const command = { eventId: 'preview', event };
  try {
    const step = status === 'active' ? foldEvent(live, command, now) : foldIgnored(live, command, now);
    consequencesOf(kind, step);
    const outcome = step.outcome === 'applied' ? 'applied' : 'ignored';
    return {
      outcome,
      state: statePath(live.snapshot.value),
      context: step.context,
      effects: step.effects,
      error: null,
    };
  } catch (error) {
    return { outcome: 'failed', state: actor.state, context, effects: [], error: messageOf(error) };
  }
}
