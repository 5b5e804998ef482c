import { type Kysely, sql } from 'kysely';

/** Owners change e-mail and settings in the console; applying the same provisioning file again must not undo it. */
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
