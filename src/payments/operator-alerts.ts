import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Mode } from '../../machines/index.ts';
import { type BusHandler, partitionOf } from '../platform/bus/index.ts';
import { type Database, unnestRows } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import { OPERATOR_ALERT_QUEUE } from './queues.ts';

/** Something about a payment that an operator must see. */
export interface OperatorAlert extends StoredAlert {
  readonly actorId: string;
}

export interface StoredAlert {
  /** Null when it concerns coins of no payment. */
  readonly actorId: string | null;
  /** Alerts of test payments are for practice: rows that no metric counts, and no log line. */
  readonly mode: Mode;
  readonly alert: string;
  readonly detail: string;
}

/** Test keys cost nothing, so a program could raise any number. */
const MAX_OPEN_TEST_ALERTS = 100;

/**
 * Alerts that customers and shops cause with test payments. All others are faults of the service,
 * whichever payment they stop.
 */
const PRACTICE_ALERTS = [
  'completed_payment_lost',
  'payment_link_overused',
  'coins_after_monitoring',
  'coins_in_other_asset',
];

/**
 * SQL: whether a row of `operator_alert` is one to practise with, about a test payment. A value and
 * not `exists`, which the planner would turn into a join with all payments.
 */
export const isTestAlert: RawBuilder<boolean> = sql<boolean>`(
  operator_alert.alert = any(${PRACTICE_ALERTS}::text[]) and coalesce(
    (select terms.mode = 'test' from transaction_terms as terms where terms.id = operator_alert.actor_id), false))`;

/**
 * Raises alerts that no chart requested, in the commit of what they are about: as rows, and live
 * ones as messages that the outbox sweeper publishes within seconds. At most one of each name per
 * actor and commit.
 */
export async function raiseOperatorAlerts(trx: Transaction<Database>, alerts: readonly OperatorAlert[]): Promise<void> {
  await storeAlerts(trx, alerts);
  const live = alerts.filter(({ mode }) => mode === 'live');
  if (live.length === 0) return;
  await trx
    .insertInto('outbox_message')
    .values(
      live.map(({ actorId, alert, detail }) => ({
        id: `alert:${alert}:${actorId}`,
        queue: OPERATOR_ALERT_QUEUE,
        partition: partitionOf(actorId),
        data: JSON.stringify({ actorId, alert, detail }),
      })),
    )
    .execute();
}

/** Stores alerts as rows, so that they are not missed in the logs. */
export async function storeAlerts(trx: Transaction<Database>, alerts: readonly StoredAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  await sql`
    insert into operator_alert (actor_id, alert, detail)
    select actor_id, alert, detail
    from ${unnestRows('raised', { text: ['actor_id', 'mode', 'alert', 'detail'] }, alerts.map(toRow))}
    where raised.mode = 'live' or ${MAX_OPEN_TEST_ALERTS} > (
      select count(*) from operator_alert where resolved_at is null and ${isTestAlert})`.execute(trx);
}

/** Logs an alert for the operators. Its row was written in the commit that raised it. */
export function createOperatorAlertHandler({ log }: { log: Log }): BusHandler {
  return async ({ data }) => {
    log.error({ alert: data }, 'operator alert');
  };
}

// Helpers

function toRow({ actorId, ...alert }: StoredAlert) {
  return { ...alert, actor_id: actorId };
}
