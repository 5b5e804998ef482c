import { spawnSync } from 'node:child_process';
import { findPostgresProgram } from './find-program.ts';

/** The account that runs Postgres, which refuses to run as root; `null` for the account of this process. */
export function postgresAccount(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  if (!uid || !gid) throw new Error('As root, Postgres needs an account called postgres: apt-get install postgresql');
  return { uid, gid };
}

/** Makes an empty cluster in `data`, a folder below `cwd` that belongs to the account. Everybody on this machine may connect. */
export function initialiseCluster(data: string, cwd: string): void {
  const { status, stderr, error } = spawnSync(
    findPostgresProgram('initdb') ?? 'initdb',
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { ...postgresAccount(), cwd, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb failed: ${stderr || error?.message}`);
}
