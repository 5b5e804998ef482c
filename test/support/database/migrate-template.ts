import type { Kysely } from 'kysely';
import { MONTHLY_TABLES, makePartitions } from '../../../src/operations/storage/month-partitions.ts';
import { type Database, migrate } from '../../../src/platform/db/index.ts';

/**
 * Migrates a template to the current schema and creates the partitions of the coming months;
 * otherwise every service in a test would create them, and every emptied database would lose them
 * again.
 */
export async function migrateTemplate(db: Kysely<Database>): Promise<void> {
  await migrate(db);
  for (const table of MONTHLY_TABLES) await makePartitions(db, table, Date.now());
}
