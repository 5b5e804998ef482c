import { loadConfig } from '../platform/config/index.ts';
import { schemaStateOf } from '../platform/db/index.ts';
import { changeSchema, rejectMigrationPooler } from '../service/migrate-schema.ts';
import { openDatabase } from '../service/open-database.ts';
import { printLine, printResult } from './print.ts';
import { explainUnreachable } from './with-database.ts';

/**
 * `quittance migrate`: applies pending migrations regardless of MIGRATE, or lists them. Throws what
 * `changeSchema` throws.
 */
export async function migrate(requested: { 'dry-run': boolean; json: boolean }): Promise<void> {
  const config = loadConfig(process.env);
  // A role that may change the schema may also read its state; the service's role may lack that
  // right until the migrations have run.
  const url = config.database.migrationUrl ?? config.database.url;
  const database = { ...config.database, url, migrationUrl: null, poolSize: 2, pooler: 'none' } as const;
  const owner = { ...config, database };
  if (url !== null) await rejectMigrationPooler(url).catch(explainUnreachable);
  const connection = await openDatabase(owner);
  try {
    if (requested['dry-run']) {
      const { pending, unknown, compatibility } = await schemaStateOf(connection.db).catch(explainUnreachable);
      const { compatibleFrom } = compatibility;
      printResult(requested.json, { pending, unknown, compatible_from: compatibleFrom }, () => {
        return pending.length === 0 ? 'The schema is up to date.' : listText('Pending', pending);
      });
      return;
    }
    const onWait = (reason: string) => (requested.json ? undefined : printLine(reason));
    const applied = await changeSchema(owner, connection.db, { onWait }).catch(explainUnreachable);
    printResult(requested.json, { applied }, () => {
      return applied.length === 0 ? 'The schema was already up to date.' : listText('Applied', applied);
    });
  } finally {
    await connection.close();
  }
}

// Helpers

function listText(heading: string, names: readonly string[]): string {
  return [`${heading} (${names.length}):`, ...names.map((name) => `  ${name}`)].join('\n');
}
