import { TerminalError } from '../../errors.ts';
import { writeAudit } from '../../merchants/index.ts';
import type { AccountsDeps, Actor } from '../deps.ts';
import { withPassword } from '../sessions/confirm-password.ts';
import { newTotpSecret, totpContext, totpUri } from './totp.ts';

export interface BegunTotp {
  /** Base32, for apps that cannot scan. */
  readonly secret: string;
  /** Content of the QR code. */
  readonly uri: string;
}

/**
 * Creates the secret of an authenticator app. It takes effect once a code of it has been verified.
 * Throws a `TerminalError` `TOTP_IS_ON` when another one is active, and what `withPassword` throws.
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
