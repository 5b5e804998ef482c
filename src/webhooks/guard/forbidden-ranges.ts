import { BlockList } from 'node:net';

/**
 * Address ranges by purpose, from the IANA special-purpose address registries (RFC 6890 and its
 * updates), as of November 2026.
 */

/** IPv4 that is not the public Internet. */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network; connecting to 0.0.0.0 reaches the machine itself
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared address space (carrier-grade NAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** All IPv6 assigned to the public Internet; anything outside is forbidden without being listed. */
const GLOBAL_IPV6: readonly (readonly [string, number])[] = [['2000::', 3]];

/** Exceptions within the range above. */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
];

/**
 * Ranges that no setting opens, because requests to them expose the machine: cloud metadata
 * services (instance credentials), link-local neighbours, and addresses that are not hosts.
 */
const NEVER: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16], // metadata of AWS, Azure, Google, DigitalOcean and others
  ['100.100.100.200', 32], // metadata of Alibaba
  ['168.63.129.16', 32], // platform service of Azure, in public address space
  ['192.0.0.192', 32], // metadata of Oracle
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::254', 128], // metadata of AWS
  ['fd20:ce::254', 128], // metadata of Google
  ['ff00::', 8],
];

const LOOPBACK: readonly (readonly [string, number])[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

export const specialIpv4 = blocksOf(SPECIAL_IPV4);
export const globalIpv6 = blocksOf(GLOBAL_IPV6);
export const specialIpv6 = blocksOf(SPECIAL_IPV6);
export const neverAllowed = blocksOf(NEVER);
export const loopback = blocksOf(LOOPBACK);

function blocksOf(ranges: readonly (readonly [string, number])[]): BlockList {
  const blocks = new BlockList();
  for (const [address, prefixBits] of ranges) {
    blocks.addSubnet(address, prefixBits, address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return blocks;
}
