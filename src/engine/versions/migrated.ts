import type { StoredSnapshot } from '../../db/index.ts';
import type { ActorEvent } from '../types.ts';

/** Journal name of the step that moves an actor to another version of its chart. */
const MIGRATED_EVENT = 'engine.migrated';

/** One step of a journal: from here on it is folded with the chart of `to`, beginning with this snapshot. */
export interface MigratedEvent extends ActorEvent {
  readonly from: string;
  readonly to: string;
  readonly snapshot: StoredSnapshot;
}

export function migratedEvent(versions: { from: string; to: string }, snapshot: StoredSnapshot): MigratedEvent {
  return { type: MIGRATED_EVENT, ...versions, snapshot };
}

/** Unique per actor, so that an actor is moved once from one version to another. */
export function migratedEventId({ from, to }: { from: string; to: string }): string {
  return `${MIGRATED_EVENT}:${from}:${to}`;
}

/** The snapshot that a migration wrote down, where a fold goes on; null for every other event. */
export function migratedSnapshotOf(event: ActorEvent): StoredSnapshot | null {
  return event.type === MIGRATED_EVENT ? (event as MigratedEvent).snapshot : null;
}
