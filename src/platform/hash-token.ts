import { createHash } from 'node:crypto';

/**
 * SHA-256 in hex, the form in which tokens of cookies and links are stored. They have 128 or more
 * unpredictable bits, so a fast hash is enough.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
