import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { runHere } from '../cli/run-here.ts';
import { runWithInput } from '../e2e/cli/cli-input.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';

describePostgres('the plan commands', () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    folder = await mkdtemp(join(tmpdir(), 'quittance-plans-'));
    vi.stubEnv('DATABASE_URL', database.url ?? '');
    vi.stubEnv('DATA_DIR', folder);
    await provision('starter');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function provision(plan: string): Promise<void> {
    const file = join(folder, 'merchants.json');
    const merchants = [{ name: 'Alder', email: 'alder@shop.example', plan }];
    await writeFile(file, JSON.stringify({ merchants }));
    await runHere('provision', [file, '--out', join(folder, 's.json')]);
  }
  const planOf = () =>
    database.db
      .selectFrom('merchant')
      .select(['plan', 'plan_cycle', 'plan_expires_at'])
      .where('name', '=', 'Alder')
      .executeTakeFirstOrThrow();

  test('plan list shows the table, and plan set changes one row of it and nothing else', async () => {
    const before = await runHere('plan list', []);
    expect(before).toMatch(/^TIER .*\nstarter +0 +0 +50 +1 +no +no +30 +500\nbusiness +29 +290 +1000 +3 .*\n/);
    expect(before).toMatch(/\nenterprise +custom +custom +unlimited +unlimited +yes +yes +1000 +20000\n$/);
    const prices = ['--monthly', '19.50', '--yearly', 'custom'];
    const bounds = ['--payments', 'unlimited', '--webhooks', '7', '--per-minute', '99', '--per-hour', '999'];
    const features = ['--ip-whitelist', 'yes', '--detailed', 'yes'];
    const set = await runHere('plan set', ['--tier', 'business', ...prices, ...bounds, ...features]);
    expect(set).toMatch(/\nbusiness +19\.5 +custom +unlimited +7 +yes +yes +99 +999\n$/);
    const after = JSON.parse(await runHere('plan list', ['--json'])) as { plans: { tier: string }[] };
    expect(after).toMatchObject({
      plans_enabled: true,
      plans: [
        { tier: 'starter', monthly_transaction_limit: 50 },
        { tier: 'business', monthly_price_usd: 19.5 },
        {},
        {},
      ],
    });
  });

  test.each([
    [['--tier', 'business'], 'pass at least one value to change'],
    [['--tier', 'business', '--monthly', '0.50'], 'at least 1.00 USD'],
  ])('plan set %j is rejected with the expected usage', async (args, message) => {
    await expect(runHere('plan set', args)).rejects.toThrow(message);
  });

  // Rejected before a connection is opened, so no process is needed.
  test.each([
    [['--tier', 'gold', '--monthly', '1'], '--tier must be one of starter'],
    [['--tier', 'business', '--monthly', '29.999'], '--monthly must be USD like 29 or 29.90, or "custom"'],
    [['--tier', 'business', '--payments', '-1'], '--payments'],
    [['--tier', 'business', '--webhooks', 'many'], '--webhooks must be a whole number, or "unlimited"'],
    [['--tier', 'business', '--detailed', 'maybe'], '--detailed must be yes or no'],
    [['--tier', 'business', '--per-hour', '0'], '--per-hour must be a whole number from 1'],
  ])('plan set %j is a usage error', async (args, message) => {
    await expect(parseCommandLine(['plan', 'set', ...args])).rejects.toThrow(message);
  });

  test('merchant plan sets a plan through its last day, and the same provisioning file does not revert it', async () => {
    const given = ['--merchant', 'Alder', '--tier', 'professional', '--until', '2027-01-31'];
    expect(await runHere('merchant plan', given)).toBe(
      'Alder now has the professional plan, until 2027-02-01T00:00:00Z\n',
    );
    const expected = { plan: 'professional', plan_cycle: null, plan_expires_at: Date.parse('2027-02-01T00:00:00Z') };
    expect(await planOf()).toEqual(expected);
    await provision('starter');
    expect(await planOf()).toEqual(expected);
    // Another plan in the file counts as a new decision.
    await provision('business');
    expect(await planOf()).toEqual({ plan: 'business', plan_cycle: null, plan_expires_at: null });
    const endless = await runHere('merchant plan', ['--merchant', 'Alder', '--tier', 'enterprise']);
    expect(endless).toBe('Alder now has the enterprise plan, without an end date\n');
    expect(await planOf()).toEqual({ plan: 'enterprise', plan_cycle: null, plan_expires_at: null });
  });

  test('merchant plan rejects an unknown merchant, and changes no other', async () => {
    const before = await planOf();
    const args = ['merchant', 'plan', '--merchant', 'Birch', '--tier', 'business'];
    const env = { DATABASE_URL: database.url ?? '' };
    const { code, stderr } = runWithInput(args, { cwd: folder, input: '', env });
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('There is no merchant "Birch"')]);
    expect(await planOf()).toEqual(before);
  });

  test.each(['2027-02-30', 'tomorrow'])('merchant plan --until %s is a usage error', async (until) => {
    const args = ['merchant', 'plan', '--merchant', 'Alder', '--tier', 'business', '--until', until];
    await expect(parseCommandLine(args)).rejects.toThrow('--until must be a day like 2027-01-31');
  });
});
