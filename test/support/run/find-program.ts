import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian installs servers here, and PATH may lack these folders. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];
/** Debian keeps the programs of Postgres in a folder per version, with only wrappers in PATH. */
const POSTGRES_ROOT = '/usr/lib/postgresql';

/** The path of an installed program, or `undefined`. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * The path of a program of the newest installed Postgres, whose tools work with older servers but
 * not with newer ones.
 */
export function findPostgresProgram(name: string): string | undefined {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const paths = versions.map((version) => join(POSTGRES_ROOT, version, 'bin', name));
  return paths.find((path) => existsSync(path)) ?? findProgram(name);
}
