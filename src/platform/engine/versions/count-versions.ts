import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/index.ts';
import type { KindRegistry } from './kind-registry.ts';

/** Number of actors of one chart version in one state. */
export interface VersionCount {
  readonly kind: string;
  readonly version: string;
  readonly state: string;
  readonly status: 'active' | 'done';
  readonly actors: number;
  /**
   * `current`: new actors run it. `kept`: registered for existing actors. `missing`: not
   * registered, so actors would run the current one.
   */
  readonly registered: 'current' | 'kept' | 'missing';
}

/** Counts all actors by kind, version and state. Reads every row of `actor` once. */
export async function countVersions(db: Kysely<Database>, kinds: KindRegistry): Promise<VersionCount[]> {
  const { rows } = await sql<Omit<VersionCount, 'registered'>>`
    select kind, version, state, status, count(*) as actors from actor
    group by kind, version, state, status order by kind, version, status, state`.execute(db);
  return rows.map((row) => ({ ...row, registered: registrationOf(kinds, row) }));
}

// Helpers

function registrationOf(
  kinds: KindRegistry,
  { kind, version }: Pick<VersionCount, 'kind' | 'version'>,
): VersionCount['registered'] {
  const versions = kinds.versions(kind).map((each) => each.version);
  if (versions.at(-1) === version) return 'current';
  return versions.includes(version) ? 'kept' : 'missing';
}
