import { expect, test } from 'vitest';
import { connect } from '../../src/platform/db/index.ts';
import { inviteToSetup } from '../../src/service/invite-to-setup.ts';
import { createTestClock } from '../support/clock.ts';
import { createDatabaseLine } from '../support/database/database-line.ts';
import { createPostgresDatabase, describePostgres } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';

describePostgres('the URL to create the first operator', () => {
  // Found by chaos: Postgres was killed between the readiness of a process and this question, which
  // ended the process.
  test('is printed once the database is back, when it goes down right after the start', async () => {
    const database = await createPostgresDatabase();
    const { line, url } = await createDatabaseLine(database);
    const { db, close } = await connect({ url, dataDir: null, poolSize: 1 });
    const lines: string[] = [];
    const printed: string[] = [];
    const stopping = new AbortController();
    const invite = () =>
      inviteToSetup({
        db,
        clock: createTestClock(),
        publicUrl: 'https://pay.example',
        log: { info: () => lines.push('info'), warn: () => lines.push('warn') },
        print: (text) => printed.push(text),
        signal: stopping.signal,
      });
    try {
      await line.cut();
      const invited = invite();
      await expect.poll(() => lines, POLLING).toEqual(['warn']);
      await line.repair();
      await invited;
      expect(lines).toEqual(['warn', 'info']);
      expect(printed).toEqual([expect.stringContaining('https://pay.example/console/setup#')]);

      await line.cut();
      const stopped = invite();
      await expect.poll(() => lines.at(-1), POLLING).toBe('warn');
      stopping.abort();
      await expect(stopped).rejects.toThrow('aborted');
    } finally {
      await close();
      await line.close();
      await database.drop();
    }
  });
});
