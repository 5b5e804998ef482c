import type { TestProject } from 'vitest/node';
import { keepTemplate } from '../database/embedded-template.ts';
import { dropDatabasesOfRun, dropLeftovers } from '../database/test-database.ts';
import { buildSources } from './built-sources.ts';
import { describeAbsent } from './components.ts';
import { provideServers } from './provide-servers.ts';

/**
 * Runs once before the first test file: provides servers for all files and prints a table of what
 * this machine lacks.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildSources();
  project.onTestsRerun(buildSources);
  await keepTemplate();
  const stop = await provideServers();
  const hasPostgres = Boolean(process.env.TEST_POSTGRES_URL);
  if (hasPostgres) await dropLeftovers();
  const table = describeAbsent();
  if (table !== null) console.log(`\n${table}\n`);
  return async () => {
    // Databases that workers keep until they exit.
    if (hasPostgres) await dropDatabasesOfRun();
    await stop();
  };
}
