import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** For `requireOrSkip`, when `hasPgTools` answers false. */
export const PG_TOOLS_MISSING = {
  missing: 'there is no pg_dump in /usr/lib/postgresql or in PATH',
  remedy: 'apt-get install postgresql-client',
} as const;

/** Debian keeps them by version, and has wrappers alone in PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

export function hasPgTools(): boolean {
  return findTool('pg_dump') !== undefined && findTool('pg_restore') !== undefined;
}

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

function findTool(name: string): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).map(Number) : [];
  // The newest: a tool reads servers that are older than itself, and refuses newer ones.
  const folders = versions.sort((a, b) => b - a).map((version) => join(DEBIAN_FOLDER, String(version), 'bin'));
  const inPath = (process.env.PATH ?? '').split(':');
  return [...folders, ...inPath].map((folder) => join(folder, name)).find((path) => existsSync(path));
}

async function runTool(name: string, args: readonly string[]): Promise<void> {
  const path = findTool(name);
  if (path === undefined) throw new Error(`${PG_TOOLS_MISSING.missing}: ${PG_TOOLS_MISSING.remedy}`);
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString('utf8');
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode}: ${complaint}`);
}
