import { type ListedUser, listUsers } from '../../accounts/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { printResult, tableText, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { UserValues } from './commands.ts';

/** `quittance user list`: every user, including disabled ones. */
export async function userList({ merchant, json }: UserValues['list']): Promise<void> {
  const all = await withDatabase(loadConfig(process.env), (db) => listUsers(db, { merchantId: null }));
  const users = all.filter((user) => merchant === null || user.merchant?.name === merchant);
  printResult(json, { users: users.map(toJson) }, () => tableText(HEADINGS, users.map(toRow)));
}

// Helpers

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
