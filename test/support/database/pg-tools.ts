import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { requireComponent } from '../run/components.ts';
import { findPostgresProgram } from '../run/find-program.ts';

/**
 * Writes a dump of a database as docs/operators/backup.md describes. Throws the tool's output when
 * it fails.
 */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await runTool('pg_dump', ['--format=custom', `--file=${file}`, url]);
}

/** Dumps everything in the database as SQL text. */
export async function dumpAsText(url: string, file: string): Promise<void> {
  await runTool('pg_dump', ['--format=plain', `--file=${file}`, url]);
}

/** Restores a dump into an empty database. */
export async function restoreDatabase(url: string, file: string): Promise<void> {
  await runTool('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${url}`, file]);
}

/** Runs an SQL file with psql and psql variables; stops at the first error. */
export async function runSqlFile(
  url: string,
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
  await runTool('psql', ['--quiet', '--no-psqlrc', ...set, '-f', file, url]);
}

// Helpers

async function runTool(name: string, args: readonly string[]): Promise<void> {
  requireComponent('postgresPrograms');
  const path = findPostgresProgram(name) ?? '';
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString('utf8');
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode}: ${complaint}`);
}
