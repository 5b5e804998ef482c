import type { FastifyRequest } from 'fastify';
import { type AuditedChange, changeAs, type RequestAuthor, userAuthor } from '../../../merchants/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { signedInOf } from '../session/guard.ts';
import type { MerchantDeps } from './deps.ts';

/** A signed-in user of a merchant. All reads and changes are limited to that merchant. */
export interface Member {
  readonly userId: string;
  readonly merchantId: string;
  readonly role: 'owner' | 'staff';
  /** The client address of the request. */
  readonly address: string;
}

/** The member who sent a request. Throws `FORBIDDEN` for users without a merchant. */
export function memberOf(request: FastifyRequest): Member {
  const { userId, role, merchant } = signedInOf(request);
  if (merchant !== null && (role === 'owner' || role === 'staff')) {
    return { userId, merchantId: merchant.id, role, address: request.ip };
  }
  throw new TerminalError('FORBIDDEN', 'Only owners and staff of a merchant can do this; sign in with such a role');
}

/** Runs changes in one transaction, by the member as author; `work` writes their audit entries. */
export function changeAsMember<T>(
  deps: Pick<MerchantDeps, 'db' | 'clock'>,
  { userId }: Pick<Member, 'userId'>,
  work: (change: AuditedChange) => Promise<T>,
): Promise<T> {
  return changeAs(deps, userAuthor(userId), work);
}

/** The member as audit author, for changes that need more than one transaction. */
export function authorOf({ clock }: Pick<MerchantDeps, 'clock'>, { userId }: Pick<Member, 'userId'>): RequestAuthor {
  return { who: userAuthor(userId), now: clock.now() };
}
