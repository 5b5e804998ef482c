import type { Actor, Session } from '../../accounts/index.ts';
import type { SignedIn } from '../contract/session.ts';

/** The session as the pages receive it. */
export function signedInView({ userId, email, role, merchant, hasTotp, recoveryCodes }: Session): SignedIn {
  return { userId, email, role, merchant, hasTotp, recoveryCodes };
}

/** The session as the actor of a use case. */
export function actorOf({ userId, sessionId, role, merchant }: Session): Actor {
  return { userId, sessionId, role, merchantId: merchant?.id ?? null };
}
