import { TerminalError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { compareVersions } from './compare-release-versions.ts';
import type { SchemaState } from './schema-state.ts';

const GUIDE = 'docs/operators/upgrading.md';

/**
 * Rejects a schema that this version cannot run on, even after migrating. Throws a `TerminalError`:
 * `SCHEMA_TOO_NEW` when a newer version changed it incompatibly, `SCHEMA_DIVERGED` when its
 * migrations are not those of an earlier or later version.
 */
export function rejectForeignSchema(
  { pending, unknown, skipped, compatibility }: SchemaState,
  version = VERSION,
): void {
  const { compatibleFrom, changedBy } = compatibility;
  const [foreign] = unknown;
  if (foreign !== undefined && compareVersions(version, compatibleFrom) < 0) {
    throw new TerminalError(
      'SCHEMA_TOO_NEW',
      `The database was migrated by Quittance ${changedBy ?? '(a newer version)'} and requires ` +
        `${compatibleFrom} or newer; this is ${version}. Start ${compatibleFrom} or newer. To go back to ` +
        `${version}, restore the backup from before the upgrade: the schema cannot be downgraded (${GUIDE}).`,
    );
  }
  const [odd] = foreign === undefined ? skipped : pending;
  if (odd !== undefined) {
    const other = foreign === undefined ? 'has later ones' : `has "${foreign}", which ${version} does not have`;
    throw new TerminalError(
      'SCHEMA_DIVERGED',
      `The database lacks the migration "${odd}" of Quittance ${version} and ${other}: a diverging version ran on it ` +
        `(${changedBy ?? 'unknown'}). Start that version or a later one of its line, or restore a backup (${GUIDE}).`,
    );
  }
}

/**
 * Also rejects a schema with pending migrations. Throws a `TerminalError` `SCHEMA_OUTDATED`, or one
 * of those above.
 */
export function rejectOutdatedSchema(state: SchemaState, version = VERSION): void {
  rejectForeignSchema(state, version);
  const [first, ...more] = state.pending;
  if (first === undefined) return;
  throw new TerminalError(
    'SCHEMA_OUTDATED',
    `The database lacks ${more.length + 1} migrations that Quittance ${version} needs, starting with "${first}", and ` +
      `MIGRATE is off. Run "quittance migrate" of this version, then start again (${GUIDE}).`,
  );
}
