import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';

/** Decoding is quadratic in the length, and no valid input is longer than an extended key (112). */
const MAX_BASE58_CHARACTERS = 128;

const base58check = createBase58check(sha256);

/** Base58 with a four-byte SHA-256d checksum, the key and address format of Bitcoin-like chains. */
export const encodeBase58check = base58check.encode;

/**
 * The payload, or null when the text is not base58 or its checksum does not match. Never throws,
 * because a decoding error may quote the text, which may be a secret.
 */
export function decodeBase58check(text: string): Uint8Array | null {
  if (text.length > MAX_BASE58_CHARACTERS) return null;
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}
