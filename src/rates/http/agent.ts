import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 3_000;
/** One request of a source at a time, and one more when the one before it still hangs. */
const CONNECTIONS_PER_SOURCE = 2;
/** Sources are asked every minute; keeping a connection that long would mostly keep a dead one. */
const KEEP_ALIVE_MS = 4_000;

/** Connections to rate sources, shared by nothing else. Whoever makes it closes it. */
export function createRatesAgent(): Agent {
  return new Agent({
    connections: CONNECTIONS_PER_SOURCE,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}
