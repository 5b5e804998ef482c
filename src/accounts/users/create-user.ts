import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { readEmail } from '../email.ts';
import { isMerchantRole, type Rights } from './role.ts';

export interface NewUser extends Rights {
  readonly email: string;
  /** Null for an invited user, who will choose a password. */
  readonly passwordHash: string | null;
}

export interface CreatedUser {
  readonly id: string;
  readonly email: string;
}

/**
 * Creates a login. Throws a `TerminalError`: `INVALID_EMAIL`, `EMAIL_TAKEN`, or `INVALID_ROLE` when
 * role and merchant do not match.
 */
export async function createUser(change: AuditedChange, user: NewUser): Promise<CreatedUser> {
  const { role, merchantId, passwordHash } = user;
  const email = readEmail(user.email);
  checkRoleMatchesMerchant(user);
  const created = await change.trx
    .insertInto('merchant_user')
    .values({ id: newId('usr'), merchant_id: merchantId, role, email, password_hash: passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) throw emailTaken();
  const what = passwordHash === null ? 'user.invited' : 'user.created';
  await writeAudit(change, { merchantId, what, subjectId: created.id, details: { role } });
  return { id: created.id, email };
}

/** Throws `INVALID_ROLE` when role and merchant do not match. */
export function checkRoleMatchesMerchant({ role, merchantId }: Rights): void {
  if (isMerchantRole(role) === (merchantId !== null)) return;
  throw new TerminalError(
    'INVALID_ROLE',
    isMerchantRole(role)
      ? `role ${role} belongs to a merchant: specify the merchant`
      : `role ${role} belongs to the service: omit the merchant`,
    { field: 'role' },
  );
}

export function emailTaken(): TerminalError {
  return new TerminalError('EMAIL_TAKEN', 'email already has a login; use another address', { field: 'email' });
}
