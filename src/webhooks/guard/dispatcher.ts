import { isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { messageOf } from '../../errors.ts';
import { blockedAddress } from './blocked-error.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

export interface GuardedDispatcherOptions {
  readonly isForbidden: (ip: string) => boolean;
  readonly resolve: Resolve;
  /** Longest that making one connection may take, in ms. */
  readonly connectTimeoutMs: number;
  /** PEM of certificate authorities to trust besides the usual ones, for receivers in a network of one's own. */
  readonly certificateAuthorities?: readonly string[];
}

/** An idle connection is kept this long for the next webhook to the same place, in ms. */
const KEEP_ALIVE_MS = 4_000;
/** And no longer than this if the receiver asks for more, in ms. */
const KEEP_ALIVE_MAX_MS = 30_000;
/** Most a receiver may send as headers, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/**
 * Connections to servers that merchants have chosen. An address is judged three times: when it stands in the URL, when
 * DNS answers (one bad address refuses the name, and the socket uses exactly the addresses that were judged, so the name
 * cannot change its mind in between), and once more on the socket that was made. HTTP/1.1 over TLS 1.2 or newer; the
 * proxy settings of the environment do not apply.
 */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): Agent {
  const { isForbidden } = options;
  const connect = buildConnector({
    lookup: judgedLookup(options),
    timeout: options.connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...trustOf(options),
  });
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the attempt covers all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      const literal = literalOf(target.hostname);
      // Sockets do not look up what is an address already.
      if (literal !== null && isForbidden(literal)) {
        callback(blockedAddress(literal, literal), null);
        return;
      }
      connect(target, (error, socket) => {
        if (error !== null) callback(error, null);
        else if (isAllowedPeer(socket, isForbidden)) callback(null, socket);
        else {
          const peer = socket.remoteAddress ?? 'an unknown address';
          socket.destroy();
          callback(blockedAddress(target.hostname, peer), null);
        }
      });
    },
  });
}

// Helpers

function isAllowedPeer(socket: Socket, isForbidden: (ip: string) => boolean): boolean {
  return socket.remoteAddress !== undefined && !isForbidden(socket.remoteAddress);
}

/** The address a URL's host is, without the brackets of IPv6; null when it is a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** What sockets call to look up a name; the promise inside cannot reject. */
function judgedLookup(options: GuardedDispatcherOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = (found: readonly ResolvedAddress[] | Error) => {
      const [first] = found instanceof Error ? [] : found;
      if (found instanceof Error || first === undefined)
        callback(found instanceof Error ? found : noAddress(hostname), []);
      else if (all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    };
    void judgedAddresses(options, hostname).then(answer);
  };
}

async function judgedAddresses(
  { isForbidden, resolve }: GuardedDispatcherOptions,
  hostname: string,
): Promise<readonly ResolvedAddress[] | Error> {
  try {
    const addresses = await resolve(hostname);
    const bad = addresses.find(({ address }) => isForbidden(address));
    return bad === undefined ? addresses : blockedAddress(hostname, bad.address);
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA', syscall: 'lookup' });
}

function trustOf({ certificateAuthorities = [] }: GuardedDispatcherOptions): { ca?: string[] } {
  return certificateAuthorities.length === 0 ? {} : { ca: [...rootCertificates, ...certificateAuthorities] };
}
