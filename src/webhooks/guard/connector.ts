import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { messageOf } from '../../errors.ts';
import { blockedAddress } from './blocked-error.ts';
import { type ConnectionTrace, newConnectionTrace } from './connection-trace.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

export interface GuardedConnectorOptions {
  readonly isForbidden: (ip: string) => boolean;
  readonly resolve: Resolve;
  /** Longest that making one connection may take, in ms. */
  readonly connectTimeoutMs: number;
  /** PEM of certificate authorities to trust besides the usual ones, for receivers in a network of one's own. */
  readonly certificateAuthorities?: readonly string[];
  /** Whose connection is being made; nobody's when left out. */
  readonly currentTrace?: () => ConnectionTrace | undefined;
}

/**
 * How to reach a server that a merchant has chosen, in this order: DNS, judge every address, TCP, judge the other end, TLS.
 * One bad address refuses the whole name, and the socket uses exactly the addresses that were judged, so the name cannot
 * change its mind in between. Not a byte is sent before the other end was judged. TLS 1.2 or newer, the certificate
 * verified against the name on every connection: no session is resumed.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...trustOf(options) });

  async function answer(target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    const over = new AbortController();
    const trace = usable(options.currentTrace?.()) ?? newConnectionTrace(over.signal);
    const giveUp = () => over.abort(trace.signal.reason);
    const timer = setTimeout(() => over.abort(connectTimeout(target.hostname)), options.connectTimeoutMs);
    trace.signal.addEventListener('abort', giveUp, { once: true });
    let made: Socket | Error;
    try {
      made = await open(target, { ...options, secureContext, signal: over.signal }, trace);
    } catch (error) {
      made = error instanceof Error ? error : new Error(messageOf(error));
    }
    clearTimeout(timer);
    trace.signal.removeEventListener('abort', giveUp);
    if (made instanceof Error) callback(made, null);
    else callback(null, made);
  }

  return (target, callback) => void answer(target, callback);
}

/** The address a URL's host is, without the brackets of IPv6; null when it is a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

// Helpers

/** Time given to one address before the next of the name is tried as well, in ms. Node's 250 ms fails distant hosts. */
const NEXT_ADDRESS_AFTER_MS = 2_000;
/** First sign of life asked of an idle connection by TCP, in ms. */
const TCP_KEEP_ALIVE_MS = 60_000;

interface OpenOptions extends GuardedConnectorOptions {
  readonly secureContext: SecureContext;
  readonly signal: AbortSignal;
}

/**
 * A connection can also be made by what an earlier request has left behind, whose context then still surrounds it: a trace
 * that was used, or whose request was given up, is not the one of the request that needs it now.
 */
function usable(trace: ConnectionTrace | undefined): ConnectionTrace | undefined {
  return trace?.stage === 'waiting' && !trace.signal.aborted ? trace : undefined;
}

async function open(
  { hostname, port, protocol }: buildConnector.Options,
  options: OpenOptions,
  trace: ConnectionTrace,
): Promise<Socket> {
  const { isForbidden, signal } = options;
  const stopwatch = createStopwatch();
  trace.stage = 'dns';
  const literal = literalOf(hostname);
  const addresses = await judgedAddresses(hostname, literal, options);
  if (literal === null) trace.dnsMs = stopwatch();

  trace.stage = 'connect';
  const isSecure = protocol === 'https:';
  const tcp = connectTcp({
    host: literal ?? hostname,
    port: Number(port) || (isSecure ? 443 : 80),
    lookup: lookupOf(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
  });
  await reached(tcp, 'connect', signal);
  trace.connectMs = stopwatch();
  trace.peerAddress = tcp.remoteAddress ?? null;
  if (tcp.remoteAddress === undefined || isForbidden(tcp.remoteAddress)) {
    tcp.destroy();
    throw tcp.remoteAddress === undefined ? brokenAtOnce(hostname) : blockedAddress(hostname, tcp.remoteAddress);
  }

  const socket = isSecure ? await secured(tcp, hostname, options, trace) : tcp;
  if (isSecure) trace.tlsMs = stopwatch();
  trace.stage = 'open';
  trace.socket = socket;
  return socket;
}

async function secured(
  socket: Socket,
  hostname: string,
  { secureContext, signal }: OpenOptions,
  trace: ConnectionTrace,
): Promise<Socket> {
  trace.stage = 'tls';
  // A certificate names a host without the dot that may end it in a URL; SNI is for names only (RFC 6066 section 3).
  const host = hostname.replace(/\.$/, '');
  const tls = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
  return reached(tls, 'secureConnect', signal);
}

/** The socket, when the event has come. Otherwise it is destroyed and the reason thrown. */
async function reached(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  // An error that comes when nobody is waiting any more must not end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

async function judgedAddresses(
  hostname: string,
  literal: string | null,
  { isForbidden, resolve, signal }: OpenOptions,
): Promise<readonly ResolvedAddress[]> {
  signal.throwIfAborted();
  const addresses =
    literal === null
      ? await unlessAborted(resolve(hostname), signal)
      : [{ address: literal, family: isIP(literal) === 6 ? 6 : 4 } as const];
  const bad = addresses.find(({ address }) => isForbidden(address));
  if (bad !== undefined) throw blockedAddress(literal ?? hostname, bad.address);
  if (addresses.length === 0) throw noAddress(hostname);
  return addresses;
}

/** What a socket calls in place of DNS: the answer is there already. */
function lookupOf(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** Whole ms since the last call, or since it was made. */
function createStopwatch(): () => number {
  let from = performance.now();
  return () => {
    const now = performance.now();
    const elapsed = Math.round(now - from);
    from = now;
    return elapsed;
  };
}

function connectTimeout(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} could not be connected to in time`), { code: 'ETIMEDOUT' });
}

/** The other end hung up before it could be asked who it is. */
function brokenAtOnce(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} broke the connection as soon as it was there`), { code: 'ECONNRESET' });
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA', syscall: 'lookup' });
}

function trustOf({ certificateAuthorities = [] }: GuardedConnectorOptions): { ca?: string[] } {
  return certificateAuthorities.length === 0 ? {} : { ca: [...rootCertificates, ...certificateAuthorities] };
}
