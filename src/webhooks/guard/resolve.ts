import { lookup, Resolver } from 'node:dns/promises';

/**
 * Returns every address of a host name, in the order to try them. Rejects with the resolver error.
 */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Timeout of one query to one name server, in ms. */
const QUERY_TIMEOUT_MS = 3_000;
const QUERY_TRIES = 2;

/**
 * Queries the name servers of this machine asynchronously. `dns.lookup` would occupy one of libuv's
 * four threads while it waits, so four dead domains would block every other webhook, and file
 * access too. It is used only for names the name servers reject at once, such as those in the hosts
 * file.
 */
export function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });

  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
    if (found.length > 0) return found;
    const failure = [ipv4, ipv6]
      .map(failureOf)
      .find((error) => error !== null && !ANSWERED_AT_ONCE.has(error.code ?? ''));
    if (failure instanceof Error) throw failure;
    const local = await lookup(hostname, { all: true, order: 'verbatim' });
    return local.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  };
}

// Helpers

/** The name servers reported no record, or there is no name server. */
const ANSWERED_AT_ONCE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

function failureOf(settled: PromiseSettledResult<unknown>): NodeJS.ErrnoException | null {
  return settled.status === 'rejected' && settled.reason instanceof Error ? settled.reason : null;
}

function addressesOf(settled: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return settled.status === 'rejected' ? [] : settled.value.map((address) => ({ address, family }));
}
