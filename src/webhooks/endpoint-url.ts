import type { Cidr, Config } from '../platform/config/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { readAddress } from './guard/address.ts';
import { createAddressGuard } from './guard/address-guard.ts';
import { literalOf } from './guard/connect-to-allowed.ts';
import { loopback } from './guard/forbidden-ranges.ts';
import { isPrivateName } from './guard/resolve.ts';

/** What webhook URLs may use beyond https to public addresses. */
export type WebhookUrlPolicy = Config['webhooks'] & {
  /** Also loopback addresses, with http or https; no setting sets it. False if omitted. */
  readonly allowLoopback?: boolean;
};

const MAX_URL_CHARACTERS = 2_048;

/**
 * Validates a webhook URL and returns its normalised form. This gives an early, clear error; the
 * addresses a host name resolves to are checked again at every attempt. Throws `TerminalError`
 * `INVALID_WEBHOOK_URL`. Messages do not repeat the URL, which may contain a token.
 */
export function readEndpointUrl(text: string, policy: WebhookUrlPolicy): URL {
  const { allowCidrs, allowHttp, allowPorts, allowLoopback = false } = policy;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw invalid('is not a URL; write it like https://shop.example/webhooks');
  if (url.href.length > MAX_URL_CHARACTERS) throw invalid(`is longer than ${MAX_URL_CHARACTERS} characters`);
  const isLoopback = allowLoopback && isLoopbackHost(url.hostname);
  const mayBeHttp = allowHttp || isLoopback;
  if (url.protocol !== 'https:' && !(mayBeHttp && url.protocol === 'http:')) throw invalid(schemeProblem(url.protocol));
  if (url.username !== '' || url.password !== '') {
    throw invalid('contains a user name or password; remove it, since webhooks are signed');
  }
  if (url.hash !== '' || text.endsWith('#')) throw invalid('has a fragment (#…), which is never sent; remove it');
  const port = Number(url.port);
  if (url.port !== '' && !isWebPort(port) && !allowPorts.includes(port)) {
    throw invalid(
      `uses port ${port}; use 80, 443 or one from 1024 up, or ask the operator to allow it with WEBHOOK_ALLOW_PORTS`,
    );
  }
  const literal = literalOf(url.hostname);
  if (literal !== null && createAddressGuard(allowedBlocks(policy))(literal)) {
    throw invalid(`uses ${literal}, which is not a public address; ${ALLOW_REMEDY}`);
  }
  if (literal === null && !isLoopback && allowCidrs.length === 0 && isPrivateName(url.hostname)) {
    throw invalid(`uses ${url.hostname}, which exists only inside a private network; ${ALLOW_REMEDY}`);
  }
  return url;
}

/** The address blocks that webhooks may be sent to although they are not public. */
export function allowedBlocks({ allowCidrs, allowLoopback = false }: WebhookUrlPolicy): readonly Cidr[] {
  return allowLoopback ? [...allowCidrs, ...LOOPBACK_BLOCKS] : allowCidrs;
}

/** The blocks that name all of loopback, as the operator would write them. */
const LOOPBACK_BLOCKS: readonly Cidr[] = [
  { text: '127.0.0.0/8', address: '127.0.0.0', prefixBits: 8, family: 'ipv4' },
  { text: '::1/128', address: '::1', prefixBits: 128, family: 'ipv6' },
];

/** Whether a URL's host is `localhost` or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  const literal = literalOf(hostname);
  if (literal === null) return hostname === 'localhost';
  const address = readAddress(literal);
  return address !== null && loopback.check(address.text, address.family);
}

// Helpers

const ALLOW_REMEDY = 'use a public one, or ask the operator to allow its address block with WEBHOOK_ALLOW_CIDRS';

/**
 * Ports below 1024 belong to services such as email and remote shells, which must not be probed
 * from this host.
 */
function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || port >= 1024;
}

function schemeProblem(protocol: string): string {
  if (protocol !== 'http:') return 'must begin with https://';
  return 'must begin with https://; plain http requires WEBHOOK_ALLOW_HTTP=true, set by the operator';
}

function invalid(problem: string): TerminalError {
  return new TerminalError('INVALID_WEBHOOK_URL', `The webhook URL ${problem}.`);
}
