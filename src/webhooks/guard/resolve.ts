import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a host name, in the order to try them. Rejects with the error of the resolver. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Patience with one name server per try, in ms. */
const QUERY_TIMEOUT_MS = 3_000;
const QUERY_TRIES = 2;

/**
 * Asks the name servers of this machine by asynchronous queries. `dns.lookup` would occupy one of the four threads of
 * libuv for as long as it waits, so four dead domains would stop every other webhook, and file access too; therefore it
 * is asked only for what the name servers know nothing of at once, such as the hosts file.
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

/** The name servers said that there is nothing, or there is no name server. */
const ANSWERED_AT_ONCE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

function failureOf(settled: PromiseSettledResult<unknown>): NodeJS.ErrnoException | null {
  return settled.status === 'rejected' && settled.reason instanceof Error ? settled.reason : null;
}

function addressesOf(settled: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return settled.status === 'rejected' ? [] : settled.value.map((address) => ({ address, family }));
}
