import { Agent } from 'undici';
import { createGuardedConnector, type GuardedConnectorOptions } from './connect-to-allowed.ts';

/** How long an idle connection is kept for the next webhook to the same host, in ms. */
const KEEP_ALIVE_MS = 4_000;
/** Maximum when the receiver requests longer, in ms. */
const KEEP_ALIVE_MAX_MS = 30_000;
/** Maximum size of the response headers, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/**
 * HTTP/1.1 client for servers chosen by merchants, over connections of the guarded connector. Proxy
 * settings of the environment do not apply: behind a proxy no address could be checked.
 */
export function createGuardedDispatcher(options: GuardedConnectorOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The attempt's deadline covers the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
