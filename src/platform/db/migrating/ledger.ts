import { type Kysely, sql } from 'kysely';
import { VERSION } from '../../version.ts';
import { compareVersions } from './compare-release-versions.ts';
import { FIRST, readCompatibility } from './schema-state.ts';
import type { SchemaMigration } from './types.ts';

/**
 * Creates the tables of applied migrations, in the format of Kysely's migrator, and of the versions
 * that can run on the schema: one row, updated by every migration.
 */
export async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) not null primary key,
      timestamp varchar(255) not null
    )`.execute(db);
  await sql`
    create table if not exists schema_compatibility (
      only_row boolean primary key default true check (only_row),
      compatible_from text not null,
      changed_by text,
      changed_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    insert into schema_compatibility (compatible_from) values (${FIRST.compatibleFrom})
    on conflict do nothing`.execute(db);
}

/**
 * Records the migration, the version that applied it, and the oldest version that can run on the
 * result.
 */
export async function recordMigration(
  trx: Kysely<unknown>,
  name: string,
  { compatibleFrom }: SchemaMigration,
): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(trx);
  const present = (await readCompatibility(trx)).compatibleFrom;
  const isRaised = compatibleFrom !== undefined && compareVersions(compatibleFrom, present) > 0;
  await sql`
    update schema_compatibility
    set compatible_from = ${isRaised ? compatibleFrom : present}, changed_by = ${VERSION}, changed_at = now()`.execute(
    trx,
  );
}
