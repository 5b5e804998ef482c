import { keepTemplate } from '../database/embedded-template.ts';
import { dropDatabasesOfRun, dropLeftovers } from '../database/test-database.ts';
import { describeAbsent, describeGaps } from './components.ts';
import { provideServers } from './provide-servers.ts';

/** Provides what all test files share, and returns how to end it. */
export async function prepareRun(): Promise<() => Promise<void>> {
  await keepTemplate();
  const stop = await provideServers();
  const hasPostgres = Boolean(process.env.TEST_POSTGRES_URL);
  if (hasPostgres) await dropLeftovers();
  for (const text of [describeAbsent(), describeGaps()]) if (text !== null) console.log(`\n${text}\n`);
  return async () => {
    // Databases that workers keep until they exit.
    if (hasPostgres) await dropDatabasesOfRun();
    await stop();
  };
}
