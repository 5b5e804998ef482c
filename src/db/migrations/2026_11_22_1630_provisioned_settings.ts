import { type Kysely, sql } from 'kysely';

/**
 * Records the provisioned e-mail and settings, so that applying the same file again does not undo
 * changes owners made in the console.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table merchant
      add column provisioned_email text,
      add column provisioned_settings jsonb`.execute(db);
  await sql`
    update merchant set provisioned_email = email, provisioned_settings = settings where provisioned_plan is not null`.execute(
    db,
  );
}
