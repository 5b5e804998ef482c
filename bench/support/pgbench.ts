import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../src/platform/errors.ts';
import { findPostgresProgram } from '../../test/support/run/find-program.ts';
import { createMeter, type RoundFigures } from './costs.ts';
import { createEmptyDatabase } from './database.ts';

/** `pgbench -N`: one small transaction after another, as a yardstick of this server. */
export interface Pgbench {
  run(seconds: number): Promise<RoundFigures>;
  drop(): Promise<void>;
}

const execute = promisify(execFile);
const SCALE = '10';
/** An update and an insert. */
const ROWS_PER_TRANSACTION = 2;

/** Null, with the remedy printed, when pgbench is not installed or not all clients can connect. */
export async function openPgbench(clients: number): Promise<Pgbench | null> {
  const program = findPostgresProgram('pgbench');
  if (program === undefined) {
    process.stdout.write('without pgbench, which is not installed: apt-get install postgresql-contrib\n');
    return null;
  }
  const database = await createEmptyDatabase(1);
  const load = ['-N', '-n', '-M', 'prepared', '-c', String(clients), '-j', '2', database.url];
  try {
    await execute(program, ['--initialize', '--quiet', '--scale', SCALE, database.url]);
    await execute(program, ['-T', '1', ...load]);
  } catch (error) {
    process.stdout.write(`without pgbench, which needs ${clients} free connections: ${messageOf(error)}\n`);
    await database.drop();
    return null;
  }
  const meter = await createMeter(database.db, []);
  return {
    async run(seconds) {
      const figures = await meter(async () => {
        const { stdout } = await execute(program, ['-T', String(seconds), ...load]);
        return requireMatch(stdout, /transactions actually processed: (\d+)/);
      });
      return { ...figures, rows: ROWS_PER_TRANSACTION };
    },
    drop: () => database.drop(),
  };
}

// Helpers

function requireMatch(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`pgbench has printed something else:\n${text}`);
  return Number(found);
}
