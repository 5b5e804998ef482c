import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticator, upsertMerchant } from '../../src/merchants/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { runInProcess } from '../e2e/run-to-end.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';

interface Listed {
  readonly key_id: string;
  readonly kind: string;
  readonly mode: string;
  readonly name: string;
  readonly works: boolean;
  readonly ends_at: string | null;
  readonly allowed_cidrs: readonly string[];
  readonly one_open_payment_per_ip: boolean;
}

describePostgres('quittance key', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-keys-'));
    database = await createPostgresDatabase();
    await database.db.transaction().execute(async (trx) => {
      await upsertMerchant(trx, { name: 'A shop', email: 'a@shop.test', plan: 'professional', settings: {} });
      await upsertMerchant(trx, { name: 'B shop', email: 'b@shop.test', plan: 'starter', settings: {} });
    });
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function quittance(...args: readonly string[]) {
    return runWith({}, ...args);
  }
  function runWith(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const env = { DATABASE_URL: database.url ?? '', DATA_DIR: folder, ...settings };
    return runInProcess(['key', ...args], { cwd: folder, env });
  }
  async function asJson<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await quittance(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  }
  const list = async (merchant: string) => (await asJson<{ keys: Listed[] }>('list', '--merchant', merchant)).keys;
  const create = (merchant: string, ...more: readonly string[]) =>
    asJson<{ key_id: string; key: string }>('create', '--merchant', merchant, '--kind', 'sk_test', ...more);
  const works = async (key: string) =>
    (await createAuthenticator({ db: database.db, clock: systemClock }).authenticate(key)) !== null;

  test('manages a key from creation to revocation', async () => {
    const first = await create('A shop', '--name', 'Web shop', '--one-open-payment');
    expect(first.key).toMatch(/^sk_test_/);
    const key = ['--merchant', 'A shop', '--key', first.key_id];
    expect((await quittance('allow', ...key, '--from', '203.0.113.7,2001:db8::/48')).stdout).toBe(
      `${first.key_id} may be used only from 203.0.113.7/32, 2001:db8::/48\n`,
    );
    expect((await quittance('change', ...key, '--name', 'Till', '--one-open-payment', 'off')).code).toBe(0);
    expect(await list('A shop')).toMatchObject([
      {
        key_id: first.key_id,
        kind: 'secret',
        mode: 'test',
        name: 'Till',
        works: true,
        ends_at: null,
        allowed_cidrs: ['203.0.113.7/32', '2001:db8::/48'],
        one_open_payment_per_ip: false,
      },
    ]);
    expect((await quittance('allow', ...key, '--from', 'anywhere')).stdout).toContain('from anywhere');

    const second = await asJson<{ key_id: string; key: string }>('rotate', ...key, '--overlap', '24');
    expect([await works(first.key), await works(second.key)]).toEqual([true, true]);
    const { stdout } = await quittance('rotate', '--merchant', 'A shop', '--key', second.key_id);
    const [, third = ''] = /^New key key_\w+; key_\w+ no longer works\n(sk_test_\w+)\n/.exec(stdout) ?? [];
    expect([await works(second.key), await works(third)]).toEqual([false, true]);
    expect((await quittance('revoke', ...key)).stdout).toBe(`${first.key_id} no longer works\n`);
    expect(await works(first.key)).toBe(false);
    expect((await list('A shop')).map((each) => each.works)).toEqual([false, false, true]);
    const table = (await quittance('list', '--merchant', 'A shop')).stdout;
    expect(table).toMatch(/^KEY +KIND +MODE /);
    for (const secret of [first.key, second.key, third]) expect(table).not.toContain(secret.slice(8, -4));

    const { who } = await database.db.selectFrom('audit_entry').select('who').distinct().executeTakeFirstOrThrow();
    expect(who).toMatch(/^command line, ./);
  });

  test('restricts a key to addresses on any plan while plans are off', async () => {
    const { key_id: id } = await create('B shop');
    const command = ['allow', '--merchant', 'B shop', '--key', id, '--from', '203.0.113.7'] as const;
    expect((await quittance(...command)).stderr).toMatch(/upgrade to professional/);
    expect((await runWith({ PLANS: 'off' }, ...command)).stdout).toBe(`${id} may be used only from 203.0.113.7/32\n`);
  });

  test('writes a key to a new file that only the operator can read, and never overwrites one', async () => {
    const out = join(folder, 'key.json');
    const { code, stdout } = await quittance('create', '--merchant', 'B shop', '--kind', 'sk_live', '--out', out);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^New key key_\\w+\nWritten to ${out} \\(only you can read it\\)\\.\n$`));
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const { key } = JSON.parse(await readFile(out, 'utf8')) as { key: string };
    expect(await works(key)).toBe(true);

    const before = (await list('B shop')).map((each) => each.key_id);
    await writeFile(join(folder, 'taken.json'), 'mine');
    const rejected = await quittance(
      'create',
      '--merchant',
      'B shop',
      '--kind',
      'sk_live',
      '--out',
      join(folder, 'taken.json'),
    );
    expect([rejected.code, rejected.stdout]).toEqual([1, '']);
    expect(rejected.stderr).toMatch(/cannot be created .* pass another --out\n$/);
    expect(await readFile(join(folder, 'taken.json'), 'utf8')).toBe('mine');
    expect((await list('B shop')).map((each) => each.key_id)).toEqual(before);
  });

  test('reports an error in one line', async () => {
    const { key_id: id } = await create('B shop');
    const ofB = ['--merchant', 'B shop', '--key', id];
    const cases: [readonly string[], RegExp][] = [
      [['list', '--merchant', 'No shop'], /^There is no merchant "No shop"; .*\n$/],
      [['revoke', '--merchant', 'A shop', '--key', id], /^This merchant has no key key_\w+; list the keys .*\n$/],
      [['allow', ...ofB, '--from', '10.0.0.0/8'], /upgrade to professional or enterprise\n$/],
      [
        ['allow', '--merchant', 'B shop', '--key', id, '--from', '10.0.0.0/99'],
        /^"10\.0\.0\.0\/99" is not an IP address or CIDR block.*\n$/,
      ],
      [['rotate', ...ofB, '--overlap', '721'], /--overlap must be a whole number from 0 to 720\n/],
      [['change', ...ofB], /pass --name or --one-open-payment\n/],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await quittance(...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(message);
    }
  });
});
