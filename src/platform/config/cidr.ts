import { BlockList, isIP } from 'node:net';

/** A CIDR block (RFC 4632, RFC 4291). Parts for `net.BlockList.addSubnet`, `text` for Fastify. */
export interface Cidr {
  readonly text: string;
  readonly address: string;
  readonly prefixBits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address (a /32 or /128). Null when it is neither. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) names a local interface and has no meaning in a block.
  if (version === 0 || rest.length > 0 || address.includes('%')) return null;
  const maxBits = version === 4 ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const prefixBits = prefix === undefined ? maxBits : Number(prefix);
  if (prefixBits > maxBits) return null;
  return { text: `${address}/${prefixBits}`, address, prefixBits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * Returns a test whether an IP address is in any of the blocks. An IPv4-mapped IPv6 address
 * (`::ffff:10.0.0.1`) counts as IPv4. Text that is not an address is in none.
 */
export function createCidrMatcher(cidrs: readonly Cidr[]): (address: string) => boolean {
  const blocks = new BlockList();
  for (const cidr of cidrs) blocks.addSubnet(cidr.address, cidr.prefixBits, cidr.family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && blocks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
