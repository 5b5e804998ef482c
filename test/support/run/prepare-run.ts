import { keepTemplate } from '../database/embedded-template.ts';
import { dropDatabasesOfRun, dropLeftovers } from '../database/test-database.ts';
import { describeAbsent } from './components.ts';
import { provideServers } from './provide-servers.ts';

/** Provides what all test files share, and returns how to end it. */
export async function prepareRun(): Promise<() => Promise<void>> {
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
