import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { type AnyStateMachine, initialTransition, transition } from 'xstate';
import type { Database, StoredSnapshot } from '../db/index.ts';
import { findActorRow } from './sql/actors.ts';
import { readJournal } from './sql/journal.ts';
import type { ActorRow, JournalEntry } from './stored-types.ts';
import type { Snapshot } from './types.ts';
import type { KindRegistry } from './versions/kind-registry.ts';
import { migratedSnapshotOf } from './versions/migrated.ts';
import { restoreSnapshot } from './versions/restore-snapshot.ts';

export interface Replay {
  /** True when the folded journal equals the stored snapshot. */
  readonly equal: boolean;
  readonly stored: StoredSnapshot;
  readonly folded: StoredSnapshot;
  readonly entries: number;
}

/**
 * Folds an actor's journal, from its start or its last migration, with the chart version it runs,
 * and compares the result with the stored snapshot; also for archived actors. Null when there is no
 * such actor.
 */
export async function replay(db: Kysely<Database>, kinds: KindRegistry, actorId: string): Promise<Replay | null> {
  const found = await readWithJournal(db, actorId);
  if (found === null) return null;
  const { machine } = kinds.get(found.actor.kind, found.actor.version);
  const folded = foldJournal(machine, found.journal);
  return {
    equal: isDeepStrictEqual(folded, found.actor.snapshot),
    stored: found.actor.snapshot,
    folded,
    entries: found.journal.length,
  };
}

/**
 * Reads an actor, live or archived, and its whole journal in one database snapshot, so that they
 * match for a running actor too. Null when there is no such actor.
 */
export function readWithJournal(
  db: Kysely<Database>,
  actorId: string,
): Promise<{ readonly actor: ActorRow; readonly journal: readonly JournalEntry[] } | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const actor = await findActorRow(trx, actorId);
      return actor === null ? null : { actor, journal: await readJournal(trx, actorId) };
    });
}

/**
 * Returns the snapshot a journal folds to, as it would be stored. Pure. Throws what the chart
 * throws.
 */
export function foldJournal(
  machine: AnyStateMachine,
  journal: readonly Pick<JournalEntry, 'outcome' | 'event'>[],
): StoredSnapshot {
  let snapshot: Snapshot | null = null;
  for (const { outcome, event } of journal) {
    const migrated = outcome === 'applied' ? migratedSnapshotOf(event) : null;
    if (migrated !== null) snapshot = restoreSnapshot({ machine }, migrated);
    else if (outcome === 'started') [snapshot] = initialTransition(machine, event.input);
    else if (outcome === 'applied' && snapshot !== null) [snapshot] = transition(machine, snapshot, event);
  }
  const { value, context, status } = snapshot ?? { value: null, context: null, status: 'missing' };
  return JSON.parse(JSON.stringify({ value, context, status })) as StoredSnapshot;
}
