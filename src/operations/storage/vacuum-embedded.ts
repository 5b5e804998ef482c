import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';

/**
 * Tables with frequent inserts, updates and deletes. The others have dead rows only from retention.
 */
const BUSY_TABLES = [
  'outbox_message',
  'announced_event',
  'timer',
  'watermark',
  'request_count',
  'free_address',
  'actor_count',
  'transaction_count',
  'actor',
  'transaction_terms',
  'transaction_status',
  'webhook_delivery',
] as const;

/**
 * The embedded database has no autovacuum, and dead rows would make it grow. Other statements wait
 * for a vacuum, so it runs table by table.
 */
export async function vacuumEmbedded(db: Kysely<Database>): Promise<void> {
  for (const table of BUSY_TABLES) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}
