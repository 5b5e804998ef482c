import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findPostgresProgram } from '../../test/support/find-program.ts';
import { createMeter, type RoundFigures } from './costs.ts';
import { createEmptyDatabase } from './database.ts';

/** `pgbench -N`: one small transaction after another, as a yardstick of this server. */
export interface Pgbench {
  run(options: { readonly clients: number; readonly seconds: number }): Promise<RoundFigures>;
  drop(): Promise<void>;
}

const execute = promisify(execFile);
const SCALE = '10';
/** An update and an insert. */
const ROWS_PER_TRANSACTION = 2;

/** Null when pgbench is not installed; prints then how to get it. */
export async function openPgbench(): Promise<Pgbench | null> {
  const program = findPostgresProgram('pgbench');
  if (program === undefined) {
    process.stdout.write('pgbench is not installed: apt-get install postgresql-contrib, or postgresql-client\n');
    return null;
  }
  const database = await createEmptyDatabase(1);
  await execute(program, ['--initialize', '--quiet', '--scale', SCALE, database.url]);
  const meter = await createMeter(database.db, []);
  return {
    async run({ clients, seconds }) {
      const load = ['-N', '-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)];
      const figures = await meter(async () => {
        const { stdout } = await execute(program, [...load, database.url]);
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
