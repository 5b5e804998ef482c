import { resetTotp } from '../../accounts/index.ts';
import { printResult } from '../print.ts';
import type { UserValues } from './commands.ts';
import { changingUser } from './context.ts';

/**
 * `quittance user reset-totp`: for a user who lost the authenticator app and all recovery codes.
 */
export async function userResetTotp({ email, json }: UserValues['resetTotp']): Promise<void> {
  const { userId } = await changingUser(email, resetTotp);
  printResult(json, { user_id: userId, totp: false }, () => `${userId} signs in with the password alone now`);
}
