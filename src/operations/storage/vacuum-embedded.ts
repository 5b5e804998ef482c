import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/index.ts';

/** Tables whose rows come and go, or are written again and again. Of the others only what is deleted once a day is dead. */
const BUSY_TABLES = [
  'outbox_message',
  'announced_event',
  'timer',
  'watermark',
  'request_count',
  'actor_count',
  'transaction_count',
  'actor',
  'transaction',
  'webhook_delivery',
] as const;

/** The embedded database has no autovacuum: what it never gives back it grows by. Others wait meanwhile, so a table at a time. */
export async function vacuumEmbedded(db: Kysely<Database>): Promise<void> {
  for (const table of BUSY_TABLES) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}
