import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClusterFolder, initialiseCluster, responses, startCluster } from '../database/postgres-cluster.ts';
import { createNatsServer, hasJetStream, USUAL_PORT } from '../service/nats.ts';
import { COMPONENTS } from './components.ts';

/** Default addresses of servers on this machine. */
const USUAL: UsualServers = { postgresUrl: 'postgres://postgres@127.0.0.1:5432/postgres', natsPort: USUAL_PORT };
/** Socket folder of Debian's Postgres. */
const SOCKET_FOLDER = '/var/run/postgresql';

interface UsualServers {
  readonly postgresUrl: string;
  readonly natsPort: number;
}

/**
 * Sets TEST_POSTGRES_URL and TEST_NATS_URL to servers of this machine: those on the default ports,
 * otherwise ones started for this run. Keeps variables that are already set; a variable whose
 * server is not installed stays unset. Returns a function that stops the started servers.
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

/**
 * A socket takes half the CPU time of TCP, on both ends. Drivers and tools prefer the `host`
 * parameter to the host of the URL.
 */
function throughSocket(url: string, folder: string): string {
  return `${url}?host=${encodeURIComponent(folder)}`;
}

async function providePostgres(usualUrl: string): Promise<Server | null> {
  for (const url of [throughSocket(usualUrl, SOCKET_FOLDER), usualUrl]) {
    if (await responses(url)) return { url, stop: async () => {} };
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

/**
 * A cluster in a temporary folder. No test crashes this server, so it does not wait for its disk.
 */
async function startPostgres(): Promise<Server> {
  const folder = await createClusterFolder();
  const data = join(folder, 'data');
  initialiseCluster(data, folder);
  const cluster = await startCluster({
    data,
    settings: [`unix_socket_directories=${folder}`, 'max_connections=300', 'fsync=off'],
  });
  return {
    url: throughSocket(cluster.url, folder),
    async stop() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
