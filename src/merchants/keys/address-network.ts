import { isIP } from 'node:net';

/** For values that are not an IP address, which only a broken proxy sends. */
const NO_ADDRESS = 'unknown';

/** An IP address without its zone (`fe80::1%eth0`), which is meaningless elsewhere. */
export function withoutZone(address: string): string {
  return address.replace(/%.*$/s, '');
}

/**
 * The key under which requests from an IP address are counted. A subscriber has one IPv4 address,
 * but at least a /64 of IPv6 and often a /56 (RFC 6177), so a limit per IPv6 address would be
 * ineffective. IPv4-mapped IPv6 (RFC 4291, 2.5.5.2) is IPv4. Some proxies append the client's port;
 * it is ignored.
 */
export function networkOf(address: string | undefined, ipv6Bits: 56 | 64 = 64): string {
  const plain = withoutZone(withoutPort(address ?? ''));
  const version = isIP(plain);
  if (version === 0) return NO_ADDRESS;
  if (version === 4) return plain;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const [first = 0, second = 0, third = 0, fourth = 0] = groups;
  const prefix = [first, second, third, ipv6Bits === 56 ? fourth & 0xff00 : fourth];
  return `${prefix.map((group) => group.toString(16)).join(':')}::/${ipv6Bits}`;
}

// Helpers

/** `203.0.113.5:51000` or `[2001:db8::1]:51000` without the port. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URLs write addresses canonically (RFC 5952): hexadecimal, the longest run of zeros as "::".
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const front = numbers(head);
  const back = numbers(tail ?? '');
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
