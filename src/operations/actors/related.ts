import { type Kysely, sql } from 'kysely';
import { deliveryMachine, scheduleMachine, transactionMachine } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { RestingActor } from '../../platform/engine/index.ts';
import type { RelatedActor } from '../types.ts';

/** Maximum number of related actors of each kind; the newest are returned. */
const MAX_RELATED = 50;

/**
 * Actors related to this one: the schedule of a payment, the payments of a schedule, the
 * deliveries of its events.
 */
export async function findRelated(
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

// Helpers

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
