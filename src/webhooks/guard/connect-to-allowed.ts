import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { messageOf } from '../../platform/errors.ts';
import { blockedAddress } from './address-guard.ts';
import { type ConnectionTrace, newConnectionTrace } from './connection-trace.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

export interface GuardedConnectorOptions {
  readonly isForbidden: (ip: string) => boolean;
  readonly resolve: Resolve;
  /** Maximum time to open one connection, in ms. */
  readonly connectTimeoutMs: number;
  /**
   * PEM of certificate authorities trusted in addition to the built-in ones, for receivers in a
   * private network.
   */
  readonly certificateAuthorities?: readonly string[];
  /** Trace of the request that needs the connection; the connection is not traced if omitted. */
  readonly currentTrace?: () => ConnectionTrace | undefined;
}

/**
 * Connects to servers chosen by merchants, in this order: DNS, check of every address, TCP, check
 * of the remote address, TLS. One forbidden address rejects the whole name. The socket uses exactly
 * the checked addresses, which prevents DNS rebinding. No byte is sent before the remote address is
 * checked. TLS 1.2 or newer; the certificate is verified against the name on every connection,
 * since sessions are not resumed.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...trustOf(options) });

  async function respond(target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
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

  return (target, callback) => void respond(target, callback);
}

/** The IP address in a URL's host, without the brackets of IPv6; null when the host is a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

// Helpers

/**
 * Time allowed for one address before the next one of the name is tried, in ms. Node's 250 ms is
 * too short for distant hosts.
 */
const NEXT_ADDRESS_AFTER_MS = 2_000;
/** Idle time before the first TCP keep-alive probe, in ms. */
const TCP_KEEP_ALIVE_MS = 60_000;

interface OpenOptions extends GuardedConnectorOptions {
  readonly secureContext: SecureContext;
  readonly signal: AbortSignal;
}

/**
 * The client may also open a connection as the aftermath of an earlier request, still in that
 * request's async context. A trace that was used or aborted is therefore not the one of the request
 * that needs the connection now.
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
  const addresses = await allowedAddresses(hostname, literal, options);
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
  // Certificates name a host without the trailing dot a URL may have; SNI is for names only (RFC
  // 6066 section 3).
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

/** Resolves with the socket once the event fires; otherwise destroys it and throws the reason. */
async function reached(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  // A later error without a listener would end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

async function allowedAddresses(
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

/** Replaces the DNS lookup of a socket with the addresses already resolved. */
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

/** Whole ms since the last call, or since creation. */
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
  return Object.assign(new Error(`the connection to ${hostname} timed out`), { code: 'ETIMEDOUT' });
}

/** The remote end closed before its address could be read. */
function brokenAtOnce(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} closed the connection immediately`), { code: 'ECONNRESET' });
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA', syscall: 'lookup' });
}

function trustOf({ certificateAuthorities = [] }: GuardedConnectorOptions): { ca?: string[] } {
  return certificateAuthorities.length === 0 ? {} : { ca: [...rootCertificates, ...certificateAuthorities] };
}
