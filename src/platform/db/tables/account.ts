import type { NullableTimestamp, Timestamp } from './columns.ts';

/** A signed-in browser session. It ends at `expires_at`, after inactivity, or when revoked. */
export interface SessionTable {
  id: string;
  /** SHA-256 of the token in the cookie, hex. */
  token_hash: string;
  user_id: string;
  /** `User-Agent` header: untrusted text. */
  user_agent: string;
  created_at: Timestamp;
  /** Updated at most once a minute. */
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  revoked_at: NullableTimestamp;
  /** When the password was last re-entered; null since signing in. */
  password_given_at: NullableTimestamp;
  /** SHA-256 of login and client network at sign-in, hex. */
  network_hash: string;
}

/** Replaces a lost authenticator; each code works once. */
export interface RecoveryCodeTable {
  user_id: string;
  /** SHA-256 of user and code, hex. */
  code_hash: string;
  created_at: Timestamp;
  used_at: NullableTimestamp;
}

/**
 * Counted attempts (sign-ins, codes, requested emails), for throttling. Shared by all processes.
 */
export interface LoginThrottleTable {
  /** What is counted, such as a login or a network; hashed if it would identify a person. */
  key: string;
  attempts: number;
  last_at: Timestamp;
  blocked_until: Timestamp;
}

/** A token to set a password, sent by email. The row is deleted when used. */
export interface AccountTokenTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  user_id: string;
  purpose: 'invitation' | 'password_reset';
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** A pending sign-up; becomes a merchant once the email address is verified. */
export interface SetupLinkTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  created_at: Timestamp;
}

export interface SignUpTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  email: string;
  merchant_name: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}
