import { disableUser } from '../../accounts/index.ts';
import { printResult } from '../print.ts';
import type { UserValues } from './commands.ts';
import { changingUser } from './context.ts';

/** `quittance user disable`: the user can no longer sign in. */
export async function userDisable({ email, json }: UserValues['disable']): Promise<void> {
  const { userId } = await changingUser(email, disableUser);
  printResult(json, { user_id: userId, state: 'disabled' }, () => `${userId} cannot sign in any more`);
}
