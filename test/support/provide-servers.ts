import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPONENTS } from './components.ts';
import { createNatsServer, hasJetStream, USUAL_PORT } from './nats.ts';
import { answers, createClusterFolder, initialiseCluster, startCluster } from './postgres-cluster.ts';

/** Where servers of this machine usually answer. */
const USUAL: UsualServers = { postgresUrl: 'postgres://postgres@127.0.0.1:5432/postgres', natsPort: USUAL_PORT };
/** Where Debian's Postgres has its socket. */
const SOCKET_FOLDER = '/var/run/postgresql';

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
