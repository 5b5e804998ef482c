/**
 * Roles. `owner` and `staff` belong to a merchant; an owner also manages its users. `operator` and
 * `observer` run the service; an observer has read-only access.
 */
export const USER_ROLES = ['owner', 'staff', 'operator', 'observer'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** A role and the merchant in which it is held. */
export interface Rights {
  readonly role: UserRole;
  /** Null for operators and observers. */
  readonly merchantId: string | null;
}

export function isMerchantRole(role: UserRole): boolean {
  return role === 'owner' || role === 'staff';
}

/**
 * Whether a login may create, change and disable logins with that role and merchant.
 * Operators manage only logins of the service: one who could add an owner to a merchant
 * could replace its wallet.
 */
export function mayManage(manager: Rights, target: Rights): boolean {
  switch (manager.role) {
    case 'operator':
      return target.merchantId === null && !isMerchantRole(target.role);
    case 'owner':
      return target.merchantId !== null && target.merchantId === manager.merchantId && isMerchantRole(target.role);
    case 'staff':
    case 'observer':
      return false;
  }
}
