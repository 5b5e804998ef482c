import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../demo/wait.ts';
import { PROGRAM } from '../../../scripts/build/program.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { VERSION } from '../../../src/platform/version.ts';
import { unpackEmbeddedTemplate } from '../../support/database/embedded-template.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { createTestWallet } from '../../support/nodes/wallet.ts';
import { COMPONENTS } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { type CommandResult, runToEnd } from '../run-to-end.ts';
import { type CommandRun, PACKAGED, runCommand, servedUrl } from './command.ts';

const WALLET = createTestWallet('a shop on the command line');

/** Expected contents of the secrets file. */
const SECRETS = {
  merchants: [
    {
      name: 'Corner shop',
      merchant_id: expect.stringMatching(/^mer_/),
      email: 'owner@shop.example',
      password: expect.stringMatching(/^.{16,}$/),
      keys: {
        sk_live: expect.stringMatching(/^sk_live_/),
        sk_test: expect.stringMatching(/^sk_test_/),
        pk_live: expect.stringMatching(/^pk_live_/),
        pk_test: expect.stringMatching(/^pk_test_/),
      },
      webhooks: [
        {
          id: expect.stringMatching(/^whk_/),
          url: 'https://shop.example/webhooks',
          secret: expect.stringMatching(/^whsec_/),
        },
      ],
    },
  ],
};

/** The full level starts the command of the npm package. */
const MAIN = level.isFull ? PACKAGED : PROGRAM;

let folder: string;
let running: CommandRun[] = [];
/** The Postgres database of the test, if it requested one. */
let database: TestDatabase | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-cli-'));
});
afterEach(async () => {
  for (const command of running) await command.kill();
  running = [];
  await database?.drop();
  database = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** Runs `quittance` in an empty folder with only the given settings and a free port. */
function quittance(args: readonly string[], env: Readonly<Record<string, string>> = {}, program = MAIN): CommandRun {
  const command = runCommand(args, { cwd: folder, env: settings(env), program });
  running.push(command);
  return command;
}

/** Runs a command to completion, for tests that are not about its process. */
function result(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return runToEnd(args, { cwd: folder, env: settings(env) });
}

const settings = (more: Readonly<Record<string, string>>) => {
  return { PORT: '0', LTC_NETWORK: '', ...databaseUrl(), ...more };
};

const databaseUrl = () => (database === undefined ? {} : { DATABASE_URL: database.url ?? '' });

/** For tests that are not about creating a database, which would take most of their time. */
const withEmbeddedDatabase = () => unpackEmbeddedTemplate(join(folder, 'data'));

/** Embedded at the full level. The quick level prefers Postgres: a fifth of the CPU time. */
async function withDatabase(): Promise<void> {
  if (level.isFull || !COMPONENTS.postgres.isThere()) await withEmbeddedDatabase();
  else database = await createPostgresDatabase();
}

async function provisioningFile(change: (merchant: Record<string, unknown>) => void = () => {}): Promise<string> {
  const merchant: Record<string, unknown> = {
    name: 'Corner shop',
    email: 'owner@shop.example',
    plan: 'professional',
    wallets: [{ crypto: 'LTC', extended_public_key: WALLET.extendedPublicKey }],
    webhooks: [{ url: 'https://shop.example/webhooks', events: ['payment.completed'] }],
    settings: { window_minutes: 20 },
  };
  change(merchant);
  const path = join(folder, 'merchants.json');
  await writeFile(path, JSON.stringify({ merchants: [merchant] }));
  return path;
}

const REGTEST = { LTC_NETWORK: 'regtest', LTC_RPC_URL: 'http://user:password@127.0.0.1:1/' };

describe('information options', () => {
  test('--help lists the commands and every setting, and --version prints the version', async () => {
    const help = await quittance(['--help']).end();
    expect(help).toMatchObject({ code: 0, stderr: '' });
    const words = ['quittance provision FILE [--out SECRETS]', 'chain rescan', 'wallet preview', 'wallet advance'];
    const settings = ['PORT', 'DATABASE_URL', 'LTC_RPC_URL', 'DOGE_ZMQ_URL', 'ETH_TOKENS', 'RATES_FIXED', 'ROLES'];
    for (const word of [...words, ...settings]) expect(help.stdout).toContain(word);
    expect(await quittance(['--version'], {}, PACKAGED).end()).toEqual({
      code: 0,
      stdout: `quittance ${VERSION}\n`,
      stderr: '',
    });
  });

  test('an unknown option is rejected with a hint', async () => {
    const { code, stderr } = await quittance(['frobnicate']).end();
    expect(code).toBe(1);
    expect(stderr).toBe('there is no command "frobnicate"\nRun "quittance --help" for the commands.\n');
  });
});

describe('invalid settings', () => {
  test('are all reported together, without a stack, and nothing is started', async () => {
    const invalid = { PORT: 'eighty', ROLES: 'cook', LTC_NETWORK: 'regtest' };
    const { code, stdout, stderr } = await result([], invalid);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toEqual([
      '3 invalid settings:',
      expect.stringMatching(/^ {2}PORT: "eighty" must be a whole number/),
      expect.stringMatching(/^ {2}LTC_RPC_URL: is not set although LTC_NETWORK is/),
      expect.stringMatching(/^ {2}ROLES: "cook" must be a comma-separated list of api, worker, watcher/),
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ['the service', []],
    ['a command', ['key', 'list', '--merchant', 'Shop']],
  ])('live coins on a main network without Postgres: %s does not touch the embedded database', async (_, args) => {
    const live = { DATABASE_URL: '', DASH_NETWORK: 'mainnet', DASH_RPC_URL: 'http://127.0.0.1:1' };
    const { code, stdout, stderr } = await result(args, live);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^ {2}DATABASE_URL: is not set although DASH_NETWORK is mainnet\. .* a PostgreSQL server, or use/m,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('provisioning', () => {
  test('writes the secrets once, only readable by the operator, and changes nothing the second time', async () => {
    if (!level.isFull) await withDatabase();
    const file = await provisioningFile();
    const out = join(folder, 'secrets.json');
    const first = await result(['provision', file, '--out', out], REGTEST);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(out);
    const written = await readFile(out, 'utf8');
    expect(JSON.parse(written)).toEqual(SECRETS);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(first.stdout).not.toMatch(/sk_live_|whsec_/);
    expect(first.stdout).toMatch(
      /^Corner shop: LTC on litecoin-regtest \(p2wpkh\) is first received at .* compare them/m,
    );
    expect(first.stdout.match(/rltc1\S+/g)).toEqual([0, 1, 2].map(WALLET.addressAt));

    const second = await result(['provision', file, '--out', out], REGTEST);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('nothing new was created');
    expect(await readFile(out, 'utf8')).toBe(written);
  });

  test('an invalid file is rejected with every place and remedy, and nothing is written', async () => {
    const file = await provisioningFile((merchant) => {
      merchant.email = 'nobody';
      merchant.plan = 'gold';
      merchant.settings = { window_minutes: 5, colour: 'red' };
    });
    const { code, stderr } = await result(['provision', file, '--out', join(folder, 'secrets.json')], REGTEST);
    expect(code).toBe(1);
    for (const mistake of [
      '$.merchants[0].email: must be an email address',
      '$.merchants[0].plan: must be one of starter, business, professional, enterprise',
      '$.merchants[0].settings.window_minutes: must be a whole number from 10 to 1440',
      '$.merchants[0].settings.colour: is not a known field',
    ]) {
      expect(stderr).toContain(mistake);
    }
    expect(await readdir(folder)).toEqual(['merchants.json']);
  });

  test.each([
    ['provision', result, (file: string) => ['provision', file, '--out', 'secrets.json']],
    [
      'serve',
      (...command: Parameters<typeof quittance>) => quittance(...command).end(),
      (file: string) => ['--provision', file, '--out', 'secrets.json'],
    ],
  ])('%s rejects a private key without repeating it, and creates no merchant', async (_, run, args) => {
    await withDatabase();
    const wallets = [{ crypto: 'LTC', extended_public_key: WALLET.extendedPrivateKey }];
    const file = await provisioningFile((merchant) => {
      merchant.wallets = wallets;
    });
    const { code, stdout, stderr } = await run(args(file), REGTEST);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\$\.merchants\[0\]\.wallets\[0\]\.extended_public_key: .*private key/i);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(`${stdout}${stderr}`).not.toContain(WALLET.extendedPrivateKey.slice(0, 16));
    expect(await readdir(folder)).not.toContain('secrets.json');
    expect(await merchantNames()).toEqual([]);
  });

  test('secrets that cannot be delivered are not created', async () => {
    await withDatabase();
    const { code, stderr } = await result(['provision', await provisioningFile()], REGTEST);
    expect(code).toBe(1);
    expect(stderr).toContain('--out FILE');
    expect(await merchantNames()).toEqual([]);
  });

  test('wallet advance skips addresses of the given wallet only', async () => {
    await withDatabase();
    const file = await provisioningFile();
    await result(['provision', file, '--out', 'secrets.json'], REGTEST);
    const advance = (...more: string[]) => result(['wallet', 'advance', '--merchant', 'Corner shop', ...more], REGTEST);
    expect(await advance('--crypto', 'LTC', '--by', '25')).toEqual({
      code: 0,
      stdout: 'litecoin-regtest: addresses below index 25 are never issued again\n',
      stderr: '',
    });
    const again = await advance('--crypto', 'LTC', '--by', '5', '--json');
    expect(JSON.parse(again.stdout)).toEqual({ wallets: [{ network: 'litecoin-regtest', next_index: 30 }] });
    const missing = await advance('--crypto', 'BTC');
    expect(missing).toMatchObject({ code: 1, stderr: 'The merchant "Corner shop" has no wallet for BTC\n' });
  });

  /** Reads an embedded database while no process uses it. */
  async function merchantNames(): Promise<string[]> {
    const url = database?.url ?? null;
    const connection = await connect({ url, dataDir: url === null ? join(folder, 'data') : null, poolSize: 1 });
    try {
      const rows = await connection.db.selectFrom('merchant').select('name').execute();
      return rows.map((row) => row.name);
    } finally {
      await connection.close();
    }
  }
});

describe('serving', () => {
  test('on a bare machine prints a URL that answers, and stops cleanly on a signal', async () => {
    // At the full level it also creates its database; at the quick level
    // test/platform/db/connections.test.ts covers this.
    if (!level.isFull) await withEmbeddedDatabase();
    const command = quittance([]);
    const url = await printedUrl(command);
    const page = await fetch(`${url}/`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Make a test payment');
    const health = await fetch(`${url}/v1/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', service: 'quittance', version: VERSION });
    command.signal('SIGTERM');
    expect(await command.end()).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
  }, 120_000);

  // Five starts on an embedded database; at the quick level test/service/data-dir-lock.test.ts
  // covers this.
  if (level.isFull)
    test('locks its embedded database until the process ends, even by a kill', async () => {
      await withEmbeddedDatabase();
      const command = quittance([]);
      await printedUrl(command);
      const advance = ['wallet', 'advance', '--merchant', 'Demo shop', '--crypto', 'LTC'];
      for (const args of [[], advance]) {
        const { code, stderr } = await quittance(args).end();
        expect(code).toBe(1);
        expect(stderr).toMatch(/^Another process uses the database in .*data\. Stop it first, or .*DATA_DIR;.*\n$/);
      }
      command.signal('SIGKILL');
      await command.end();
      const { stderr } = await quittance(advance).end();
      expect(stderr).toBe('The merchant "Demo shop" has no wallet for LTC\n');
    });

  test('provisioned as in the README, its keys work immediately and after the next start', async () => {
    await withDatabase();
    const file = await provisioningFile();
    const args = ['--provision', file, '--out', join(folder, 'secrets.json')];
    for (const start of ['first', 'second']) {
      const command = quittance(args, REGTEST);
      const url = await servedUrl(command);
      const { merchants } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as typeof SECRETS;
      const response = await fetch(`${url}/v1/transactions/create`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${merchants[0]?.keys.sk_test as string}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
      });
      expect([start, response.status]).toEqual([start, 201]);
      command.signal('SIGTERM');
      expect(await command.end()).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('can also be stopped while it waits for its database', async () => {
    const command = quittance([], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    await waitFor(
      async () => command.output().includes('waiting for it (check DATABASE_URL)') || null,
      () => `it did not log that it waits: ${command.output()}`,
    );
    command.signal('SIGTERM');
    expect(await command.end()).toMatchObject({ code: 0, stderr: '' });
  });
});

// Helpers

/** Creating an embedded database takes many seconds on a busy machine. */
const BARE_START_MS = 90_000;

function printedUrl(command: CommandRun): Promise<string> {
  const find = async () =>
    /Open (http:\/\/[^/\s]+)\/\?show=\S+ to make a test payment/.exec(command.output())?.[1] ?? null;
  return waitFor(find, () => `no address was printed: ${command.output()}`, BARE_START_MS);
}
