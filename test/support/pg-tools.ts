import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { requireComponent } from './components.ts';
import { findPostgresProgram } from './find-program.ts';

/** Writes a dump of a database, as docs/backup.md has it. Throws what the tool prints when it fails. */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await runTool('pg_dump', ['--format=custom', `--file=${file}`, url]);
}

/** The dump as SQL text, with everything that is in it. */
export async function dumpAsText(url: string, file: string): Promise<void> {
  await runTool('pg_dump', ['--format=plain', `--file=${file}`, url]);
}

/** Restores a dump into an empty database. */
export async function restoreDatabase(url: string, file: string): Promise<void> {
  await runTool('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${url}`, file]);
}

/** Runs a file of SQL with psql and its variables, and stops at the first mistake. */
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
