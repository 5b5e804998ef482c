import { type Kysely, sql } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import { type HealthDeps, readHealth, type SystemHealth } from './health.ts';

/** What the database tells of the whole installation, whichever process asks: numbers alone, no ids. */
export interface InstallationFigures extends SystemHealth {
  /** How many actors rest in each state. */
  readonly actors: readonly { readonly kind: string; readonly state: string; readonly count: number }[];
  /** How many alerts of each sort nobody has dealt with. */
  readonly openAlerts: readonly { readonly alert: string; readonly count: number }[];
}

/** Rejects with `RetryableError` when the database is away. */
export async function readInstallationFigures(deps: HealthDeps): Promise<InstallationFigures> {
  const [health, actors, openAlerts] = await Promise.all([
    readHealth(deps),
    whileDatabaseAnswers(() => countActors(deps.db)),
    whileDatabaseAnswers(() => countOpenAlerts(deps.db)),
  ]);
  // A network that was watched once and is not any more would be blind for ever.
  const chains = health.chains.filter(({ network }) => deps.networks.includes(network));
  return { ...health, chains, actors, openAlerts };
}

// Helpers

/** From the counts that are kept, so its cost does not grow with the actors. */
async function countActors(db: Kysely<Database>): Promise<InstallationFigures['actors']> {
  const { rows } = await sql<InstallationFigures['actors'][number]>`
    select kind, state, sum(actors)::int8 as count from actor_count
    group by kind, state having sum(actors) > 0 order by kind, state`.execute(db);
  return rows;
}

async function countOpenAlerts(db: Kysely<Database>): Promise<InstallationFigures['openAlerts']> {
  const { rows } = await sql<InstallationFigures['openAlerts'][number]>`
    select alert, count(*) as count from operator_alert where resolved_at is null group by alert order by alert`.execute(
    db,
  );
  return rows;
}
