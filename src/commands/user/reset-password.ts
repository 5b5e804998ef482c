import { replacePassword } from '../../accounts/index.ts';
import { printResult } from '../print.ts';
import type { UserValues } from './commands.ts';
import { changingUser } from './context.ts';

/** `quittance user reset-password`: sets a new password in place of a lost one. */
export async function userResetPassword({ email, json }: UserValues['resetPassword']): Promise<void> {
  const { userId, result: password } = await changingUser(email, replacePassword);
  printResult(
    json,
    { user_id: userId, password },
    () => `New password of ${userId}: ${password}\nIt is not shown again. All sessions have ended.`,
  );
}
