import type { StoredSnapshot } from '../../db/index.ts';
import type { ActorEvent } from '../types.ts';

/** Event type of the step that migrates an actor to another version of its chart. */
const MIGRATED_EVENT = 'engine.migrated';

/**
 * A migration step: later steps are folded with the chart version `to`, starting from this
 * snapshot.
 */
export interface MigratedEvent extends ActorEvent, Partial<MigrationRequester> {
  readonly from: string;
  readonly to: string;
  readonly snapshot: StoredSnapshot;
}

/** Who requested a migration in the console, and why; stored in the journal. */
export interface MigrationRequester {
  /** User id of the operator. */
  readonly by: string;
  readonly reason: string;
  /** Idempotency key of the request. */
  readonly requestId: string;
}

export function migratedEvent(
  versions: { from: string; to: string },
  snapshot: StoredSnapshot,
  requester?: MigrationRequester,
): MigratedEvent {
  return { type: MIGRATED_EVENT, ...versions, snapshot, ...requester };
}

/** Unique per actor, so that an actor is migrated only once between two versions. */
export function migratedEventId({ from, to }: { from: string; to: string }): string {
  return `${MIGRATED_EVENT}:${from}:${to}`;
}

/** Returns the snapshot of a migration step, from which a fold continues; null for other events. */
export function migratedSnapshotOf(event: ActorEvent): StoredSnapshot | null {
  return event.type === MIGRATED_EVENT ? (event as MigratedEvent).snapshot : null;
}
