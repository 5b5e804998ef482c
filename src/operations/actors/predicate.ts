import { type RawBuilder, sql } from 'kysely';
import { deliveryMachine, scheduleMachine, transactionMachine, type UnixMs } from '../../../machines/index.ts';
import { paymentsKnownAs } from '../../payments/index.ts';
import { lateTimers } from '../health/late-timers.ts';
import type { ActorFilter } from '../types.ts';
import { limitedStatesOf } from './dwell-limits.ts';

/**
 * SQL condition for rows of `actor` in one of the leaves. The only translation of a filter to SQL,
 * so that counts, lists and bulk runs always match.
 */
export function actorPredicate(filter: ActorFilter, now: UnixMs): RawBuilder<boolean> {
  const { kind, merchantId, restingMs, isOverdue, isLate, hasTimer, hasFailed, isRetrying, mode, search } = filter;
  const conditions = [sql`actor.kind = ${kind}`];
  if (restingMs !== undefined) conditions.push(sql`actor.state_entered_at <= ${new Date(now - restingMs)}`);
  if (merchantId !== undefined) conditions.push(belongsTo(kind, merchantId));
  if (isOverdue !== undefined) conditions.push(isOrNot(isOverdue, overdue(kind, now)));
  if (isLate !== undefined)
    conditions.push(isOrNot(isLate, sql`actor.id in (select actor_id from (${lateTimers(now)}) as late)`));
  if (hasTimer !== undefined)
    conditions.push(isOrNot(hasTimer, sql`exists (select from timer where timer.actor_id = actor.id)`));
  if (hasFailed !== undefined) conditions.push(isOrNot(hasFailed, hasDeadLetter(sql`true`)));
  if (isRetrying !== undefined) conditions.push(isOrNot(isRetrying, retrying(kind)));
  if (mode !== undefined) conditions.push(sql`(${modeOfActor(kind)}) = ${mode}`);
  if (search !== undefined && search !== '') conditions.push(isSearched(kind, search));
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Whether a filter gives only kind and state, so that the maintained counts suffice. */
export function isCounted({ kind: _, state: __, search = '', ...others }: ActorFilter): boolean {
  return Object.values(others).every((each) => each === undefined) && search === '';
}

/** SQL for the merchant id of an actor; null for none. */
export const merchantOfActor = sql<string | null>`
  coalesce(
    actor.snapshot #>> '{context,merchantId}',
    (select merchant_id from schedule where schedule.id = actor.id),
    (select endpoint.merchant_id from webhook_endpoint as endpoint
      where endpoint.id = actor.snapshot #>> '{context,endpointId}'))`;

/**
 * SQL for the mode of an actor of a kind; null where that is not stored. A value and no join, which
 * the planner would make with all of the table.
 */
export function modeOfActor(kind: string): RawBuilder<unknown> {
  switch (kind) {
    case transactionMachine.id:
      return sql`select mode from transaction_terms where transaction_terms.id = actor.id`;
    case scheduleMachine.id:
      return sql`select mode from schedule where schedule.id = actor.id`;
    case deliveryMachine.id:
      return sql`
        select event.mode from webhook_delivery as delivery
        join webhook_event as event on event.id = delivery.webhook_event_id where delivery.id = actor.id`;
    default:
      return sql`null`;
  }
}

// Helpers

/** Upper bound of a prefix search: no id contains a character above it. */
const LAST_CHARACTER = '\u{10ffff}';
const PAYMENT_ID = 'txn_';

/** Text that begins like a payment's id is not an order id, so order ids are not searched. */
function isSearched(kind: string, text: string): RawBuilder<unknown> {
  const begins = sql`actor.id >= ${text} and actor.id < ${text + LAST_CHARACTER}`;
  if (kind !== transactionMachine.id || text.startsWith(PAYMENT_ID)) return begins;
  return sql`(${begins} or actor.id = any(array(${paymentsKnownAs(text)})))`;
}

function isOrNot(is: boolean, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return is ? condition : sql`not (${condition})`;
}

/** One arm per state, so that each is a range of the index by state. */
function overdue(kind: string, now: UnixMs): RawBuilder<unknown> {
  const arms = limitedStatesOf(kind).map(
    ({ state, limitMs }) => sql`(actor.state = ${state} and actor.state_entered_at <= ${new Date(now - limitMs)})`,
  );
  return arms.length === 0 ? sql`false` : sql`(${sql.join(arms, sql` or `)})`;
}

function hasDeadLetter(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`actor.id in (
    select actor_id from dead_letter where resolved_at is null and actor_id is not null and ${condition})`;
}

/** A delivery waits between two attempts; dead letters with `retry_at` are redelivered. */
function retrying(kind: string): RawBuilder<unknown> {
  const isRedelivered = hasDeadLetter(sql`retry_at is not null`);
  return kind === deliveryMachine.id ? sql`(actor.state = 'waiting' or ${isRedelivered})` : isRedelivered;
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
