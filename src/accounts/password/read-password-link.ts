import { hashToken } from '../../platform/hash-token.ts';
import { invalidLink, type TokenPurpose } from '../account-tokens.ts';
import type { AccountsDeps } from '../deps.ts';
import { timestamp } from '../timestamp.ts';
import { isToken } from '../token.ts';
import type { UserRole } from '../users/role.ts';

/** The login whose password a link sets. */
export interface PasswordLink {
  readonly purpose: TokenPurpose;
  readonly email: string;
  readonly role: UserRole;
  /** Null for users of the service. */
  readonly merchantName: string | null;
}

/**
 * Reads what a link of an email is for, without using it up. Any other token throws `INVALID_LINK`,
 * as `resetPassword` does, so that it reveals no login.
 */
export async function readPasswordLink(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  token: string,
): Promise<PasswordLink> {
  if (!isToken(token)) throw invalidLink();
  const link = await db
    .selectFrom('account_token as link')
    .innerJoin('merchant_user as person', 'person.id', 'link.user_id')
    .leftJoin('merchant', 'merchant.id', 'person.merchant_id')
    .select(['link.purpose', 'person.email', 'person.role', 'merchant.name as merchantName'])
    .where('link.token_hash', '=', hashToken(token))
    .where('link.expires_at', '>', timestamp(clock.now()))
    .where('person.disabled_at', 'is', null)
    .executeTakeFirst();
  if (link === undefined) throw invalidLink();
  return link;
}
