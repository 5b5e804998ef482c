import { type Kysely, sql } from 'kysely';
import { deliveryMachine } from '../../../machines/index.ts';
import { isTestAlert } from '../../payments/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type HealthDeps, readHealth, type SystemHealth } from './health.ts';

/**
 * Figures of the whole installation, from the database: the same in every
 * process. Numbers only, no ids.
 */
export interface InstallationFigures extends SystemHealth {
  /** Number of actors in each state, and of deliveries before their first outcome. */
  readonly actors: readonly { readonly kind: string; readonly state: string; readonly count: number }[];
  /** Number of unresolved alerts of each type, without those of test payments. */
  readonly openAlerts: readonly { readonly alert: string; readonly count: number }[];
}

/** Rejects with `RetryableError` when the database is unavailable. */
export async function readInstallationFigures(deps: HealthDeps): Promise<InstallationFigures> {
  const [health, actors, openAlerts] = await Promise.all([
    readHealth(deps),
    countActors(deps.db),
    countOpenAlerts(deps.db),
  ]);
  return { ...health, actors, openAlerts };
}

// Helpers

/**
 * Reads the maintained counts, so the cost does not grow with the number of actors. Owed
 * deliveries, which have no actor yet, count as being sent.
 */
async function countActors(db: Kysely<Database>): Promise<InstallationFigures['actors']> {
  const { rows } = await sql<InstallationFigures['actors'][number]>`
    select kind, state, sum(actors)::int8 as count
    from (
      select kind, state, actors from actor_count
      union all select ${deliveryMachine.id}, 'sending', count(*) from webhook_delivery where is_owed
    ) as counted
    group by kind, state having sum(actors) > 0 order by kind, state`.execute(db);
  return rows;
}

async function countOpenAlerts(db: Kysely<Database>): Promise<InstallationFigures['openAlerts']> {
  const { rows } = await sql<InstallationFigures['openAlerts'][number]>`
    select alert, count(*) as count from operator_alert where resolved_at is null and not ${isTestAlert}
    group by alert order by alert`.execute(db);
  return rows;
}
