import { type Config, publicUrlOf } from '../../platform/config/index.ts';
import { isLoopbackHost, type WebhookUrlPolicy } from '../../webhooks/index.ts';

/** Path of the page that receives and shows webhooks of the demo shop. */
export const RECEIVER_PATH = '/demo/receiver';

export interface DemoWebhooks {
  /** Which URLs webhooks may be sent to. */
  readonly urls: WebhookUrlPolicy;
  /** URL of the demo's receiver on this machine; null where webhooks may not go to it. */
  readonly receiverUrl: string | null;
}

/**
 * The operator's webhook settings; for a service that can only be a demo, loopback addresses are
 * added. That is safe there: the service listens on loopback under a loopback URL, so users who
 * enter a URL can reach the same ports themselves; its embedded database has no merchants from a
 * provisioning file; and without nodes its network is simulated and its data are tests. On
 * Postgres, with a provisioning file, with nodes, at another address, behind a proxy, or where
 * strangers may sign up, nothing is added.
 *
 * Only the settings count, not whether the demo is open: a merchant that an operator creates in the
 * console of such a service may use loopback URLs too, also after a restart. Its users also develop
 * their receivers on this machine; a proxy for other users shows in `TRUSTED_PROXIES` or
 * `PUBLIC_URL`.
 */
export function demoWebhooksOf(
  config: Pick<
    Config,
    'database' | 'host' | 'publicUrl' | 'nodes' | 'testMode' | 'webhooks' | 'signUpOpen' | 'trustedProxies'
  >,
  { isProvisioned, port }: { readonly isProvisioned: boolean; readonly port: number },
): DemoWebhooks {
  const { database, host, publicUrl, nodes, testMode, webhooks: urls } = config;
  const isLocal = isLoopbackHost(host) && (publicUrl === null || isLoopbackHost(new URL(publicUrl).hostname));
  const isSimulated = nodes.length === 0 && testMode === 'simulated';
  const isForStrangers = config.signUpOpen || config.trustedProxies.length > 0;
  if (database.url !== null || isProvisioned || !isLocal || isForStrangers || !isSimulated)
    return { urls, receiverUrl: null };
  const ownUrl = publicUrlOf({ publicUrl: null, host }, port);
  return { urls: { ...urls, allowLoopback: true }, receiverUrl: ownUrl + RECEIVER_PATH };
}
