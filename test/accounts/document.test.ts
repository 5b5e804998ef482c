import { describe, expect, test } from 'vitest';
import { USER_ROLES } from '../../src/accounts/index.ts';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  CODE_LIMIT,
  LINK_LIMIT,
  type Limit,
  MAIL_LIMIT,
  MAILER_LIMIT,
  RIGHT_PASSWORD_LIMIT,
  SIGN_UP_LIMIT,
} from '../../src/accounts/throttle.ts';
import { USER_COMMANDS } from '../../src/cli/user/commands.ts';
import { CONSOLE_STATUS } from '../../src/http/console/session/problems.ts';
import { readDocument, tableRows } from '../docs/markdown.ts';

const ACCOUNTS = readDocument('docs/operators/accounts.md');
const MINUTE_MS = 60_000;

describe('docs/operators/accounts.md', () => {
  test('lists the existing roles and commands', () => {
    const plain = (text = '') => text.replaceAll('`', '');
    expect(tableRows(ACCOUNTS, ['Role', 'Belongs to', 'May']).map(([role]) => plain(role))).toEqual([...USER_ROLES]);
    const commands = tableRows(ACCOUNTS, ['Command', 'Does']).map(([command]) => plain(command));
    expect(commands).toEqual(USER_COMMANDS.map(({ name }) => `quittance ${name}`));
  });

  test('lists the statuses that the console returns', () => {
    const described = tableRows(ACCOUNTS, ['Status', 'Error']).flatMap(([status, codes = '']) =>
      [...codes.matchAll(/[A-Z]{3,}(?:_[A-Z]+)*/g)].map(([code]) => [code, Number(status)]),
    );
    expect(Object.fromEntries(described)).toEqual(CONSOLE_STATUS);
  });

  test('lists the limits in force', () => {
    const rows = tableRows(ACCOUNTS, ['What', 'Counted for', 'Free', 'Longest wait', 'Forgotten after']);
    const shown = ({ free, longestWaitMs, windowMs }: Limit) => [
      String(free),
      `${longestWaitMs / MINUTE_MS} min`,
      `${windowMs / (60 * MINUTE_MS)} h`,
    ];
    expect(rows.map((row) => row.slice(2))).toEqual(
      [
        ACCOUNT_LIMIT,
        ACCOUNT_LIMIT,
        ACCOUNT_LIMIT,
        RIGHT_PASSWORD_LIMIT,
        CODE_LIMIT,
        ADDRESS_LIMIT,
        LINK_LIMIT,
        MAIL_LIMIT,
        MAILER_LIMIT,
        SIGN_UP_LIMIT,
      ].map(shown),
    );
  });
});
