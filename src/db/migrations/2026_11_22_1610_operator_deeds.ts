import { type Kysely, sql } from 'kysely';

/** Audits more operator actions, and indexes them by time and by person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operator_action drop constraint operator_action_what_check`.execute(db);
  await sql`
    alter table operator_action add constraint operator_action_what_check check (what in (
      'event.sent', 'dead_letter.retried', 'dead_letter.dismissed', 'dead_letters.retry_planned', 'events.planned',
      'run.started', 'run.paused', 'run.cancelled', 'plan.changed', 'merchant.plan_assigned'
    ))`.execute(db);
  await sql`create index operator_action_newest on operator_action (asked_at, request_id)`.execute(db);
  await sql`create index operator_action_by_person on operator_action (who, asked_at, request_id)`.execute(db);
}
