import { BlockList, isIP } from 'node:net';

/** A block of addresses (RFC 4632, RFC 4291). Its parts fit `net.BlockList.addSubnet`, its text fits Fastify. */
export interface Cidr {
  readonly text: string;
  readonly address: string;
  readonly prefixBits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads `10.0.0.0/8`, `fd00::/8`, or one address, which is a block of its own. Null when it is neither. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) names an interface of one machine and has no meaning in a block.
  if (version === 0 || rest.length > 0 || address.includes('%')) return null;
  const maxBits = version === 4 ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const prefixBits = prefix === undefined ? maxBits : Number(prefix);
  if (prefixBits > maxBits) return null;
  return { text: `${address}/${prefixBits}`, address, prefixBits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * A test whether an IP address lies in any of the blocks. An IPv4 address written inside IPv6
 * (`::ffff:10.0.0.1`) counts as the IPv4 address it is. Anything that is no address lies in none.
 */
export function createCidrMatcher(cidrs: readonly Cidr[]): (address: string) => boolean {
  const blocks = new BlockList();
  for (const cidr of cidrs) blocks.addSubnet(cidr.address, cidr.prefixBits, cidr.family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && blocks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
