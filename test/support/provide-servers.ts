import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from '../../demo/wait.ts';
import { COMPONENTS } from './components.ts';
import { findPostgresProgram } from './find-program.ts';
import { findFreePort } from './free-port.ts';
import { createNatsServer, hasJetStream, USUAL_PORT } from './nats.ts';
import { initialiseCluster, postgresAccount } from './postgres-cluster.ts';

/** Where servers of this machine usually answer. */
const USUAL: UsualServers = { postgresUrl: 'postgres://postgres@127.0.0.1:5432/postgres', natsPort: USUAL_PORT };
/** Where Debian's Postgres has its socket. */
const SOCKET_FOLDER = '/var/run/postgresql';
const PROBE_TIMEOUT_MS = 2_000;

interface UsualServers {
  readonly postgresUrl: string;
  readonly natsPort: number;
}

/**
 * Sets TEST_POSTGRES_URL and TEST_NATS_URL to servers of this machine: those that answer at their usual ports, else ones of
 * this run. A variable that is already set is left alone; one whose server is not installed stays unset. Answers what ends them.
 */
export async function provideServers(
  env: NodeJS.ProcessEnv = process.env,
  usual: UsualServers = USUAL,
): Promise<() => Promise<void>> {
  const [postgres, nats] = await Promise.all([
    env.TEST_POSTGRES_URL ? null : providePostgres(usual.postgresUrl),
    env.TEST_NATS_URL ? null : provideNatsServer(usual.natsPort),
  ]);
  if (postgres !== null) env.TEST_POSTGRES_URL = postgres.url;
  if (nats !== null) env.TEST_NATS_URL = nats.url;
  return async () => {
    await postgres?.stop();
    await nats?.stop();
  };
}

// Helpers

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Half the computing of a connection over TCP, for both ends. Programs and libraries alike prefer `host` to the host before it. */
function throughSocket(url: string, folder: string): string {
  return `${url}?host=${encodeURIComponent(folder)}`;
}

async function providePostgres(usualUrl: string): Promise<Server | null> {
  for (const url of [throughSocket(usualUrl, SOCKET_FOLDER), usualUrl]) {
    if (await answers(url)) return { url, stop: async () => {} };
  }
  return COMPONENTS.postgresPrograms.isThere() ? startPostgres() : null;
}

async function provideNatsServer(usualPort: number): Promise<Server | null> {
  if (await hasJetStream(usualPort)) return { url: `nats://127.0.0.1:${usualPort}`, stop: async () => {} };
  if (!COMPONENTS.natsServer.isThere()) return null;
  const server = await createNatsServer();
  await server.start();
  return { url: server.url, stop: () => server.remove() };
}

/** A cluster in a temporary folder. What tests kill is never this server, so it does not wait for its disk. */
async function startPostgres(): Promise<Server> {
  const account = postgresAccount();
  const folder = await mkdtemp(join(tmpdir(), 'quittance-postgres-'));
  if (account !== null) await chown(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  initialiseCluster(data, folder);
  const port = await findFreePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    'fsync=off',
  ];
  const child = spawn(
    findPostgresProgram('postgres') ?? 'postgres',
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, cwd: data, stdio: 'ignore' },
  );
  const killNow = () => void child.kill('SIGQUIT');
  process.on('exit', killNow);
  const url = throughSocket(`postgres://postgres@127.0.0.1:${port}/postgres`, folder);
  await waitFor(
    async () => ((await answers(url)) ? true : null),
    () => 'the Postgres server of the tests does not start',
  );
  return {
    url,
    async stop() {
      process.off('exit', killNow);
      child.kill('SIGQUIT');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
