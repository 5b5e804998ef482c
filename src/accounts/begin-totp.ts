import { TerminalError } from '../errors.ts';
import { writeAudit } from '../merchants/index.ts';
import { withPassword } from './confirm-password.ts';
import type { AccountsDeps, Actor } from './deps.ts';
import { newTotpSecret, totpContext, totpUri } from './totp.ts';

export interface BegunTotp {
  /** For apps that cannot scan, in base32. */
  readonly secret: string;
  /** What the QR code says. */
  readonly uri: string;
}

/**
 * Makes the secret of an authenticator app. It counts once a code of it was seen. Throws a `TerminalError` `TOTP_IS_ON` while
 * another one counts, and what `withPassword` throws.
 */
export async function beginTotp(deps: AccountsDeps, { userId }: Actor, password: string): Promise<BegunTotp> {
  return withPassword(deps, { userId, password }, async (change, user) => {
    if (user.totpConfirmedAt !== null) throw totpIsOn();
    const secret = newTotpSecret();
    await change.trx
      .updateTable('merchant_user')
      .set({ sealed_totp_secret: deps.secretBox.seal(secret, totpContext(userId)), totp_last_step: null })
      .where('id', '=', userId)
      .execute();
    await writeAudit(change, { merchantId: user.merchantId, what: 'user.totp_begun', subjectId: userId });
    return { secret, uri: totpUri(secret, user.email) };
  });
}

export function totpIsOn(): TerminalError {
  return new TerminalError('TOTP_IS_ON', 'An authenticator app is set up already; turn it off before adding another');
}

export function totpIsOff(): TerminalError {
  return new TerminalError('TOTP_IS_OFF', 'No authenticator app is set up; begin with setting one up');
}
