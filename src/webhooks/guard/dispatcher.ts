import { Agent } from 'undici';
import { createGuardedConnector, type GuardedConnectorOptions } from './connector.ts';

/** An idle connection is kept this long for the next webhook to the same place, in ms. */
const KEEP_ALIVE_MS = 4_000;
/** And no longer than this if the receiver asks for more, in ms. */
const KEEP_ALIVE_MAX_MS = 30_000;
/** Most a receiver may send as headers, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/**
 * HTTP/1.1 to servers that merchants have chosen, over connections of the guarded connector. The proxy settings of the
 * environment do not apply: behind a proxy, no address could be judged.
 */
export function createGuardedDispatcher(options: GuardedConnectorOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the attempt covers all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
