import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../../src/platform/db/index.ts';
import { unpackEmbeddedTemplate } from '../support/database/embedded-template.ts';
import { compile } from '../support/run/compiled.ts';
import { describeWith } from '../support/run/components.ts';
import { createPowerCutHarness } from './harness.ts';

const MIN_ACKNOWLEDGED = 50;
/** Opening it takes seconds of CPU time, twice, and much longer on a busy machine. */
const SLOW_START_MS = 180_000;

describeWith('powerCuts')('the embedded database', () => {
  test(
    'loses acknowledged writes when the power is cut, which is why it accepts no live coins of a main network',
    async () => {
      const { disk, reaper } = createPowerCutHarness();
      const dataDir = join(disk.folder, 'data');
      await unpackEmbeddedTemplate(dataDir);
      disk.sync();
      const writer = spawn(process.execPath, [compile('test/support/children/embedded.ts'), dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (writer.pid !== undefined) reaper.process(writer.pid, 'SIGKILL');
      let acknowledged = 0;
      for await (const line of createInterface({ input: writer.stdout })) {
        acknowledged = Number(line);
        if (acknowledged >= MIN_ACKNOWLEDGED) break;
      }
      disk.cut();
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      if (writer.pid !== undefined) reaper.ended(writer.pid);
      await disk.restore();
      expect(await countNotes(dataDir)).toBeLessThan(acknowledged);
    },
    SLOW_START_MS,
  );
});

// Helpers

/** 0 when the database can no longer be opened, or has lost the table. */
async function countNotes(dataDir: string): Promise<number> {
  try {
    const { db, close } = await connect({ url: null, dataDir, poolSize: 1 });
    try {
      const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from note`.execute(db);
      return rows[0]?.count ?? 0;
    } finally {
      await close();
    }
  } catch {
    return 0;
  }
}
