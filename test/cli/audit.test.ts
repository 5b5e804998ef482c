import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadCommands } from '../../src/cli/command-table.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { POLLING } from '../support/polling.ts';
import { runHere } from './run-here.ts';

const SHOP = 'A shop';
const OF_SHOP = ['--merchant', SHOP];

/**
 * Commands that only read, run the service, which writes its own entries, or record their own work,
 * as schema changes do.
 */
const CHANGES_NOTHING = [
  'serve',
  'migrate',
  'doctor',
  'actor versions',
  'chain status',
  'chain strays',
  'chain decode-block',
  'wallet preview',
  'wallet status',
  'plan list',
  'key list',
  'link list',
  'webhook list',
  'webhook deliveries',
  'mail list',
  'mail show',
  'user list',
];

/** Ids created by earlier commands, for later ones. */
interface Made {
  key: string;
  endpoint: string;
  delivery: string;
  replay: string;
}

interface AuditedCommand {
  readonly command: string;
  readonly what: string;
  readonly args: (made: Made, folder: string) => readonly string[];
  /** It fails here, and is audited all the same. */
  readonly fails?: true;
}

/** Every command that changes something, in an order that works. */
const AUDITED_COMMANDS: readonly AuditedCommand[] = [
  {
    command: 'provision',
    what: 'merchant.provisioned',
    args: (_, folder) => [join(folder, 'more.json'), '--out', join(folder, 'secrets.json')],
  },
  { command: 'provision', what: 'wallet.attached', args: (_, folder) => [join(folder, 'wallets.json')] },
  { command: 'wallet advance', what: 'wallet.addresses_skipped', args: () => [...OF_SHOP, '--crypto', 'LTC'] },
  { command: 'key create', what: 'api_key.created', args: () => [...OF_SHOP, '--kind', 'sk_test', '--json'] },
  { command: 'key rotate', what: 'api_key.rotated', args: ({ key }) => [...OF_SHOP, '--key', key, '--json'] },
  { command: 'key change', what: 'api_key.changed', args: ({ key }) => [...OF_SHOP, '--key', key, '--name', 'till'] },
  {
    command: 'key allow',
    what: 'api_key.allowed_addresses_changed',
    args: ({ key }) => [...OF_SHOP, '--key', key, '--from', '10.0.0.0/8'],
  },
  { command: 'key revoke', what: 'api_key.revoked', args: ({ key }) => [...OF_SHOP, '--key', key] },
  {
    command: 'link create',
    what: 'payment_link.created',
    args: () => [
      ...OF_SHOP,
      '--mode',
      'test',
      '--title',
      'A mug',
      '--slug',
      'mug',
      '--amount',
      '5',
      '--cryptos',
      'LTC',
    ],
  },
  {
    command: 'link close',
    what: 'payment_link.closed',
    args: () => [...OF_SHOP, '--mode', 'test', '--slug', 'mug'],
  },
  {
    command: 'webhook create',
    what: 'webhook_endpoint.created',
    args: () => [...OF_SHOP, '--url', 'https://hooks.example.com/1', '--json'],
  },
  {
    command: 'webhook change',
    what: 'webhook_endpoint.changed',
    args: ({ endpoint }) => [...OF_SHOP, '--endpoint', endpoint, '--description', 'books'],
  },
  { command: 'webhook regenerate-secret', what: 'webhook_endpoint.secret_regenerated', args: ofEndpoint },
  { command: 'webhook rotate-secret', what: 'webhook_endpoint.secret_rotated', args: ofEndpoint },
  { command: 'webhook disable', what: 'webhook_endpoint.disabled', args: ofEndpoint },
  { command: 'webhook enable', what: 'webhook_endpoint.enabled', args: ofEndpoint },
  {
    command: 'webhook test',
    what: 'webhook_endpoint.test_sent',
    args: (made) => [...ofEndpoint(made), '--event', 'payment.completed', '--json'],
  },
  {
    command: 'webhook replay',
    what: 'webhook_endpoint.replay_started',
    args: (made) => [...ofEndpoint(made), '--since', new Date(Date.now() - 60_000).toISOString(), '--json'],
  },
  {
    command: 'webhook replay',
    what: 'webhook_endpoint.replay_cancelled',
    args: ({ replay }) => [...OF_SHOP, '--replay', replay, '--cancel'],
  },
  {
    command: 'webhook redeliver',
    what: 'webhook_endpoint.redelivery_requested',
    args: ({ delivery }) => [...OF_SHOP, '--delivery', delivery],
  },
  { command: 'webhook delete', what: 'webhook_endpoint.deleted', args: ofEndpoint },
  { command: 'merchant plan', what: 'merchant.plan_assigned', args: () => [...OF_SHOP, '--tier', 'business'] },
  { command: 'merchant approve', what: 'merchant.approved', args: () => OF_SHOP },
  { command: 'plan set', what: 'plan.changed', args: () => ['--tier', 'starter', '--webhooks', '4'] },
  {
    command: 'user create',
    what: 'user.created',
    args: () => ['--email', 'ann@shop.example', '--role', 'owner', ...OF_SHOP],
  },
  { command: 'user reset-password', what: 'user.password_reset', args: () => ['--email', 'ann@shop.example'] },
  { command: 'user reset-totp', what: 'user.totp_disabled', args: () => ['--email', 'ann@shop.example'] },
  { command: 'user disable', what: 'user.disabled', args: () => ['--email', 'ann@shop.example'] },
  { command: 'restore finish', what: 'restore.finished', args: () => ['--advance', '10'] },
  {
    command: 'actor migrate',
    what: 'actors.migrated',
    args: () => ['--kind', 'transaction', '--from', '0', '--to', '99', '--yes'],
    fails: true,
  },
  { command: 'image remove', what: 'image.removed', args: () => ['0'.repeat(64)], fails: true },
  { command: 'secrets reseal', what: 'secrets.resealed', args: () => [] },
  {
    command: 'chain rescan',
    what: 'network.rescanned',
    args: () => ['--network', 'litecoin-regtest', '--from', '1'],
    fails: true,
  },
];

describePostgres('every command that changes something', () => {
  let database: TestDatabase;
  let folder: string;
  const made: Made = { key: '', endpoint: '', delivery: '', replay: '' };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-actions-'));
    database = await createPostgresDatabase();
    vi.stubEnv('DATABASE_URL', database.url ?? '');
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('LTC_NETWORK', 'regtest');
    vi.stubEnv('LTC_RPC_URL', 'http://user:password@127.0.0.1:1');
    await writeFile(join(folder, 'more.json'), JSON.stringify({ merchants: [MERCHANT] }));
    const wallets = [{ crypto: 'LTC', extended_public_key: REGTEST_KEY }];
    await writeFile(join(folder, 'wallets.json'), JSON.stringify({ merchants: [{ ...MERCHANT, wallets }] }));
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function entriesOf(what: string): Promise<readonly { readonly who: string }[]> {
    const { rows } = await sql<{ who: string }>`
      select who from audit_entry where what = ${what}
      union all select who from operator_action where what = ${what}`.execute(database.db);
    return rows;
  }

  test('has a row in the table', async () => {
    const names = (await loadCommands()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      [...new Set([...AUDITED_COMMANDS.map(({ command }) => command), ...CHANGES_NOTHING])].sort(),
    );
  });

  test.each(AUDITED_COMMANDS.map((action) => [`${action.command}: ${action.what}`, action] as const))(
    '%s',
    async (_, { command, what, args, fails }) => {
      if (command === 'user reset-totp') await giveTotp(database);
      if (command === 'merchant approve') await awaitApproval(database);
      if (command === 'webhook redeliver') await giveUp(database, made.delivery);
      const before = (await entriesOf(what)).length;
      const running = runHere(command, args(made, folder));
      if (fails === true) await expect(running).rejects.toThrow();
      else Object.assign(made, idsOf(await running));
      const after = await entriesOf(what);
      expect(after.length).toBeGreaterThan(before);
      expect(after.at(-1)?.who).toMatch(/^(command line, .+|provisioning)$/);
    },
    POLLING.timeout,
  );
});

// Helpers

async function awaitApproval({ db }: TestDatabase): Promise<void> {
  await db.updateTable('merchant').set({ approval_pending_since: new Date() }).where('name', '=', SHOP).execute();
}

const MERCHANT = { name: SHOP, email: 'a@shop.example', plan: 'professional' };
const REGTEST_KEY = createTestWallet('actions').extendedPublicKey;

function ofEndpoint({ endpoint }: Made): readonly string[] {
  return [...OF_SHOP, '--endpoint', endpoint];
}

/** Ids in a command's output, by their prefixes. */
function idsOf(printed: string): Partial<Made> {
  const find = (kind: keyof Made, beginning: string) => {
    const id = new RegExp(`: "(${beginning}_\\w+)"`).exec(printed)?.[1];
    return id === undefined ? {} : { [kind]: id };
  };
  return {
    ...find('key', 'key'),
    ...find('endpoint', 'whk'),
    ...find('delivery', 'dlv'),
    ...find('replay', 'rpl'),
  };
}

async function giveTotp({ db }: TestDatabase): Promise<void> {
  await db
    .updateTable('merchant_user')
    .set({ sealed_totp_secret: 'as if sealed', totp_confirmed_at: new Date() })
    .where('email', '=', 'ann@shop.example')
    .execute();
}

/** Ends the delivery: without a worker, every delivery stays about to be sent. */
async function giveUp({ db }: TestDatabase, delivery: string): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'failed', ended_at: new Date() })
    .where('id', '=', delivery)
    .execute();
}
