import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const OWN_NAMES = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
/** Headers of a proxy in front of this process, whose visitors may come from anywhere. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * Whether a browser on this machine asks, by an address of this machine. A page of another site
 * that resolves its own name to this machine (DNS rebinding) asks by that name.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || !OWN_NAMES.test(headers.host ?? '')) return false;
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
}
