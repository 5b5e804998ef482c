import { type RawBuilder, sql } from 'kysely';
import { deliveryMachine, scheduleMachine, transactionMachine, type UnixMs } from '../../../machines/index.ts';
import { lateTimers } from '../health/late-timers.ts';
import type { ActorFilter } from '../types.ts';

/**
 * SQL condition for rows of `actor` in one of the leaves. The only translation of a filter to SQL,
 * so that counts, lists and bulk runs always match.
 */
export function actorPredicate(filter: ActorFilter, now: UnixMs): RawBuilder<boolean> {
  const { kind, merchantId, restingMs, isLate, hasFailed, search } = filter;
  const conditions = [sql`actor.kind = ${kind}`];
  if (restingMs !== undefined) conditions.push(sql`actor.state_entered_at <= ${new Date(now - restingMs)}`);
  if (merchantId !== undefined) conditions.push(belongsTo(kind, merchantId));
  if (isLate !== undefined)
    conditions.push(isOrNot(isLate, sql`actor.id in (select actor_id from (${lateTimers(now)}) as late)`));
  if (hasFailed !== undefined) {
    const failed = sql`actor.id in (
      select actor_id from dead_letter where resolved_at is null and actor_id is not null)`;
    conditions.push(isOrNot(hasFailed, failed));
  }
  if (search !== undefined && search !== '') {
    conditions.push(sql`actor.id >= ${search} and actor.id < ${search + LAST_CHARACTER}`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Whether a filter gives only kind and state, so that the maintained counts suffice. */
export function isCounted({ merchantId, restingMs, isLate, hasFailed, search }: ActorFilter): boolean {
  return [merchantId, restingMs, isLate, hasFailed].every((each) => each === undefined) && (search ?? '') === '';
}

/** SQL for the merchant id of an actor; null for none. */
export const merchantOfActor = sql<string | null>`
  coalesce(
    actor.snapshot #>> '{context,merchantId}',
    (select merchant_id from schedule where schedule.id = actor.id),
    (select endpoint.merchant_id from webhook_endpoint as endpoint
      where endpoint.id = actor.snapshot #>> '{context,endpointId}'))`;

// Helpers

/** Upper bound of a prefix search: no id contains a character above it. */
const LAST_CHARACTER = '\u{10ffff}';

function isOrNot(is: boolean, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return is ? condition : sql`not (${condition})`;
}

/** By the tables stored for each kind, which are indexed by merchant. */
function belongsTo(kind: string, merchantId: string): RawBuilder<unknown> {
  switch (kind) {
    case transactionMachine.id:
      return sql`actor.id in (select id from transaction where merchant_id = ${merchantId})`;
    case scheduleMachine.id:
      return sql`actor.id in (select id from schedule where merchant_id = ${merchantId})`;
    case deliveryMachine.id:
      return sql`actor.id in (
        select delivery.id from webhook_endpoint as endpoint
        join webhook_delivery as delivery on delivery.endpoint_id = endpoint.id
        where endpoint.merchant_id = ${merchantId})`;
    default:
      return sql`actor.snapshot #>> '{context,merchantId}' = ${merchantId}`;
  }
}
