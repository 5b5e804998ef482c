import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { FAN_OUT_QUEUE } from './events.ts';

/**
 * Queues the fan-out of events created after `since` that have no delivery: their message may have
 * been lost with the bus. Events without subscribers are included: endpoints created after an event
 * do not receive it. Scans the whole event table, because no index covers the time alone: meant for
 * the hour after a restore. Returns the number of messages.
 */
export async function fanOutAgain(trx: Transaction<Database>, since: UnixMs): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into outbox_message (id, queue, partition, data)
    select 'again:' || webhook_event.id, ${FAN_OUT_QUEUE}, 0,
      jsonb_build_object('webhookEventId', webhook_event.id, 'isAgain', true)
    from webhook_event
    where created_at > ${new Date(since)} and not is_test
      and not exists (select 1 from webhook_delivery where webhook_event_id = webhook_event.id)
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
