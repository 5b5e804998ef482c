import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';

export type OperatorActionKind =
  | 'event.sent'
  | 'events.planned'
  | 'dead_letter.retried'
  | 'dead_letter.dismissed'
  | 'dead_letters.retry_planned'
  | 'run.started'
  | 'run.paused'
  | 'run.cancelled'
  | 'plan.changed'
  | 'merchant.plan_assigned'
  | 'merchant.approved'
  | 'secrets.resealed'
  | 'network.rescanned'
  | 'restore.finished'
  | 'actors.migrated'
  | 'image.removed'
  | 'alert.resolved';

/**
 * One row per operator request. It is inserted before the action, without an outcome, and completed
 * after it, because the action commits separately. After a crash in between, the row shows the
 * request; whether it was carried out is in the actor's journal, whose entry holds request id,
 * operator and reason. Repeating the request completes the row.
 */
export interface OperatorAction {
  readonly requestId: string;
  readonly who: string;
  readonly what: OperatorActionKind;
  /**
   * Id of the actor, dead letter, alert, run or merchant; the tier of the plan,
   * kind of actors, network or image.
   */
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

/** What is known of a request when it begins. */
export interface BegunAction {
  /** Null until the action has completed. */
  readonly outcome: string | null;
}

/** Records a request. Throws `REQUEST_REUSED` when the id was used for another request. */
export async function beginAction(db: Kysely<Database>, action: OperatorAction, now: UnixMs): Promise<BegunAction> {
  const { requestId, who, what, subjectId, details, reason } = action;
  const text = JSON.stringify(details);
  await sql`
    insert into operator_action (request_id, who, what, subject_id, details, reason, asked_at)
    values (${requestId}, ${who}, ${what}, ${subjectId}, ${text}::jsonb, ${reason}, ${new Date(now)})
    on conflict (request_id) do nothing`.execute(db);
  const { rows } = await sql<{ outcome: string | null; is_same: boolean }>`
    select outcome, (who, what, subject_id, details, reason) =
      (${who}::text, ${what}::text, ${subjectId}::text, ${text}::jsonb, ${reason}::text) as is_same
    from operator_action where request_id = ${requestId}`.execute(db);
  if (rows[0]?.is_same === true) return { outcome: rows[0].outcome };
  throw new TerminalError(
    'REQUEST_REUSED',
    'requestId was already used for another request; generate a new one for each request',
    {
      field: 'requestId',
    },
  );
}

/**
 * Runs an action that needs only this database, once per request: request, action and outcome
 * commit together. Does nothing when the same request has completed before. Throws
 * `REQUEST_REUSED`, and what the action throws.
 */
export function doOnce(
  db: Kysely<Database>,
  action: OperatorAction,
  { now, change }: { readonly now: UnixMs; readonly change: (trx: Transaction<Database>) => Promise<void> },
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if ((await beginAction(trx, action, now)).outcome !== null) return;
    await change(trx);
    await settleAction(trx, action.requestId, { outcome: 'done', now });
  });
}

/**
 * Completes the row. An outcome that is already set is kept, unless it is a rejection and this one
 * is not: of two simultaneous attempts, one may be rejected before the other is carried out.
 */
export async function settleAction(
  db: Kysely<Database>,
  requestId: string,
  { outcome, now }: { outcome: string; now: UnixMs },
): Promise<void> {
  await sql`
    update operator_action set outcome = ${outcome}, settled_at = ${new Date(now)}
    where request_id = ${requestId} and (outcome is null
      or not ${isRejection(outcome)}::bool and (outcome = ${STALE} or starts_with(outcome, ${REJECTED})))`.execute(db);
}

/** Adds to what a request in several transactions has done, in one of them. */
export async function addDone(db: Kysely<Database>, requestId: string, done: number): Promise<void> {
  await sql`update operator_action set done = done + ${done} where request_id = ${requestId}`.execute(db);
}

/** What all attempts of a request have done. */
export async function readDone(db: Kysely<Database>, requestId: string): Promise<number> {
  const { rows } = await sql<{ done: number }>`
    select done from operator_action where request_id = ${requestId}`.execute(db);
  return rows[0]?.done ?? 0;
}

/** Outcome of an event for a step that the actor had passed, or not reached. */
const STALE = 'stale';
/** First word of the outcome of any other request that was rejected when it was carried out. */
export const REJECTED = 'refused';

/** Whether an attempt was rejected, so that a repeated request is rejected again. */
export function isRejection(outcome: string | null): boolean {
  return outcome === STALE || outcome?.startsWith(REJECTED) === true;
}
