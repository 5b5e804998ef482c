import { type Kysely, sql } from 'kysely';

/**
 * A merchant that signed up itself needs an operator's approval before mail is sent to its
 * customers. Existing merchants are approved.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table merchant add column approval_pending_since timestamptz`.execute(db);
  await sql`alter table operator_action drop constraint operator_action_what_check`.execute(db);
  await sql`
    alter table operator_action add constraint operator_action_what_check check (what in (
      'event.sent', 'dead_letter.retried', 'dead_letter.dismissed', 'dead_letters.retry_planned', 'events.planned',
      'run.started', 'run.paused', 'run.cancelled', 'plan.changed', 'merchant.plan_assigned', 'merchant.approved',
      'secrets.resealed', 'network.rescanned', 'restore.finished', 'actors.migrated'
    )) not valid`.execute(db);
}
