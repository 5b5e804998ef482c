import { isIP } from 'node:net';

/** For whatever is no address, which only a broken proxy sends. */
const NO_ADDRESS = 'unknown';

/** An address without the interface it was seen on (`fe80::1%eth0`), which means nothing elsewhere. */
export function withoutZone(address: string): string {
  return address.replace(/%.*$/s, '');
}

/**
 * What requests from an address are counted under. One customer line has one IPv4 address, but a whole /64 of IPv6
 * (RFC 6177), so counting single IPv6 addresses would limit nobody. IPv4 inside IPv6 (RFC 4291, 2.5.5.2) is IPv4.
 */
export function networkOf(address: string | undefined): string {
  const plain = withoutZone(address ?? '');
  const version = isIP(plain);
  if (version === 0) return NO_ADDRESS;
  if (version === 4) return plain;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

// Helpers

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URLs write addresses in one way only: hexadecimal, and the longest run of zeros as "::" (RFC 5952).
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const front = numbers(head);
  const back = numbers(tail ?? '');
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
