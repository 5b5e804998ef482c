import { type Kysely, sql } from 'kysely';

/**
 * Which versions can run on this schema. One row, updated by every migration. Never edited once
 * released.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schema_compatibility (
      only_row boolean primary key default true check (only_row),
      compatible_from text not null,
      changed_by text,
      changed_at timestamptz not null default now()
    )`.execute(db);
  await sql`insert into schema_compatibility (compatible_from) values ('0.1.0')`.execute(db);
}
