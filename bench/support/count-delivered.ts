import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';

/** Webhook deliveries in state `delivered`, of all merchants. */
export async function countDelivered(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from webhook_delivery where state = 'delivered'`.execute(db);
  return Number(rows[0]?.count);
}
