import { type Kysely, sql } from 'kysely';

/**
 * Autovacuum settings of tables that change all the time. By default it waits until a fifth of a
 * table is dead: too late for queues, whose rows are mostly dead, and for tables that have grown
 * for years. See docs/storage.md.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Queues and counters: vacuumed on every autovacuum run, whatever their size.
  for (const table of QUEUES) await set(db, table, { threshold: 1_000, scale: 0 });
  // One row per actor, payment or delivery, written a few times and then unchanged.
  for (const table of GROWING) await set(db, table, { threshold: 5_000, scale: 0.01 });
}

const QUEUES = [
  'outbox_message',
  'timer',
  'watermark',
  'request_count',
  'actor_count',
  'transaction_count',
  'monthly_usage',
  'chain_cursor',
  'chain_lease',
  'derivation_key',
  'login_throttle',
];

const GROWING = ['actor', 'transaction', 'payment', 'webhook_delivery', 'address', 'mail', 'stray_payment'];

async function set(
  db: Kysely<unknown>,
  table: string,
  { threshold, scale }: { threshold: number; scale: number },
): Promise<void> {
  await sql`
    alter table ${sql.table(table)} set (
      autovacuum_vacuum_threshold = ${sql.raw(String(threshold))},
      autovacuum_vacuum_scale_factor = ${sql.raw(String(scale))},
      autovacuum_analyze_threshold = ${sql.raw(String(threshold))},
      autovacuum_analyze_scale_factor = ${sql.raw(String(Math.max(scale, 0.02)))}
    )`.execute(db);
}
