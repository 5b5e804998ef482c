import { createCidrMatcher, parseCidr } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { withoutZone } from './address-network.ts';

/** CIDR blocks per key. */
const MAX_ALLOWED_CIDRS = 100;

/**
 * Validates and normalizes the CIDR blocks (RFC 4632) a key may be used from; a single address is a
 * block. Throws a `TerminalError` `INVALID_CIDR` that quotes the invalid one.
 */
export function readAllowedCidrs(texts: readonly string[]): string[] {
  const read = texts.map((text) => {
    const cidr = parseCidr(text.trim());
    if (cidr !== null) return cidr.text;
    throw new TerminalError(
      'INVALID_CIDR',
      `"${text.slice(0, 60)}" is not an IP address or CIDR block; use a form such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/48`,
    );
  });
  const distinct = [...new Set(read)];
  if (distinct.length <= MAX_ALLOWED_CIDRS) return distinct;
  throw new TerminalError(
    'INVALID_CIDR',
    `A key can have at most ${MAX_ALLOWED_CIDRS} CIDR blocks; merge some into larger ones`,
  );
}

/** Whether a key with these blocks may be used from an address; without blocks, from any. */
export function isAllowedFrom(allowedCidrs: readonly string[], address: string | undefined): boolean {
  if (allowedCidrs.length === 0) return true;
  const cidrs = allowedCidrs.map((text) => parseCidr(text)).filter((cidr) => cidr !== null);
  return createCidrMatcher(cidrs)(withoutZone(address ?? ''));
}
