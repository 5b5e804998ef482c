import type { TestProject } from 'vitest/node';
import { buildSources } from './built-sources.ts';
import { describeAbsent } from './components.ts';
import { dropDatabasesOfRun, dropLeftovers } from './database.ts';
import { keepTemplate } from './embedded-template.ts';
import { provideServers } from './provide-servers.ts';

/** Runs once before the first test file: servers for all of them, and a table of what this machine does not have. */
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
    // Those that workers have shared for all their life.
    if (hasPostgres) await dropDatabasesOfRun();
    await stop();
  };
}
