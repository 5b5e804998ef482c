/** Who is signed in, and what they may do. */

/** Who is signed in, and what they may do. */
export type Role = 'owner' | 'staff' | 'operator' | 'observer';

export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** Null for those who run the service. */
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Recovery codes that are left. */
  readonly recoveryCodes: number;
}

export interface SessionInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** As the browser names itself; text of a stranger. */
  readonly userAgent: string;
  readonly isThisOne: boolean;
}
