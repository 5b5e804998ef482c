import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';

/** Decoding takes time in the square of the length, and nothing we read is longer than an extended key (112). */
const MAX_BASE58_CHARACTERS = 128;

const base58check = createBase58check(sha256);

/** Base58 with a four-byte double-SHA-256 checksum, as every Bitcoin-like chain writes keys and addresses. */
export function encodeBase58check(payload: Uint8Array): string {
  return base58check.encode(payload);
}

/**
 * The payload, or null when the text is not base58 or its checksum does not match. It never throws, because
 * the error of a failed decode may quote the text, and the text may be a secret.
 */
export function decodeBase58check(text: string): Uint8Array | null {
  if (text.length > MAX_BASE58_CHARACTERS) return null;
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}
