import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findSession, signIn } from '../../src/accounts/index.ts';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import { runWithInput } from '../e2e/cli/cli-input.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { createAccountsHarness, outcomeOf, signInRequest, uniqueAddress } from './harness.ts';

/** Each command is a separate process, and takes seconds on a busy machine. */
const TIMEOUT_MS = 240_000;

describePostgres('quittance user', () => {
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-users-'));
    database = await createPostgresDatabase();
    await database.db.transaction().execute(async (trx) => {
      await upsertMerchant(trx, { name: 'A shop', email: 'a@shop.test', plan: 'starter', settings: {} });
    });
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function quittance(...args: readonly string[]) {
    const env = { DATABASE_URL: database.url ?? '', DATA_DIR: folder };
    return runWithInput(['user', ...args], { cwd: folder, input: '', env });
  }
  function asJson<T>(...args: readonly string[]): T {
    const { code, stdout, stderr } = quittance(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  }

  test('manages a login from creation to deletion', async () => {
    const deps = createAccountsHarness(database);
    const email = 'ann@shop.example';
    const enter = (password: string) => signIn(deps, { ...signInRequest(email, password), address: uniqueAddress() });
    const made = quittance('create', '--email', email, '--role', 'owner', '--merchant', 'A shop');
    const [, id = '', password = ''] =
      /^New owner (usr_\w+)\nFirst password: (\w{22})\nIt is not shown again\.\n$/.exec(made.stdout) ?? [];
    const { token } = await enter(password);
    expect(await findSession(deps, token)).toMatchObject({ userId: id, role: 'owner', merchant: { name: 'A shop' } });

    const reset = asJson<{ user_id: string; password: string }>('reset-password', '--email', email.toUpperCase());
    expect(reset.user_id).toBe(id);
    expect(await findSession(deps, token)).toBeNull();
    expect(await outcomeOf(enter(password))).toBe('WRONG_CREDENTIALS');
    expect(await outcomeOf(enter(reset.password))).toBe('done');
    expect(asJson('reset-totp', '--email', email)).toEqual({ user_id: id, totp: false });

    const operator = asJson<{ user_id: string }>('create', '--email', 'op@shop.example', '--role', 'operator');
    expect(asJson('list')).toMatchObject({
      users: [
        { user_id: id, email, role: 'owner', merchant: 'A shop', state: 'works', totp: false },
        { user_id: operator.user_id, role: 'operator', merchant: null },
      ],
    });
    expect(quittance('disable', '--email', email).stdout).toBe(`${id} can no longer sign in\n`);
    expect(await outcomeOf(enter(reset.password))).toBe('WRONG_CREDENTIALS');
    const table = quittance('list', '--merchant', 'A shop').stdout;
    expect(table).toMatch(/^USER +EMAIL +ROLE +MERCHANT +STATE /);
    expect(table).toMatch(new RegExp(`${id} .* disabled`));
    expect(table).not.toContain(operator.user_id);
    const audit = await database.db
      .selectFrom('audit_entry')
      .select(['who', 'what', 'merchant_id'])
      .orderBy('id')
      .execute();
    expect(audit.filter(({ who }) => who.startsWith('command line, ')).map(({ what }) => what)).toEqual([
      'user.created',
      'user.password_reset',
      'user.created',
      'user.disabled',
    ]);
  });

  test.each([
    [['create', '--email', 'x', '--role', 'owner', '--merchant', 'A shop'], /email must be an email address/],
    [
      ['create', '--email', 'b@shop.example', '--role', 'staff'],
      /role staff belongs to a merchant: specify the merchant/,
    ],
    [['create', '--email', 'b@shop.example', '--role', 'observer', '--merchant', 'A shop'], /omit the merchant/],
    [['create', '--email', 'b@shop.example', '--role', 'owner', '--merchant', 'No shop'], /no merchant "No shop"/],
    [['disable', '--email', 'nobody@shop.example'], /There is no user with this email address/],
  ])('rejects %j', (args, message) => {
    const { code, stdout, stderr } = quittance(...args);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toMatch(message);
  });

  test.each([
    [
      ['create', '--email', 'b@shop.example', '--role', 'king'],
      /--role must be one of owner, staff, operator, observer/,
    ],
    [['disable'], /--email is missing/],
  ])('%j is a usage error', async (args, message) => {
    await expect(parseCommandLine(['user', ...args])).rejects.toThrow(message);
  });
});
