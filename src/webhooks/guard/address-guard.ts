import { BlockList } from 'node:net';
import type { Cidr } from '../../platform/config/index.ts';
import { type Address, readAddress } from './address.ts';
import { globalIpv6, loopback, neverAllowed, specialIpv4, specialIpv6 } from './forbidden-ranges.ts';
import { createOwnAddresses } from './own-addresses.ts';

/**
 * Returns a predicate: true for an IP address that webhooks must not go to. Merchants choose the
 * URLs, and this server runs inside the operator's network, so everything but the public Internet
 * is forbidden unless the operator has allowed its block. The ranges in `NEVER` and this host's own
 * addresses stay forbidden even then; loopback is opened only by blocks within it. Anything that is
 * not an address is forbidden.
 */
export function createAddressGuard(
  allowedCidrs: readonly Cidr[],
  own: () => BlockList = readOwnAddresses,
): (ip: string) => boolean {
  const allowed = blocksOf(allowedCidrs);
  const allowedLoopback = blocksOf(allowedCidrs.filter(isLoopbackBlock));

  function isOpened({ text, family }: Pick<Address, 'text' | 'family'>): boolean {
    return (loopback.check(text, family) ? allowedLoopback : allowed).check(text, family);
  }

  function isAllowed({ text, family }: Pick<Address, 'text' | 'family'>): boolean {
    return isOpened({ text, family }) || isPublic(text, family);
  }

  return (ip) => {
    const address = readAddress(ip);
    if (address === null) return true;
    const inside = address.embedded.map((text) => ({ text, family: 'ipv4' as const }));
    const all = [address, ...inside];
    const ours = own();
    const isClosed = ({ text, family }: Pick<Address, 'text' | 'family'>) =>
      neverAllowed.check(text, family) || ours.check(text, family);
    if (all.some(isClosed)) return true;
    // A block that names the IPv6 address itself also covers the IPv4 embedded in it.
    if (isOpened(address)) return false;
    return !all.every(isAllowed);
  };
}

/** A webhook to a forbidden address was blocked before the connection, or right after it. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** The message names the address and what the operator can do if it should be allowed. */
export function blockedAddress(host: string, address: string): BlockedAddressError {
  const where = host === address ? address : `${host} is at ${address}, which`;
  return new BlockedAddressError(
    `${where} is not a public address. Use a public one, or ask the operator to allow it with WEBHOOK_ALLOW_CIDRS.`,
  );
}

// Helpers

const readOwnAddresses = createOwnAddresses();

function blocksOf(cidrs: readonly Cidr[]): BlockList {
  const blocks = new BlockList();
  for (const { address, prefixBits, family } of cidrs) blocks.addSubnet(address, prefixBits, family);
  return blocks;
}

/** Whether a block contains only loopback addresses: 127.0.0.0/8 or a part of it, or ::1. */
function isLoopbackBlock({ address, prefixBits, family }: Cidr): boolean {
  return loopback.check(address, family) && prefixBits >= (family === 'ipv4' ? 8 : 128);
}

function isPublic(text: string, family: Address['family']): boolean {
  if (family === 'ipv4') return !specialIpv4.check(text, 'ipv4');
  return globalIpv6.check(text, 'ipv6') && !specialIpv6.check(text, 'ipv6');
}
