import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 3_000;
/** One request per source at a time, plus one in case the previous one hangs. */
const CONNECTIONS_PER_SOURCE = 2;
/** Sources are polled every minute; a connection idle that long would usually be dead. */
const KEEP_ALIVE_MS = 4_000;

/** HTTP agent for rate sources only. The caller must close it. */
export function createRatesAgent(): Agent {
  return new Agent({
    connections: CONNECTIONS_PER_SOURCE,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}
