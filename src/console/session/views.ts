import type { Actor, Session } from '../../accounts/index.ts';
import type { SignedIn } from '../contract/session.ts';

/** What the pages know of who is signed in. */
export function signedInView({ userId, email, role, merchant, hasTotp, recoveryCodes }: Session): SignedIn {
  return { userId, email, role, merchant, hasTotp, recoveryCodes };
}

/** The same as whoever asks for something. */
export function actorOf({ userId, sessionId, role, merchant }: Session): Actor {
  return { userId, sessionId, role, merchantId: merchant?.id ?? null };
}
