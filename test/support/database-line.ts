import type { TestDatabase } from './database.ts';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const USUAL_PORT = 5432;

/** A line to a Postgres server that can be cut, and the address of a database at its other end. */
export async function createDatabaseLine(
  database: TestDatabase,
): Promise<{ readonly line: TcpProxy; readonly url: string }> {
  const url = new URL(database.url ?? '');
  const line = await createTcpProxy({ host: url.hostname, port: Number(url.port) || USUAL_PORT });
  url.host = `127.0.0.1:${line.port}`;
  // The folder of its socket, which no line leads to.
  url.searchParams.delete('host');
  return { line, url: url.href };
}
