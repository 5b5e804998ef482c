import { createHash, createHmac, hkdfSync } from 'node:crypto';

/** What a link in an email may do: only this, and only for this schedule. */
export type TokenPurpose =
  | { readonly purpose: 'confirm' | 'stop'; readonly scheduleId: string }
  /** The permanent link of one period. */
  | { readonly purpose: 'pay'; readonly scheduleId: string; readonly periodNo: number };

/** Returns the token of a purpose: 128 bits as 32 hex characters. */
export type Tokens = (purpose: TokenPurpose) => string;

/**
 * Tokens are derived, not random: HMAC-SHA256 (RFC 2104) of their purpose under a separate key
 * (HKDF, RFC 5869). So the database stores none of them, and every reminder has the same link as
 * the first email. Only their hashes are stored: when the service's key changes, existing links
 * keep working, and those of the new key are added.
 */
export function createTokens(secretKey: Uint8Array): Tokens {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'quittance links in mails', KEY_BYTES));
  return (wanted) =>
    createHmac('sha256', key)
      .update(JSON.stringify([wanted.purpose, wanted.scheduleId, wanted.purpose === 'pay' ? wanted.periodNo : null]))
      .digest('hex')
      .slice(0, TOKEN_CHARACTERS);
}

/**
 * SHA-256 in hex. Without the key a token is 128 unpredictable bits, so a fast hash is sufficient.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether the text has the format of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

// Helpers

const KEY_BYTES = 32;
const TOKEN_CHARACTERS = 32;
const TOKEN = /^[0-9a-f]{32}$/;
