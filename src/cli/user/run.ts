import type { Kysely } from 'kysely';
import {
  createUserWithPassword,
  disableUser,
  findUserByEmail,
  type ListedUser,
  listUsers,
  replacePassword,
  resetTotp,
} from '../../accounts/index.ts';
import { type AuditedChange, requireMerchantNamed } from '../../merchants/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { changing } from '../key/context.ts';
import { printResult, tableText, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { UserValues } from './commands.ts';

/** `quittance user create`: creates a user with an initial password. */
export async function userCreate({ email, role, merchant, json }: UserValues['create']): Promise<void> {
  const { id, password } = await withDatabase(loadConfig(process.env), async (db) => {
    const merchantId = merchant === null ? null : (await requireMerchantNamed(db, merchant)).id;
    return changing(db, (change) => createUserWithPassword(change, { email, role, merchantId }));
  });
  printResult(
    json,
    { user_id: id, role, password },
    () => `New ${role} ${id}\nFirst password: ${password}\nIt is not shown again.`,
  );
}

export async function userDisable({ email, json }: UserValues['disable']): Promise<void> {
  const { userId } = await changingUser(email, disableUser);
  printResult(json, { user_id: userId, state: 'disabled' }, () => `${userId} can no longer sign in`);
}

/** `quittance user reset-password`: sets a new password in place of a lost one. */
export async function userResetPassword({ email, json }: UserValues['resetPassword']): Promise<void> {
  const { userId, result: password } = await changingUser(email, replacePassword);
  printResult(
    json,
    { user_id: userId, password },
    () => `New password of ${userId}: ${password}\nIt is not shown again. All sessions have ended.`,
  );
}

/**
 * `quittance user reset-totp`: for a user who lost the authenticator app and all recovery codes.
 */
export async function userResetTotp({ email, json }: UserValues['resetTotp']): Promise<void> {
  const { userId } = await changingUser(email, resetTotp);
  printResult(json, { user_id: userId, totp: false }, () => `${userId} now signs in with only the password`);
}

/** `quittance user list`: every user, including disabled ones. */
export async function userList({ merchant, json }: UserValues['list']): Promise<void> {
  const all = await withDatabase(loadConfig(process.env), (db) => listUsers(db, { merchantId: null }));
  const users = all.filter((user) => merchant === null || user.merchant?.name === merchant);
  printResult(json, { users: users.map(toJson) }, () => tableText(HEADINGS, users.map(toRow)));
}

// Helpers

type Work<T> = (change: AuditedChange, userId: string) => Promise<T>;

/**
 * Changes the user with an email address. The audit log names the account that runs the command.
 * Throws a `TerminalError` `USER_NOT_FOUND`.
 */
async function changingUser<T>(email: string, work: Work<T>): Promise<{ readonly userId: string; readonly result: T }> {
  return withDatabase(loadConfig(process.env), async (db) => {
    const userId = await requireUser(db, email);
    return { userId, result: await changing(db, (change) => work(change, userId)) };
  });
}

async function requireUser(db: Kysely<Database>, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (user !== null) return user.id;
  throw new TerminalError(
    'USER_NOT_FOUND',
    'There is no user with this email address; list users with "quittance user list"',
  );
}

function toJson(user: ListedUser) {
  return {
    user_id: user.id,
    email: user.email,
    role: user.role,
    merchant: user.merchant?.name ?? null,
    state: stateOf(user),
    totp: user.hasTotp,
    created_at: timeText(user.createdAt),
  };
}

const HEADINGS = ['USER', 'EMAIL', 'ROLE', 'MERCHANT', 'STATE', 'CODES', 'SINCE'];

function toRow(user: ListedUser): string[] {
  return [
    user.id,
    user.email,
    user.role,
    user.merchant?.name ?? '-',
    stateOf(user),
    user.hasTotp ? 'on' : '-',
    timeText(user.createdAt) ?? '-',
  ];
}

function stateOf({ isDisabled, isInvited }: ListedUser): 'disabled' | 'invited' | 'works' {
  if (isDisabled) return 'disabled';
  return isInvited ? 'invited' : 'works';
}
