import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { initialTransition, transition } from 'xstate';
import type { Database, StoredSnapshot } from '../db/index.ts';
import type { KindRegistry } from './kinds.ts';
import { readJournal } from './sql/journal.ts';
import type { Snapshot } from './types.ts';

export interface Replay {
  /** The fold of the journal equals the stored snapshot. */
  readonly equal: boolean;
  readonly stored: StoredSnapshot;
  readonly folded: StoredSnapshot;
  readonly entries: number;
}

/**
 * Folds the journal of an actor from its start, with the chart it runs now, and compares the result with the stored snapshot. Null when there is no such
 * actor. Reads journal and snapshot in one database snapshot, so a running actor compares like a resting one.
 */
export async function replay(db: Kysely<Database>, kinds: KindRegistry, actorId: string): Promise<Replay | null> {
  const found = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const actor = await trx
        .selectFrom('actor')
        .select(['kind', 'version', 'snapshot'])
        .where('id', '=', actorId)
        .executeTakeFirst();
      return actor === undefined ? null : { actor, journal: await readJournal(trx, actorId) };
    });
  if (found === null) return null;
  const { machine } = kinds.get(found.actor.kind, found.actor.version);
  let snapshot: Snapshot | null = null;
  for (const entry of found.journal) {
    if (entry.outcome === 'started') [snapshot] = initialTransition(machine, entry.event.input);
    else if (entry.outcome === 'applied' && snapshot !== null) [snapshot] = transition(machine, snapshot, entry.event);
  }
  const folded = plain(snapshot);
  return {
    equal: isDeepStrictEqual(folded, found.actor.snapshot),
    stored: found.actor.snapshot,
    folded,
    entries: found.journal.length,
  };
}

/** As it would rest in the database. */
function plain(snapshot: Snapshot | null): StoredSnapshot {
  const { value, context, status } = snapshot ?? { value: null, context: null, status: 'missing' };
  return JSON.parse(JSON.stringify({ value, context, status })) as StoredSnapshot;
}
