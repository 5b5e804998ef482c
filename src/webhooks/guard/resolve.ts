import { lookup, Resolver } from 'node:dns/promises';

/**
 * Returns every address of a host name, in the order to try them. Rejects with the resolver error.
 */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface ResolverOptions {
  /** The operator has receivers in a private network, whose names may look like public ones. */
  readonly hasPrivateReceivers: boolean;
  /** Addresses of name servers; those of this machine if omitted. */
  readonly servers?: readonly string[];
  /** Asks the operating system, as `dns.lookup` does. */
  readonly lookupLocally?: Resolve;
}

/** Timeout of one query to one name server, in ms. */
const QUERY_TIMEOUT_MS = 3_000;
const QUERY_TRIES = 2;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Queries the name servers of this machine asynchronously. Names they have no record of are looked
 * up by the operating system, which knows the hosts file, only when they can be names of a private
 * network: the name servers of a public name may answer the first query and then stay silent.
 */
export function createResolver({
  hasPrivateReceivers,
  servers,
  lookupLocally = lookupBySystem,
}: ResolverOptions): Resolve {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const lookupPrivate = oneAtATime(lookupLocally);
  // Separate, so that public names whose lookup takes long do not block private ones.
  const lookupOther = oneAtATime(lookupLocally);

  return async (hostname) => {
    // No name server may say otherwise (RFC 6761, section 6.3).
    if (hostname === 'localhost') return LOOPBACK;
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
    if (found.length > 0) return found;
    const failures = [ipv4, ipv6].map(failureOf).filter((error) => error !== null);
    const failure = failures.find((error) => !RESOLVED_AT_ONCE.has(error.code ?? ''));
    if (failure !== undefined) throw failure;
    if (isPrivateName(hostname)) return lookupPrivate(hostname);
    if (hasPrivateReceivers) return lookupOther(hostname);
    if (failures[0] !== undefined) throw failures[0];
    return found;
  };
}

/**
 * Names without a dot, and the suffixes reserved for private use (RFC 6761, RFC 6762, ICANN's
 * .internal).
 */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa|localdomain)$/.test(name);
}

// Helpers

/** The name servers reported no record, or there is no name server. */
const RESOLVED_AT_ONCE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** Names that may wait for their lookup. */
const MAX_WAITING = 50;

/**
 * `dns.lookup` cannot be cancelled, and libuv runs no more than two at a time for the whole process
 * (half of its four threads), which the database, email and rates need too. Names are therefore
 * looked up one at a time, in order of arrival; requests for one name share its result. A caller
 * stops waiting at its own deadline. Beyond `MAX_WAITING` names, a name is rejected as a temporary
 * failure of this machine.
 */
function oneAtATime(lookupLocally: Resolve): Resolve {
  const pending = new Map<string, ReturnType<Resolve>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (hostname) => {
    const shared = pending.get(hostname);
    if (shared !== undefined) return shared;
    if (pending.size > MAX_WAITING) throw busy(hostname);
    const result = last.then(() => lookupLocally(hostname)).finally(() => pending.delete(hostname));
    pending.set(hostname, result);
    last = result.catch(() => {});
    return result;
  };
}

async function lookupBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  const local = await lookup(hostname, { all: true, order: 'verbatim' });
  return local.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function failureOf(settled: PromiseSettledResult<unknown>): NodeJS.ErrnoException | null {
  return settled.status === 'rejected' && settled.reason instanceof Error ? settled.reason : null;
}

function addressesOf(settled: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return settled.status === 'rejected' ? [] : settled.value.map((address) => ({ address, family }));
}

function busy(hostname: string): NodeJS.ErrnoException {
  const message = `getaddrinfo EAI_AGAIN ${hostname}: too many pending lookups`;
  return Object.assign(new Error(message), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
}
