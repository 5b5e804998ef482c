import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from '../../../demo/wait.ts';
import { createTcpProxy, type TcpProxy } from '../outside/tcp-proxy.ts';
import { findPostgresProgram } from '../run/find-program.ts';
import {
  type Cluster,
  createClusterFolder,
  initialiseCluster,
  postgresAccount,
  startCluster,
} from './postgres-cluster.ts';

/** A primary with an asynchronous standby behind one address, as a failover manager provides. */
export interface ReplicatedPostgres {
  /** Points to the primary; after `failOver`, to the promoted standby. */
  readonly url: string;
  /** Waits until the standby has caught up, then stops replication: it lacks all later commits. */
  detachStandby(): Promise<void>;
  /** Stops the primary immediately, promotes the standby and redirects the address. */
  failOver(): Promise<void>;
  /**
   * Suspends the process that writes commits without changes to disk, usually within 200 ms: the
   * ids that they use are assigned again after a crash, even a late one.
   */
  forgetTransactionIds(): Promise<void>;
  /** Kills one process of the current server; the postmaster restarts all others and recovers. */
  crashProcess(): Promise<void>;
  /** Runs transactions that change nothing but consume one transaction id each. */
  useTransactionIds(count: number): Promise<void>;
  remove(): Promise<void>;
}

export async function createReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await createClusterFolder();
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const settings = ['unix_socket_directories=', 'fsync=off', 'wal_level=replica', 'hot_standby=on'];
  initialiseCluster(first, folder);
  const primary = await startCluster({ data: first, settings });
  copyPrimary(primary, second, folder);
  const standby = await startCluster({ data: second, settings });
  const proxy = await createSwitch(primary.port);
  let serving = primary;

  return {
    url: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    async detachStandby() {
      const { rows } = await ask(primary, 'select pg_current_wal_flush_lsn()::text as value');
      const hasAll = `select pg_last_wal_replay_lsn() >= '${rows[0]?.value}'::pg_lsn as value`;
      const isReplayed = async () => ((await ask(standby, hasAll)).rows[0]?.value === true ? true : null);
      await waitFor(isReplayed, () => 'the standby does not follow the primary');
      await ask(standby, "alter system set primary_conninfo = ''");
      await ask(standby, 'select pg_reload_conf()');
      const isCut = async () =>
        (await ask(primary, 'select 1 from pg_stat_replication')).rows.length === 0 ? true : null;
      await waitFor(isCut, () => 'the standby goes on receiving');
    },
    async failOver() {
      await primary.stop();
      await ask(standby, 'select pg_promote()');
      serving = standby;
      await proxy.switchTo(standby.port);
    },
    async forgetTransactionIds() {
      process.kill(await walWriterOf(serving), 'SIGSTOP');
    },
    async crashProcess() {
      process.kill(await walWriterOf(serving), 'SIGKILL');
    },
    async useTransactionIds(count) {
      await ask(
        serving,
        `do $$ begin for i in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`,
      );
    },
    async remove() {
      await proxy.close();
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// Helpers

function copyPrimary({ port }: Cluster, data: string, cwd: string): void {
  const { status, stderr, error } = spawnSync(
    findPostgresProgram('pg_basebackup') ?? 'pg_basebackup',
    ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', data, '-R', '-c', 'fast', '--no-sync'],
    { ...postgresAccount(), cwd, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`pg_basebackup failed: ${stderr || error?.message}`);
}

async function walWriterOf(cluster: Cluster): Promise<number> {
  const text = "select pid as value from pg_stat_activity where backend_type = 'walwriter'";
  const { rows } = await ask(cluster, text);
  return Number(rows[0]?.value);
}

async function ask({ url }: Cluster, statement: string): Promise<pg.QueryResult<{ value: unknown }>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A proxy whose target can change; connections to the previous target break. */
async function createSwitch(port: number): Promise<TcpProxy & { switchTo(next: number): Promise<void> }> {
  const target = { host: '127.0.0.1', port };
  const proxy = await createTcpProxy(target);
  return {
    ...proxy,
    async switchTo(next) {
      await proxy.cut();
      target.port = next;
      await proxy.repair();
    },
  };
}
