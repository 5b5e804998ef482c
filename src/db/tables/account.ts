import type { Moment, NullableMoment } from './columns.ts';

/** A browser that is signed in. It ends at `expires_at`, after too long a silence, or when it is revoked. */
export interface SessionTable {
  id: string;
  /** SHA-256 of the token in the cookie, hex. */
  token_hash: string;
  user_id: string;
  /** As the browser named itself; text of a stranger. */
  user_agent: string;
  created_at: Moment;
  /** To the minute. */
  last_seen_at: Moment;
  expires_at: Moment;
  revoked_at: NullableMoment;
  /** When the password was given again; null since signing in. */
  password_given_at: NullableMoment;
  /** SHA-256 of login and network it was started from, hex; null for older ones. */
  network_hash: string | null;
}

/** What a lost authenticator is replaced with; each works once. */
export interface RecoveryCodeTable {
  user_id: string;
  /** SHA-256 of user and code, hex. */
  code_hash: string;
  created_at: Moment;
  used_at: NullableMoment;
}

/** Attempts to guess something. Shared by all processes. */
export interface LoginThrottleTable {
  /** What is guessed, or from where; hashed where it would name a person. */
  key: string;
  attempts: number;
  last_at: Moment;
  blocked_until: Moment;
}

/** The right to set a password, sent by mail. A row is deleted when it is used. */
export interface AccountTokenTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  user_id: string;
  purpose: 'invitation' | 'password_reset';
  created_at: Moment;
  expires_at: Moment;
}

/** A merchant that will be, once whoever asked has shown that the address is theirs. */
export interface SignUpTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  email: string;
  merchant_name: string;
  /** Of processes of a version that asked for it first; no longer read. */
  password_hash: string | null;
  created_at: Moment;
  expires_at: Moment;
}
