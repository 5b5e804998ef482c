import { type Kysely, sql } from 'kysely';
import { deliveryMachine, scheduleMachine, transactionMachine } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { findRestingActor, type RestingActor, replay, storedActors } from '../../platform/engine/index.ts';
import { acceptedEvents } from '../actions/preview-event.ts';
import { readAlerts } from '../health/open-alerts.ts';
import { actorNotFound } from '../journal/journal.ts';
import { changesBetween } from '../journal/json-changes.ts';
import type { ActorDetail, RelatedActor, TimerInfo } from '../types.ts';
import { actorColumns, readSubjectsOf, type StoredActorRow, toListedActor } from './actor-rows.ts';
import { dwellLimitMs } from './dwell-limits.ts';
import type { OperationsDeps } from './population.ts';

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

/** Maximum number of related actors of each kind; the newest are returned. */
const MAX_RELATED = 50;

/**
 * Actors related to this one: the schedule of a payment, the payments of a schedule, the
 * deliveries of its events.
 */
async function findRelated(
  db: Kysely<Database>,
  { id, kind }: Pick<RestingActor, 'id' | 'kind'>,
): Promise<RelatedActor[]> {
  switch (kind.name) {
    case transactionMachine.id:
      return [...(await scheduleOf(db, id)), ...(await deliveriesOf(db, id))];
    case scheduleMachine.id:
      return paymentsOf(db, id);
    case deliveryMachine.id:
      return subjectOf(db, id);
    default:
      return [];
  }
}

interface RelatedRow {
  readonly id: string;
  readonly label: string;
}

function asKind(kind: string, rows: readonly RelatedRow[]): RelatedActor[] {
  return rows.map(({ id, label }) => ({ id, kind, label }));
}

async function scheduleOf(db: Kysely<Database>, transactionId: string): Promise<RelatedActor[]> {
  const { rows } = await sql<RelatedRow>`
    select schedule_id as id, 'schedule, period ' || period_no as label from schedule_attempt
    where transaction_id = ${transactionId}`.execute(db);
  return asKind(scheduleMachine.id, rows);
}

async function deliveriesOf(db: Kysely<Database>, transactionId: string): Promise<RelatedActor[]> {
  const { rows } = await sql<RelatedRow>`
    select delivery.id, delivery.event || ', ' || delivery.state as label
    from webhook_event as event join webhook_delivery as delivery on delivery.webhook_event_id = event.id
    where event.transaction_id = ${transactionId} and not delivery.is_owed
    order by delivery.created_at desc, delivery.id limit ${MAX_RELATED}`.execute(db);
  return asKind(deliveryMachine.id, rows);
}

async function paymentsOf(db: Kysely<Database>, scheduleId: string): Promise<RelatedActor[]> {
  const { rows } = await sql<RelatedRow>`
    select transaction_id as id, 'payment of period ' || period_no as label from schedule_attempt
    where schedule_id = ${scheduleId} order by period_no desc, transaction_id limit ${MAX_RELATED}`.execute(db);
  return asKind(transactionMachine.id, rows);
}

async function subjectOf(db: Kysely<Database>, deliveryId: string): Promise<RelatedActor[]> {
  const { rows } = await sql<RelatedRow>`
    select event.transaction_id as id, 'the payment it is about' as label
    from webhook_delivery as delivery join webhook_event as event on event.id = delivery.webhook_event_id
    where delivery.id = ${deliveryId} and event.transaction_id is not null`.execute(db);
  return asKind(transactionMachine.id, rows);
}
