import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from '../../../demo/wait.ts';
import { findFreePort } from '../free-port.ts';
import { findPostgresProgram } from '../run/find-program.ts';

const PROBE_TIMEOUT_MS = 2_000;

/** A separate running Postgres server. */
export interface Cluster {
  readonly port: number;
  /** URL of its database `postgres`, as the superuser. */
  readonly url: string;
  /** Stops it immediately, like `pg_ctl stop -m immediate`. */
  stop(): Promise<void>;
}

/** A temporary folder owned by the Postgres account; the caller removes it. */
export async function createClusterFolder(): Promise<string> {
  const account = postgresAccount();
  const folder = await mkdtemp(join(tmpdir(), 'quittance-postgres-'));
  if (account !== null) await chown(folder, account.uid, account.gid);
  return folder;
}

/**
 * Starts a server on a folder created by `initialiseCluster` or `pg_basebackup`; resolves when it
 * accepts connections.
 */
export async function startCluster(options: {
  readonly data: string;
  /** Each in the form `fsync=off`. */
  readonly settings: readonly string[];
}): Promise<Cluster> {
  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', ...options.settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(
    findPostgresProgram('postgres') ?? 'postgres',
    ['-D', options.data, '-p', String(port), ...settings],
    { ...postgresAccount(), cwd: options.data, stdio: 'ignore' },
  );
  const killNow = () => void child.kill('SIGQUIT');
  process.on('exit', killNow);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitFor(
    async () => ((await responses(url)) ? true : null),
    () => 'the Postgres server of the tests does not start',
  );
  return {
    port,
    url,
    async stop() {
      process.off('exit', killNow);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGQUIT');
      await once(child, 'exit');
    },
  };
}

/** True when a server accepts connections there. */
export async function responses(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** The account for Postgres, which refuses to run as root; `null`: that of this process. */
export function postgresAccount(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  if (!uid || !gid) throw new Error('As root, Postgres needs an account called postgres: apt-get install postgresql');
  return { uid, gid };
}

/**
 * Creates an empty cluster in `data`, which the account owns, below `cwd`. Any user may connect.
 */
export function initialiseCluster(data: string, cwd: string): void {
  const { status, stderr, error } = spawnSync(
    findPostgresProgram('initdb') ?? 'initdb',
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { ...postgresAccount(), cwd, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb failed: ${stderr || error?.message}`);
}
