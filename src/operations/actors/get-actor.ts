import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { findRestingActor, replay, storedActors } from '../../platform/engine/index.ts';
import { acceptedEvents } from '../actions/preview-event.ts';
import { readAlerts } from '../health/open-alerts.ts';
import { actorNotFound } from '../journal/journal.ts';
import { changesBetween } from '../journal/json-changes.ts';
import type { ActorDetail, TimerInfo } from '../types.ts';
import { actorColumns, type StoredActorRow, toListedActor } from './actor-rows.ts';
import { readSubjectsOf } from './actor-subjects.ts';
import { dwellLimitMs } from './dwell-limits.ts';
import type { OperationsDeps } from './population.ts';
import { findRelated } from './related.ts';

/**
 * All details of one actor. `isSound` is computed by folding the whole journal.
 * Throws `ACTOR_NOT_FOUND`.
 */
export async function getActor(deps: OperationsDeps, actorId: string): Promise<ActorDetail> {
  const { db, kinds, clock } = deps;
  const [actor, row] = await Promise.all([findRestingActor(db, kinds, actorId), findRow(db, actorId)]);
  if (actor === null || row === null) throw actorNotFound(actorId);
  const [folded, subjects, timers, related, alerts] = await Promise.all([
    replay(db, kinds, actorId),
    readSubjectsOf(db, row.kind, [actorId]),
    findTimersOf(db, actorId),
    findRelated(db, actor),
    readAlerts(db, sql`actor_id = ${actorId}`),
  ]);
  const limitMs = dwellLimitMs(row.kind, actor.state);
  const isOverdue = limitMs !== null && clock.now() - actor.stateEnteredAt >= limitMs;
  return {
    ...toListedActor(row, subjects),
    // From one read, so that state, context and number of steps are consistent.
    state: actor.state,
    steps: actor.sequence,
    since: actor.stateEnteredAt,
    version: actor.version,
    status: actor.status,
    context: actor.context,
    clockOffsetMs: actor.clockOffsetMs,
    timers,
    isSound: folded?.equal ?? false,
    drift: folded === null ? [] : changesBetween(folded.folded, folded.stored),
    accepts: acceptedEvents(actor, clock.now()),
    related,
    exceededLimitMs: isOverdue ? limitMs : null,
    alerts,
  };
}

// Helpers

async function findRow(db: Kysely<Database>, actorId: string): Promise<StoredActorRow | null> {
  const { rows } =
    await sql<StoredActorRow>`select ${actorColumns} from ${storedActors} as actor where id = ${actorId}`.execute(db);
  return rows[0] ?? null;
}

async function findTimersOf(db: Kysely<Database>, actorId: string): Promise<TimerInfo[]> {
  const { rows } = await sql<TimerInfo>`
    select name, due_at as "dueAt", fires_at as "firesAt", gate, height from timer where actor_id = ${actorId}
    order by fires_at nulls last, name`.execute(db);
  return rows;
}
