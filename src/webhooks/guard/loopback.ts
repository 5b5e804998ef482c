import type { Cidr } from '../../platform/config/index.ts';
import { readAddress } from './address.ts';
import { literalOf } from './connector.ts';
import { loopback } from './ranges.ts';

/** The blocks that name all of loopback, as the operator would write them. */
export const LOOPBACK_BLOCKS: readonly Cidr[] = [
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
