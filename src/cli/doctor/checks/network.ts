import { lookup } from 'node:dns/promises';
import { type Cidr, type Config, createCidrMatcher } from '../../../platform/config/index.ts';
import { messageOf } from '../../../platform/errors.ts';
import { reservePort } from '../../../service/port.ts';
import { type Check, type Examined, type Finding, ok, problem, warning } from '../check.ts';

/** How clients reach the service, and where the service may connect to. */
export const NETWORK_CHECKS: readonly Check[] = [
  { name: 'PUBLIC_URL', run: ({ config }) => publicUrl(config) },
  { name: 'TRUSTED_PROXIES', run: async ({ config }) => trustedProxies(config) },
  { name: 'PORT', run: port },
  { name: 'MONITOR_PORT', run: monitorPort },
  { name: 'webhooks', run: async ({ config }) => webhookTargets(config) },
];

// Helpers

/** Loopback, and the metadata address where clouds return credentials to any local request. */
const DELICATE = [
  ['127.0.0.1', 'this machine'],
  ['::1', 'this machine'],
  ['169.254.169.254', 'the cloud metadata service, which returns credentials'],
] as const;
/** A range with a shorter prefix than this is probably an error. */
const WIDE_BITS = { ipv4: 8, ipv6: 16 } as const;
const RESPONSE_TIMEOUT_MS = 3_000;

async function publicUrl(config: Config) {
  if (!config.roles.includes('api')) return [];
  const { publicUrl: url, nodes } = config;
  if (url === null) {
    const text = 'not set: payment links use the address that the service listens on';
    const remedy = 'Set PUBLIC_URL to the address where customers reach the service.';
    return nodes.some(({ networkKind }) => networkKind === 'mainnet') ? problem(text, remedy) : warning(text, remedy);
  }
  const { protocol, hostname } = new URL(url);
  const findings: Finding[] = [];
  try {
    const { address } = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'));
    findings.push(ok(`${hostname} resolves to ${address}`));
  } catch (error) {
    findings.push(
      problem(`${hostname} cannot be resolved: ${messageOf(error)}`, 'Correct PUBLIC_URL, or create the DNS record.'),
    );
  }
  if (protocol !== 'https:') {
    const remedy = 'Put a reverse proxy with TLS in front, and set PUBLIC_URL to its https address.';
    findings.push(warning('not https: anyone on the network path can read keys and change addresses', remedy));
  }
  return findings;
}

/** The service itself speaks http, so an https address means that a proxy is in front. */
function trustedProxies({ publicUrl: url, trustedProxies: proxies, roles }: Config) {
  if (!roles.includes('api')) return [];
  if (proxies.length > 0) return ok(`${proxies.length} address blocks are trusted`);
  if (url?.startsWith('https:') !== true) return ok('none, and none seems to be required');
  return warning(
    'not set, although PUBLIC_URL is https: all clients appear as the proxy and share its rate limit',
    'Set TRUSTED_PROXIES to the addresses that the proxy connects from.',
  );
}

async function port({ config }: Examined) {
  if (!config.roles.includes('api') || config.port === 0) return [];
  try {
    await requireFree(config);
    return ok(`${config.port} on ${config.host} is free`);
  } catch (error) {
    const version = await versionServedAt(config);
    if (version !== null) return ok(`Quittance ${version} responds on port ${config.port}`);
    return problem(messageOf(error), 'Stop the other program, or set PORT to a free port.');
  }
}

async function monitorPort({ config }: Examined) {
  const { host, port: number } = config.monitor;
  if (number === null || number === 0) return [];
  try {
    await requireFree({ host, port: number });
    return ok(`${number} on ${host} is free`);
  } catch (error) {
    if ((await fetchJson(host, number, '/live'))?.status === 'live')
      return ok(`a running process responds on port ${number}`);
    return problem(messageOf(error), 'Stop the other program, or set MONITOR_PORT to a free port.');
  }
}

/** Throws when the port cannot be listened on. */
async function requireFree(address: Parameters<typeof reservePort>[0]): Promise<void> {
  await (await reservePort(address)).release();
}

/** Null when another program uses the port. */
async function versionServedAt({ host, port: number }: Config): Promise<string | null> {
  const response = await fetchJson(host, number, '/v1/health');
  return response?.service === 'quittance' ? String(response.version) : null;
}

/** Null when the response is not JSON, or there is none. */
async function fetchJson(host: string, number: number, path: string): Promise<Record<string, unknown> | null> {
  const shown = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response: unknown = await (await fetch(`http://${shown}:${number}${path}`, { signal })).json();
    return typeof response === 'object' && response !== null ? { ...response } : null;
  } catch {
    return null;
  }
}

function webhookTargets({ webhooks: { allowCidrs, allowHttp }, nodes }: Config) {
  const findings: Finding[] = [];
  const isNamed = createCidrMatcher(allowCidrs);
  for (const [range, what] of DELICATE) {
    if (!isNamed(range)) continue;
    const remedy = 'List only your own receivers in WEBHOOK_ALLOW_CIDRS: any merchant can enter a URL.';
    findings.push(warning(`WEBHOOK_ALLOW_CIDRS covers ${range}: ${what}`, remedy));
  }
  for (const cidr of allowCidrs.filter(isWide)) {
    findings.push(
      warning(`${cidr.text} allows webhooks into a very large network`, 'Use smaller blocks in WEBHOOK_ALLOW_CIDRS.'),
    );
  }
  if (allowHttp && nodes.some(({ networkKind }) => networkKind === 'mainnet')) {
    findings.push(
      warning(
        'webhooks about live payments may be sent unencrypted (WEBHOOK_ALLOW_HTTP)',
        'Unset WEBHOOK_ALLOW_HTTP unless all receivers are in your own network.',
      ),
    );
  }
  return findings.length === 0 ? ok('webhooks go only to public addresses and the ones you allowed') : findings;
}

function isWide({ family, prefixBits }: Cidr): boolean {
  return prefixBits < WIDE_BITS[family];
}
