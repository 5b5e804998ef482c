import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../../../platform/log.ts';

export interface ProxyTrust {
  readonly isHttps: boolean;
  readonly trustedProxies: readonly unknown[];
}

/** Fastify's `trustProxy`: which hops of X-Forwarded-For are believed; without proxies none. */
export function trustProxyOf<T>(trustedProxies: readonly T[]): false | T[] {
  return trustedProxies.length === 0 ? false : [...trustedProxies];
}

/**
 * The service itself speaks http, so an https PUBLIC_URL implies a proxy. If it is not trusted, all
 * clients appear to have its address.
 */
export function lacksTrustedProxy({ isHttps, trustedProxies }: ProxyTrust): boolean {
  return isHttps && trustedProxies.length === 0;
}

/**
 * Detects the first request forwarded by a proxy that is not trusted, logs it once and returns it
 * as a warning.
 */
export function noticeUntrustedProxy(app: FastifyInstance, trust: ProxyTrust & { readonly log: Log }): () => string[] {
  let warning: string | null = null;
  const find = finderFor(trust);
  if (find !== null) {
    app.addHook('onRequest', async (request) => {
      if (warning !== null || request.headers['x-forwarded-for'] === undefined) return;
      warning = find(request);
      if (warning !== null) trust.log.warn(warning);
    });
  }
  return () => (warning === null ? [] : [warning]);
}

// Helpers

const NO_PROXY_TRUSTED =
  'Requests have X-Forwarded-For but no proxy is trusted, so all clients appear as the proxy and share its limits: set TRUSTED_PROXIES to the addresses it connects from';

/** RFC 1918, loopback, and unique local addresses (RFC 4193). */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

/** Returns the warning that a forwarded request gives, if any; null when none can. */
function finderFor(trust: ProxyTrust): ((request: FastifyRequest) => string | null) | null {
  if (lacksTrustedProxy(trust)) return () => NO_PROXY_TRUSTED;
  return trust.trustedProxies.length === 0 ? null : findFurtherProxy;
}

/** A private address that forwards for another one is probably a proxy that terminates TLS. */
function findFurtherProxy({ headers, ip, ips = [] }: FastifyRequest): string | null {
  if (!isPrivate(ip)) return null;
  const hops = String(headers['x-forwarded-for']).split(',');
  // `ips` has the peer, and of the hops those up to the first that is not trusted.
  if (hops.filter((hop) => hop.trim() !== '').length < ips.length) return null;
  return `X-Forwarded-For has a further address behind ${ip}, which is private and not trusted, so all clients behind it share its limits: if it is a proxy, add ${ip} to TRUSTED_PROXIES`;
}

function isPrivate(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && PRIVATE.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
