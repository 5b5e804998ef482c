import { type AuditedChange, markApprovalPending, writeAudit } from '../../merchants/index.ts';
import { hashToken } from '../../platform/hash-token.ts';
import { invalidLink } from '../account-tokens.ts';
import type { AccountsDeps } from '../deps.ts';
import { checkPassword, hashPassword } from '../password/password.ts';
import { countAttempt, LINK_LIMIT, throttleKey } from '../throttle.ts';
import { timestamp } from '../timestamp.ts';
import { createUser, emailTaken } from '../users/create-user.ts';
import { findUserByEmail } from '../users/user-rows.ts';
import { makeMerchant } from './open-merchant.ts';
import { requireFreeName, requireOpen } from './sign-up.ts';

/**
 * Creates merchant and owner from the link of an email, once. The owner of the address chooses the
 * password; a rejected password does not use up the link. Throws a `TerminalError`: `INVALID_LINK`,
 * `SIGN_UP_CLOSED`, `TOO_MANY_ATTEMPTS`, `MERCHANT_NAME_TAKEN` or `EMAIL_TAKEN` when another
 * request was faster, and what `checkPassword` throws.
 */
export async function confirmSignUp(
  deps: AccountsDeps,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  requireOpen(deps);
  const requested = await findPending(deps, token);
  checkPassword(password, requested.email);
  // Hashing is expensive: known conflicts are rejected before it, and counted. What another request
  // acquires in the meantime is rejected by the transaction.
  await requireFree(deps, requested).catch(async (error: unknown) => {
    // If this link has taken both in the meantime, it is used up.
    await findPending(deps, token);
    throw error;
  });
  await countAttempt(deps, throttleKey.passwordsWith(token), LINK_LIMIT);
  const passwordHash = await hashPassword(password);
  await deps.db.transaction().execute(async (trx) => {
    const change: AuditedChange = { trx, who: 'sign-up', now: deps.clock.now() };
    const signUp = await trx
      .deleteFrom('sign_up')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', timestamp(change.now))
      .returning(['email', 'merchant_name'])
      .executeTakeFirst();
    if (signUp === undefined) throw invalidLink();
    const { email, merchant_name: name } = signUp;
    const merchantId = await makeMerchant(change, { name, email });
    await markApprovalPending(change, merchantId);
    await writeAudit(change, { merchantId, what: 'merchant.signed_up', subjectId: merchantId });
    await createUser(change, { email, role: 'owner', merchantId, passwordHash });
  });
}

// Helpers

interface Pending {
  readonly email: string;
  readonly merchant_name: string;
}

async function findPending({ db, clock }: AccountsDeps, token: string): Promise<Pending> {
  const pending = await db
    .selectFrom('sign_up')
    .select(['email', 'merchant_name'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestamp(clock.now()))
    .executeTakeFirst();
  if (pending === undefined) throw invalidLink();
  return pending;
}

async function requireFree(deps: AccountsDeps, { email, merchant_name: name }: Pending): Promise<void> {
  if ((await findUserByEmail(deps.db, email)) !== null) throw emailTaken();
  await requireFreeName(deps, name);
}
