import type { UserRole } from '../../../http/console/session/schemas.ts';

export const PASSWORD_HINT = 'At least 10 characters. Several words are easy to remember.';

export const ROLE_WORDS: Readonly<Record<UserRole, string>> = {
  owner: 'Owner',
  staff: 'Staff',
  operator: 'Operator',
  observer: 'Observer',
};

/** The permissions of a role in one line. */
export const ROLE_MEANINGS: Readonly<Record<UserRole, string>> = {
  owner: 'manages everything in the account, including its users',
  staff: 'manages the payments of the account',
  operator: 'runs the service and can send events to actors',
  observer: 'sees what operators see, read-only',
};
