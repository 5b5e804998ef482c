/** The signed-in user and their permissions. */

/** The roles of users. */
export type Role = 'owner' | 'staff' | 'operator' | 'observer';

export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** Null for operators. */
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number;
}

export interface SessionInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** As the browser identifies itself; untrusted text. */
  readonly userAgent: string;
  readonly isThisOne: boolean;
}
