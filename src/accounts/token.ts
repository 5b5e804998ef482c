import { randomBytes } from 'node:crypto';

/** A random token for a cookie or link: 256 bits in base64url. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether the text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Public id of a session, for display and the audit. It grants no access. */
export function newSessionId(): string {
  return `ses_${randomBytes(SESSION_ID_BYTES).toString('hex')}`;
}

/** Whether the text has the form of a session id. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

// Helpers

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SESSION_ID_BYTES = 13;
const SESSION_ID = /^ses_[0-9a-f]{26}$/;
