import { auditRequest } from '../../merchants/index.ts';
import type { AccountsDeps } from '../deps.ts';
import type { StoredUser } from '../users/user-rows.ts';

/** An unknown person at the sign-in page. */
export const STRANGER = 'a visitor of the sign-in page';
/** Replaces the user id when there is no such login. */
const NO_LOGIN = 'none';

/**
 * Audits a rejected sign-in and its reason. The entered address is not stored; when it has no
 * login, the entry belongs to the operators and is written anyway, so that the response time
 * reveals nothing. Throttling bounds the number of entries.
 */
export function auditRejectedSignIn(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  user: Pick<StoredUser, 'id' | 'merchantId'> | null,
  reason: 'credentials' | 'code',
): Promise<void> {
  return auditRequest(
    db,
    { who: STRANGER, now: clock.now() },
    {
      merchantId: user?.merchantId ?? null,
      what: 'session.refused',
      subjectId: user?.id ?? NO_LOGIN,
      details: { reason },
    },
  );
}
