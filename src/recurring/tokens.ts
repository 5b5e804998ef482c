import { createHash, createHmac, hkdfSync } from 'node:crypto';

/** What the link of a mail may do: nothing else, and for this schedule alone. */
export type TokenPurpose =
  | { readonly purpose: 'confirm' | 'stop'; readonly scheduleId: string }
  /** The stable link of one period. */
  | { readonly purpose: 'pay'; readonly scheduleId: string; readonly periodNo: number };

/** The token of a purpose: 128 bits as 32 hex characters. */
export type Tokens = (purpose: TokenPurpose) => string;

/**
 * Tokens are not drawn but derived: HMAC-SHA256 (RFC 2104) of their purpose under a key of their own (HKDF, RFC 5869). So the
 * database holds none of them, and yet every reminder carries the very link of the first mail. What is stored is their hash: a
 * link goes on working when the service's key is changed, and the new key's link beside it.
 */
export function createTokens(secretKey: Uint8Array): Tokens {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'quittance links in mails', KEY_BYTES));
  return (wanted) =>
    createHmac('sha256', key)
      .update(JSON.stringify([wanted.purpose, wanted.scheduleId, wanted.purpose === 'pay' ? wanted.periodNo : null]))
      .digest('hex')
      .slice(0, TOKEN_CHARACTERS);
}

/** SHA-256 in hex: a token is 128 random bits to whoever has no key, so a quick hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether the text can be a token at all. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

// Helpers

const KEY_BYTES = 32;
const TOKEN_CHARACTERS = 32;
const TOKEN = /^[0-9a-f]{32}$/;
