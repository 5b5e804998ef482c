import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { initialiseCluster, postgresAccount } from '../../support/database/postgres-cluster.ts';
import { findFreePort } from '../../support/free-port.ts';
import { requireComponent } from '../../support/run/components.ts';
import { findPostgresProgram } from '../../support/run/find-program.ts';
import { killPostgres } from './kill-postgres.ts';
import type { Reaper } from './reaper.ts';

/** A Postgres server that belongs to the run. */
export interface OwnPostgres {
  readonly port: number;
  /** Direct URL of the server, which bypasses the lines that faults break. */
  readonly url: string;
  start(): Promise<void>;
  /**
   * Stops a running server like `pg_ctl stop -m immediate`: the next start recovers from its WAL.
   */
  crash(): Promise<void>;
  /** Kills all of its processes with SIGKILL. Resolves when none uses its disk any more. */
  kill(): Promise<void>;
  /** Delays the flush of every later commit by this long; 0 for no delay. */
  delayCommits(ms: number): Promise<void>;
  /** Runs SQL as superuser. */
  ask<T extends pg.QueryResultRow>(statement: string): Promise<T[]>;
  /** Dumps the database to a file for `pg_restore`. */
  dump(file: string): void;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const DATABASE = 'quittance';

export async function createOwnPostgres(deps: {
  readonly disk: { readonly folder: string };
  readonly logFile: string;
  readonly reaper: Reaper;
  /** Off in tests of the power cut itself. */
  readonly fsync?: 'on' | 'off';
}): Promise<OwnPostgres> {
  requireComponent('postgresPrograms');
  const owner = postgresAccount() ?? {};
  const data = join(deps.disk.folder, 'data');
  const log = openSync(deps.logFile, 'a');
  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/${DATABASE}`;
  let child: ChildProcess | undefined;

  initialiseCluster(data, deps.disk.folder);

  async function ask<T extends pg.QueryResultRow>(statement: string, database = url): Promise<T[]> {
    const client = new pg.Client({ connectionString: database, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function start(): Promise<void> {
    const giveUpAt = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) child = launch();
      const trouble = await ask('select 1', url.replace(/[^/]*$/, 'postgres')).then(
        () => null,
        (error: Error) => error,
      );
      if (trouble === null) return;
      if (performance.now() > giveUpAt)
        throw new Error(`Postgres does not start, see ${deps.logFile}`, { cause: trouble });
      await sleep(POLL_MS);
    }
  }

  function launch(): ChildProcess {
    const settings = Object.entries({ ...SETTINGS, fsync: deps.fsync ?? 'on' }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const args = ['-D', data, '-p', String(port), ...settings];
    const launched = spawn(findPostgresProgram('postgres') ?? 'postgres', args, {
      ...owner,
      cwd: data,
      stdio: ['ignore', log, log],
    });
    const { pid } = launched;
    if (pid !== undefined) {
      deps.reaper.process(pid, 'SIGQUIT');
      launched.once('exit', () => deps.reaper.ended(pid));
    }
    return launched;
  }

  await start();
  await ask(`create database ${DATABASE}`, url.replace(/[^/]*$/, 'postgres'));
  return {
    port,
    url,
    start,
    async crash() {
      const ending = child;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      ending.kill('SIGQUIT');
      await once(ending, 'exit');
    },
    kill: () => killPostgres(data),
    async delayCommits(ms) {
      await ask(`alter system set commit_delay = ${ms * 1_000}`);
      await ask('alter system set commit_siblings = 0');
      await ask('select pg_reload_conf()');
    },
    ask: (statement) => ask(statement),
    dump(file) {
      const { status, stderr } = spawnSync(findPostgresProgram('pg_dump') ?? 'pg_dump', ['-Fc', '-f', file, url], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`pg_dump failed: ${stderr}`);
    },
  };
}

/**
 * Moves the send time of all messages sent so far back by this much. The service resends messages
 * that NATS has lost after minutes of the database's clock, which tests cannot advance.
 */
export async function ageSentMessages({ ask }: Pick<OwnPostgres, 'ask'>, byMs: number): Promise<void> {
  const interval = `make_interval(secs => ${byMs / 1_000})`;
  await ask(`update pending_observation set sent_at = sent_at - ${interval}`);
  await ask(`update outbox_message set published_at = published_at - ${interval} where published_at is not null`);
}

// Helpers

/** With a WAL small enough to be recycled often, and shared memory that goes with the disk. */
const SETTINGS = {
  dynamic_shared_memory_type: 'mmap',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '64MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
} as const;
