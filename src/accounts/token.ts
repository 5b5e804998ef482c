import { createHash, randomBytes } from 'node:crypto';

/** A token nobody can guess: 256 random bits in base64url, for a cookie or a link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** SHA-256 in hex, which is what is stored. A quick hash is enough for 256 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether the text can be a token at all. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Names a session to people and in the audit. It opens nothing. */
export function newSessionId(): string {
  return `ses_${randomBytes(SESSION_ID_BYTES).toString('hex')}`;
}

/** Whether the text can be the id of a session. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

// Helpers

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SESSION_ID_BYTES = 13;
const SESSION_ID = /^ses_[0-9a-f]{26}$/;
