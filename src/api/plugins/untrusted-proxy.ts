import type { FastifyInstance } from 'fastify';
import type { Log } from '../../log.ts';

export interface ProxyTrust {
  readonly isHttps: boolean;
  readonly trustedProxies: readonly unknown[];
}

/**
 * The service itself speaks http, so an https PUBLIC_URL implies a proxy. If it is not trusted, all
 * clients appear to have its address.
 */
export function lacksTrustedProxy({ isHttps, trustedProxies }: ProxyTrust): boolean {
  return isHttps && trustedProxies.length === 0;
}

const UNTRUSTED_PROXY =
  'X-Forwarded-For arrives and no proxy is trusted, so all clients look like the proxy and share its limits: set TRUSTED_PROXIES to the addresses it connects from';

/**
 * Detects the first request forwarded by a proxy although none is trusted, logs it once
 * and returns it as a warning.
 */
export function noticeUntrustedProxy(app: FastifyInstance, trust: ProxyTrust & { readonly log: Log }): () => string[] {
  let isForwarded = false;
  if (lacksTrustedProxy(trust)) {
    app.addHook('onRequest', async ({ headers }) => {
      if (isForwarded || headers['x-forwarded-for'] === undefined) return;
      isForwarded = true;
      trust.log.warn(UNTRUSTED_PROXY);
    });
  }
  return () => (isForwarded ? [UNTRUSTED_PROXY] : []);
}
