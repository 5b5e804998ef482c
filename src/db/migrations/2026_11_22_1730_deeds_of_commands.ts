import { type Kysely, sql } from 'kysely';

/** Audits service-wide commands as operator actions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operator_action drop constraint operator_action_what_check`.execute(db);
  await sql`
    alter table operator_action add constraint operator_action_what_check check (what in (
      'event.sent', 'dead_letter.retried', 'dead_letter.dismissed', 'dead_letters.retry_planned', 'events.planned',
      'run.started', 'run.paused', 'run.cancelled', 'plan.changed', 'merchant.plan_assigned', 'secrets.resealed',
      'network.rescanned', 'restore.finished', 'actors.migrated'
    ))`.execute(db);
}
