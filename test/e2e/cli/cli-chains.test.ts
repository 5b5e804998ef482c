import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { type CommandResult, runToEnd } from '../run-to-end.ts';

interface Status {
  readonly networks: readonly (Readonly<Record<string, unknown>> & { readonly network: string })[];
  readonly stray_payments: number;
}

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-chains-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function quittance(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return runToEnd(args, { cwd: folder, env: { DATABASE_URL: database.url ?? '', ...env } });
}

describePostgres('the chain commands', () => {
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    await sql`truncate chain_cursor, chain_lease, unassigned_payment`.execute(database.db);
  });

  test('chain status: every network with its state, height, holder and problems, also one never started', async () => {
    await sql`
      insert into chain_cursor (network, epoch, height, block_hash, tip_height, synced_until, reported_at, warnings)
      values ('litecoin-mainnet', 3, 2900000, 'aa', 2900002, now(), now(), '["The node is pruned."]')`.execute(
      database.db,
    );
    await sql`
      insert into chain_cursor (network, epoch, height, block_hash, tip_height, synced_until, reported_at, last_error,
        last_error_at)
      values ('dash-mainnet', 1, 100, 'bb', 100, now() - interval '2 hours', now(), 'the node does not answer',
        '2026-01-02T03:04:05Z')`.execute(database.db);
    await sql`
      insert into chain_lease (network, holder, expires_at)
      values ('litecoin-mainnet', 'shop-1', now() + interval '1 hour')`.execute(database.db);
    const connected = {
      DOGE_NETWORK: 'mainnet',
      DOGE_RPC_URL: 'http://127.0.0.1:1',
      TEST_MODE: 'onchain',
      TEST_DOGE_NETWORK: 'testnet',
      TEST_DOGE_RPC_URL: 'http://127.0.0.1:2',
    };

    const json = await quittance(['chain', 'status', '--json'], connected);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    const { networks, stray_payments } = JSON.parse(json.stdout) as Status;
    expect(stray_payments).toBe(0);
    expect(networks).toMatchObject([
      { network: 'dash-mainnet', mode: null, state: 'blind', holder: null, last_error: 'the node does not answer' },
      { network: 'dogecoin-mainnet', mode: 'live', state: 'never_started', cursor_height: null, looked_until: null },
      { network: 'dogecoin-testnet', mode: 'test', state: 'never_started' },
      { network: 'litecoin-mainnet', state: 'watching', cursor_height: 2900000, tip_height: 2900002, blocks_behind: 2 },
    ]);

    const { stdout } = await quittance(['chain', 'status'], connected);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^NETWORK +KEYS +STATE +CURSOR +TIP +BEHIND +SYNCED UNTIL +AGE +WATCHED BY$/),
      expect.stringMatching(/^dash-mainnet +- +blind +100 +100 +0 +\d{4}-\S+Z +2 h +none$/),
      expect.stringMatching(/^dogecoin-mainnet +live +never started +- +- +- +- +- +none$/),
      expect.stringMatching(/^dogecoin-testnet +test +never started +- +- +- +- +- +none$/),
      expect.stringMatching(/^litecoin-mainnet +- +watching +2900000 +2900002 +2 +\d{4}-\S+Z +\d+ s +shop-1$/),
      'dash-mainnet: error since 2026-01-02T03:04:05Z: the node does not answer',
      'litecoin-mainnet: warning: The node is pruned.',
      'unassigned deposits: 0',
      '',
    ]);
  });

  test('chain status: no network connected, with the remedy', async () => {
    expect((await quittance(['chain', 'status'])).stdout).toBe(
      'No network is configured: set LTC_NETWORK and LTC_RPC_URL, for example.\nunassigned deposits: 0\n',
    );
  });

  test('chain strays: newest first, of one network on request, with every wei', async () => {
    expect((await quittance(['chain', 'strays'])).stdout).toBe('There are no unassigned deposits.\n');
    await sql`
      insert into unassigned_payment (network, output_id, asset, address, transaction_id, reason, txid, amount_base_units, status,
        height, chain_order, first_seen_at)
      values
        ('litecoin-mainnet', 'f00d:1', 'LTC', 'ltc1qx', null, 'unassigned_address', 'f00d', 150000000, 'block', 2900001, 1,
          '2026-03-01T10:00:00Z'),
        ('ethereum-mainnet', '0xbeef:3', 'DAI', '0xAbc', 'txn_1', 'other_asset', null, 123456789012345678901, 'mempool', null, 2,
          '2026-03-02T10:00:00Z')`.execute(database.db);

    const all = JSON.parse((await quittance(['chain', 'strays', '--json'])).stdout) as { stray_payments: unknown[] };
    expect(all.stray_payments).toEqual([
      {
        network: 'ethereum-mainnet',
        asset: 'DAI',
        amount_base_units: '123456789012345678901',
        amount: '123.456789012345678901',
        address: '0xAbc',
        reason: 'other_asset',
        transaction_id: 'txn_1',
        output_id: '0xbeef:3',
        txid: null,
        status: 'mempool',
        height: null,
        first_seen_at: '2026-03-02T10:00:00Z',
      },
      expect.objectContaining({ network: 'litecoin-mainnet', amount_base_units: '150000000', amount: '1.5' }),
    ]);

    const { stdout } = await quittance(['chain', 'strays', '--network', 'litecoin-mainnet']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^FIRST SEEN +NETWORK +AMOUNT +STATUS +REASON +TRANSACTION +ADDRESS +OUTPUT$/),
      expect.stringMatching(
        /^2026-03-01T10:00:00Z +litecoin-mainnet +1\.5 LTC +block 2900001 +unassigned address +- +ltc1qx +f00d:1$/,
      ),
      '',
    ]);
    expect((await quittance(['chain', 'status'])).stdout).toContain(
      'unassigned deposits: 2 (list them with "quittance chain strays")',
    );
  });

  test('an unreachable database is named in one line', async () => {
    for (const command of ['status', 'strays']) {
      const { code, stdout, stderr } = await quittance(['chain', command], {
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^The database cannot be reached \(.*\): check DATABASE_URL, .*\n$/);
    }
  });
});
