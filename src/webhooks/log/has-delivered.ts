import { type Kysely, sql } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';

/**
 * Whether any current endpoint of the merchant has ever accepted an event, real or test. Costs one
 * index lookup per endpoint and event type, however long the log is.
 */
export async function hasDelivered(db: Kysely<Database>, merchantId: string): Promise<boolean> {
  const { rows } = await whileDatabaseAnswers(() =>
    sql`
      select 1 from webhook_endpoint as endpoint
      cross join unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join lateral (
        select 1 from webhook_delivery
        where endpoint_id = endpoint.id and event = type.event and state = 'delivered' limit 1
      ) as delivered
      where endpoint.merchant_id = ${merchantId} and endpoint.deleted_at is null
      limit 1`.execute(db),
  );
  return rows.length > 0;
}
