import type { Transaction } from 'kysely';
import { type BusHandler, partitionOf } from '../platform/bus/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import { OPERATOR_ALERT_QUEUE } from './queues.ts';

/** Something about a payment that an operator must see. */
export interface OperatorAlert {
  readonly actorId: string;
  readonly alert: string;
  readonly detail: string;
}

/**
 * Raises alerts that no chart requested, in the commit of what they are about: as rows, and as
 * messages that the outbox sweeper publishes within seconds. At most one of each name per actor and
 * commit.
 */
export async function raiseOperatorAlerts(trx: Transaction<Database>, alerts: readonly OperatorAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  await trx
    .insertInto('operator_alert')
    .values(alerts.map(({ actorId, alert, detail }) => ({ actor_id: actorId, alert, detail })))
    .execute();
  await trx
    .insertInto('outbox_message')
    .values(
      alerts.map((each) => ({
        id: `alert:${each.alert}:${each.actorId}`,
        queue: OPERATOR_ALERT_QUEUE,
        partition: partitionOf(each.actorId),
        data: JSON.stringify(each),
      })),
    )
    .execute();
}

/** Logs an alert for the operators. Its row was written in the commit that raised it. */
export function createOperatorAlertHandler({ log }: { log: Log }): BusHandler {
  return async ({ data }) => {
    log.error({ alert: data }, 'operator alert');
  };
}
