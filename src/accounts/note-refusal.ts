import { auditRequest } from '../merchants/index.ts';
import type { AccountsDeps } from './deps.ts';
import type { StoredUser } from './user-rows.ts';

/** Somebody nobody knows: whoever has the sign-in page in front of them. */
export const STRANGER = 'somebody with the sign-in page';
/** In place of the id of a login there is none of. */
const NO_LOGIN = 'none';

/**
 * Writes down that somebody was not let in, by what. The address they gave is not kept: where no login has it, the entry concerns those
 * who run the service, and it is written all the same, so that the time an answer takes tells nothing. How many there can
 * be is bounded by the waits between attempts.
 */
export function noteRefusal(
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
