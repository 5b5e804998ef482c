import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../../demo/wait.ts';
import { findFreePort } from '../free-port.ts';
import { findProgram } from '../run/find-program.ts';
import { createClusterFolder, postgresAccount, responses } from './postgres-cluster.ts';

/** PgBouncer in transaction mode in front of a database. */
export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** Two server connections for all clients, so that they soon share one. */
const SERVER_CONNECTIONS = 2;

export async function startPgBouncer(serverUrl: string): Promise<Pooler> {
  const folder = await createClusterFolder();
  const port = await findFreePort();
  const server = new URL(serverUrl);
  const host = server.searchParams.get('host') ?? server.hostname;
  const password = server.password === '' ? '' : ` password=${decodeURIComponent(server.password)}`;
  const configuration = join(folder, 'pgbouncer.ini');
  await writeFile(
    configuration,
    `[databases]
* = host=${host} port=${server.port || 5432} user=${decodeURIComponent(server.username)}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = ${SERVER_CONNECTIONS}
`,
  );
  const child = spawn(findProgram('pgbouncer') ?? 'pgbouncer', [configuration], {
    ...postgresAccount(),
    cwd: folder,
    stdio: 'ignore',
  });
  const killNow = () => void child.kill('SIGKILL');
  process.on('exit', killNow);
  const url = `postgres://${server.username}@127.0.0.1:${port}${server.pathname}`;
  await waitFor(
    async () => ((await responses(url)) ? true : null),
    () => 'PgBouncer does not start',
  );
  return {
    url,
    async stop() {
      process.off('exit', killNow);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
