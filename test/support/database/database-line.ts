import { createTcpProxy, type TcpProxy } from '../outside/tcp-proxy.ts';
import type { TestDatabase } from './test-database.ts';

const USUAL_PORT = 5432;

/** A connection to a Postgres server that can be cut, and the URL of a database through it. */
export async function createDatabaseLine(
  database: TestDatabase,
): Promise<{ readonly line: TcpProxy; readonly url: string }> {
  const url = new URL(database.url ?? '');
  const line = await createTcpProxy({ host: url.hostname, port: Number(url.port) || USUAL_PORT });
  url.host = `127.0.0.1:${line.port}`;
  // `host` names the socket folder, which would bypass the proxy.
  url.searchParams.delete('host');
  return { line, url: url.href };
}
