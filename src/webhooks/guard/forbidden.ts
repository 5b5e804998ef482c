import { BlockList } from 'node:net';
import type { Cidr } from '../../config/index.ts';
import { type Address, readAddress } from './address.ts';
import { globalIpv6, neverAllowed, specialIpv4, specialIpv6 } from './ranges.ts';

/**
 * A test whether webhooks must not go to an IP address. Merchants choose the URLs, and this server stands inside the
 * operator's network: everything but the public Internet is refused, unless the operator has allowed its block. What
 * `NEVER` lists stays refused even then. Anything that is no address is forbidden.
 */
export function createAddressGuard(allowedCidrs: readonly Cidr[]): (ip: string) => boolean {
  const allowed = new BlockList();
  for (const { address, prefixBits, family } of allowedCidrs) allowed.addSubnet(address, prefixBits, family);

  function isAllowed({ text, family }: Pick<Address, 'text' | 'family'>): boolean {
    return allowed.check(text, family) || isPublic(text, family);
  }

  return (ip) => {
    const address = readAddress(ip);
    if (address === null) return true;
    const inside = address.embedded.map((text) => ({ text, family: 'ipv4' as const }));
    const all = [address, ...inside];
    if (all.some(({ text, family }) => neverAllowed.check(text, family))) return true;
    // A block that names the IPv6 address itself covers whatever it hides.
    if (allowed.check(address.text, address.family)) return false;
    return !all.every(isAllowed);
  };
}

/** The same test for a single question. */
export function isForbiddenAddress(ip: string, allowedCidrs: readonly Cidr[]): boolean {
  return createAddressGuard(allowedCidrs)(ip);
}

// Helpers

function isPublic(text: string, family: Address['family']): boolean {
  if (family === 'ipv4') return !specialIpv4.check(text, 'ipv4');
  return globalIpv6.check(text, 'ipv6') && !specialIpv6.check(text, 'ipv6');
}
