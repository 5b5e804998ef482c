/**
 * Who may do what. `owner` and `staff` belong to a merchant: an owner also manages its users.
 * `operator` and `observer` run the service: an observer looks and changes nothing.
 */
export const USER_ROLES = ['owner', 'staff', 'operator', 'observer'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** Where somebody stands: a role, and the merchant it is held at. */
export interface Standing {
  readonly role: UserRole;
  /** Null for those who run the service. */
  readonly merchantId: string | null;
}

/** Whether the role is held at a merchant. */
export function isMerchantRole(role: UserRole): boolean {
  return role === 'owner' || role === 'staff';
}

/**
 * Whether a login may create, change and disable logins of that standing. Operators manage the
 * logins of the service alone: one who could add an owner to a merchant could replace its wallet.
 */
export function mayManage(actor: Standing, target: Standing): boolean {
  switch (actor.role) {
    case 'operator':
      return target.merchantId === null && !isMerchantRole(target.role);
    case 'owner':
      return target.merchantId !== null && target.merchantId === actor.merchantId && isMerchantRole(target.role);
    case 'staff':
    case 'observer':
      return false;
  }
}
