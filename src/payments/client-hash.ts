import { createHmac, hkdfSync } from 'node:crypto';
import { isIP } from 'node:net';
import type { Scope } from './get-transaction.ts';

/**
 * Names a shopper without keeping the address: HMAC-SHA256 (RFC 2104) under a key only this service has. Four billion
 * addresses are hashed in minutes, so a hash without a key would hide nothing. Merchants and modes have hashes of their own:
 * nobody can tell that two shops have the same customer.
 */
export type ClientHash = (scope: Scope, address: string) => string;

/** The key is derived from the one that seals secrets (HKDF, RFC 5869), so that neither tells anything about the other. */
export function createClientHash(secretKey: Uint8Array): ClientHash {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'quittance client addresses', KEY_BYTES));
  return ({ merchantId, mode }, address) =>
    createHmac('sha256', key)
      .update(JSON.stringify([merchantId, mode, canonicalAddress(address)]))
      .digest('hex');
}

/**
 * One text for every way of writing an IP address (RFC 5952); IPv4 inside IPv6 (`::ffff:192.0.2.1`) is the IPv4
 * address it is. Text that is no address stays as it is.
 */
export function canonicalAddress(text: string): string {
  if (isIP(text) !== 6 || text.includes('%')) return text;
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED_IPV4.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 0xff, lower >> 8, lower & 0xff].join('.');
}

// Helpers

const KEY_BYTES = 32;
const MAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
