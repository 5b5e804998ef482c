import { TerminalError } from '../../errors.ts';

/** Addresses and credentials in the form the NATS client expects. */
export interface ServerAddress {
  readonly servers: readonly string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  readonly isTls: boolean;
  /** Hosts and ports only: safe for logs and error messages. */
  readonly display: string;
}

/** Default port when the URL has none. */
const DEFAULT_PORT = '4222';

/**
 * Parses `nats://user:password@host:port`, `nats://token@host`, `tls://…`, or several of them
 * separated by commas (a cluster; the first one's credentials apply to all). Throws `TerminalError`
 * `NATS_URL_INVALID`, whose message never contains credentials.
 */
export function parseServerAddress(url: string): ServerAddress {
  const parts = url.split(',').map(parseOne);
  const first = parts[0];
  if (first === undefined) throw invalidUrl();
  const servers = parts.map((part) => `${part.hostname}:${part.port || DEFAULT_PORT}`);
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  const login = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  return { servers, ...login, isTls: parts.some((part) => part.protocol === 'tls:'), display: servers.join(', ') };
}

function parseOne(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || (url.protocol !== 'nats:' && url.protocol !== 'tls:') || url.hostname === '') {
    throw invalidUrl();
  }
  return url;
}

function invalidUrl(): TerminalError {
  return new TerminalError(
    'NATS_URL_INVALID',
    'The NATS URL must have a form such as nats://host:4222 or tls://user:password@host:4222',
  );
}
