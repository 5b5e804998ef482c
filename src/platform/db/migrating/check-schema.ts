import { TerminalError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { compareVersions } from './compare-versions.ts';
import type { SchemaState } from './schema-state.ts';

const GUIDE = 'docs/operators/upgrading.md';

/**
 * Rejects a schema that this version cannot run on, even after migrating. Throws a `TerminalError`:
 * `SCHEMA_TOO_NEW` when a newer version changed it incompatibly, `SCHEMA_DIVERGED` when its
 * migrations are not those of an earlier or later version.
 */
export function refuseForeignSchema(
  { pending, unknown, skipped, compatibility }: SchemaState,
  version = VERSION,
): void {
  const { compatibleFrom, changedBy } = compatibility;
  const [foreign] = unknown;
  if (foreign !== undefined && compareVersions(version, compatibleFrom) < 0) {
    throw new TerminalError(
      'SCHEMA_TOO_NEW',
      `The database was brought on by Quittance ${changedBy ?? 'of a newer version'}, and only versions from ` +
        `${compatibleFrom} on can run on it; this is ${version}. Start ${compatibleFrom} or newer. To go back to ` +
        `${version}, restore the backup that was made before the upgrade: the schema goes forward only (${GUIDE}).`,
    );
  }
  const [odd] = foreign === undefined ? skipped : pending;
  if (odd !== undefined) {
    const other = foreign === undefined ? 'has later ones' : `has "${foreign}", which ${version} does not know`;
    throw new TerminalError(
      'SCHEMA_DIVERGED',
      `The database lacks the change "${odd}" of Quittance ${version} and ${other}: another line of versions was run on it ` +
        `(${changedBy ?? 'which one was not written down'}). Start that version or one that followed it, or restore a backup (${GUIDE}).`,
    );
  }
}

/**
 * Also rejects a schema with pending migrations. Throws a `TerminalError` `SCHEMA_OUTDATED`, or one
 * of those above.
 */
export function refuseOutdatedSchema(state: SchemaState, version = VERSION): void {
  refuseForeignSchema(state, version);
  const [first, ...more] = state.pending;
  if (first === undefined) return;
  throw new TerminalError(
    'SCHEMA_OUTDATED',
    `The database lacks ${more.length + 1} of the changes that Quittance ${version} needs, the first of them "${first}", and ` +
      `MIGRATE is off. Run "quittance migrate" of this version, and start again (${GUIDE}).`,
  );
}
