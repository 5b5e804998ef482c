import { createHmac, hkdfSync } from 'node:crypto';
import { isIP } from 'node:net';
import type { Scope } from '../view/get-transaction.ts';

/**
 * Identifies a customer without storing the address: HMAC-SHA256 (RFC 2104) under a key of this
 * service. Four billion addresses are hashed in minutes, so an unkeyed hash would hide nothing.
 * Hashes differ per merchant and mode, so that they do not reveal common customers of two shops.
 */
export type ClientHash = (scope: Scope, address: string) => string;

/**
 * The key is derived from the one that seals secrets (HKDF, RFC 5869): neither reveals the other.
 */
export function createClientHash(secretKey: Uint8Array): ClientHash {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'quittance client addresses', KEY_BYTES));
  return ({ merchantId, mode }, address) =>
    createHmac('sha256', key)
      .update(JSON.stringify([merchantId, mode, canonicalAddress(address)]))
      .digest('hex');
}

/**
 * The canonical text of an IP address (RFC 5952); an IPv4-mapped address (`::ffff:192.0.2.1`)
 * becomes IPv4. Any other text is returned unchanged.
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
