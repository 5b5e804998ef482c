import { sql, type Transaction } from 'kysely';
import { type Database, settleAll } from '../../db/index.ts';
import type { Consequences, TimerParking, TimerSetting } from '../consequences.ts';
import type { LiveActor } from '../fold.ts';
import type { ActorKind, Step } from '../types.ts';
import { updateActors } from './actors.ts';
import { appendJournal } from './journal.ts';
import { insertOutbox } from './outbox.ts';
import { leaseTimersUntil, type RemovedTimer, removeTimers, setTimers } from './timers.ts';

/** Steps, the actors that made them as they are afterwards, and what they request. */
export interface StepsToWrite {
  readonly actors: ReadonlyMap<string, LiveActor>;
  readonly steps: readonly { readonly kind: ActorKind; readonly step: Step }[];
  readonly consequences: Consequences;
}

/**
 * Writes the snapshots of locked actors, the journal, timers and messages: one statement, whatever
 * its parts, because each statement has a cost of its own. Removes all timers of actors that have
 * finished. New actors are inserted by `insertActors`.
 */
export async function writeSteps(trx: Transaction<Database>, written: StepsToWrite): Promise<void> {
  const { steps, consequences } = written;
  const actorOf = (id: string) => requireActor(written, id);
  const actors = [...new Set(steps.map(({ step }) => step.actorId))].map(actorOf);
  const known = actors.filter(({ isNew }) => !isNew);
  const finished = new Set(actors.filter(isFinished).map(({ id }) => id));
  const { removed, set, parked } = timerChanges(consequences, finished);
  const parking = leaseTimersUntil(trx, parked, 'infinity');
  if (steps.length === 0) return parking;
  const statement = sql`
    with moved as (${updateActors(known)}),
      entered as (${appendJournal(steps, (id) => actorOf(id).createdAt)}),
      removed as (${removeTimers(removed)}),
      set_timers as (${setTimers(set, (id) => actorOf(id).clockOffsetMs)}),
      sent as (${insertOutbox(consequences.messages)})
    select`;
  await settleAll([parking, statement.execute(trx)]);
}

/** The actor of a step. Throws when the steps have none with this id. */
export function requireActor({ actors }: Pick<StepsToWrite, 'actors'>, actorId: string): LiveActor {
  const actor = actors.get(actorId);
  if (actor === undefined) throw new Error(`a step was recorded for ${actorId}, which is not at hand`);
  return actor;
}

// Helpers

function isFinished({ snapshot }: LiveActor): boolean {
  return snapshot.status !== 'active';
}

/** The final change of each timer; a finished actor has none. */
function timerChanges({ timers }: Consequences, finished: ReadonlySet<string>) {
  const removed: RemovedTimer[] = [...finished].map((actorId) => ({ actorId, name: null }));
  const set: TimerSetting[] = [];
  const parked: TimerParking[] = [];
  for (const change of timers.values()) {
    if (finished.has(change.actorId)) continue;
    if (change.kind === 'remove') removed.push(change);
    else if (change.kind === 'park') parked.push(change);
    else set.push(change);
  }
  return { removed, set, parked };
}
