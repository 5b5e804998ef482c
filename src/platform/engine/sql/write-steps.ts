import { sql, type Transaction } from 'kysely';
import { type Database, settleAll } from '../../db/index.ts';
import type { Consequences, TimerParking, TimerSetting } from '../consequences.ts';
import type { LiveActor } from '../fold.ts';
import type { ActorKind, Step } from '../types.ts';
import { actorUpdate } from './actors.ts';
import { journalInsert } from './journal.ts';
import { outboxInsert } from './outbox.ts';
import { leaseTimersUntil, type RemovedTimer, timerDelete, timerUpsert } from './timers.ts';

/** Steps, the actors that made them as they are afterwards, and what they request. */
export interface StepsToWrite {
  readonly actors: ReadonlyMap<string, LiveActor>;
  readonly steps: readonly { readonly kind: ActorKind; readonly step: Step }[];
  readonly consequences: Consequences;
}

/**
 * Writes the snapshots of locked actors, the journal, timers and messages, in one statement to save
 * the cost of five. Postgres does not order its parts, so no two touch the same row: a timer has one
 * final change, and a finished actor only removals. New actors are inserted by `insertActors`.
 */
export async function writeSteps(trx: Transaction<Database>, written: StepsToWrite): Promise<void> {
  const { steps, consequences } = written;
  const actorOf = (id: string) => requireActor(written, id);
  const actors = [...new Set(steps.map(({ step }) => step.actorId))].map(actorOf);
  const known = actors.filter(({ isNew }) => !isNew);
  const finished = new Set(actors.filter(isFinished).map(({ id }) => id));
  const { removed, set, parked } = timerChanges(consequences, finished);
  const statement = sql`
    with moved as (${actorUpdate(known)}),
      entered as (${journalInsert(steps, (id) => actorOf(id).createdAt)}),
      removed as (${timerDelete(removed)}),
      set_timers as (${timerUpsert(set, (id) => actorOf(id).clockOffsetMs)}),
      sent as (${outboxInsert(consequences.messages)})
    select`;
  await settleAll([
    // The firing of an actor that cannot be read is parked without a step.
    leaseTimersUntil(trx, parked, 'infinity'),
    ...(steps.length === 0 ? [] : [statement.execute(trx)]),
  ]);
}

// Helpers

/** Throws when the steps have no actor with this id. */
function requireActor({ actors }: StepsToWrite, actorId: string): LiveActor {
  const actor = actors.get(actorId);
  if (actor === undefined) throw new Error(`a step was recorded for ${actorId}, which is not loaded`);
  return actor;
}

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
