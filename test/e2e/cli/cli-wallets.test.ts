import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { createTestWallet } from '../../support/nodes/wallet.ts';
import { runInProcess } from '../run-to-end.ts';

interface Vector {
  readonly coin: string;
  readonly network: string;
  readonly scriptType: string;
  readonly prefix: string | null;
  readonly key: string | null;
  readonly addresses: readonly { readonly change: number; readonly index: number; readonly address: string }[];
}

interface Preview {
  readonly crypto: string;
  readonly network: string;
  readonly key_form: string;
  readonly address_type: string;
  readonly warnings: readonly { readonly code: string }[];
  readonly addresses: readonly { readonly index: number; readonly derivation_path: string; readonly address: string }[];
  readonly alternatives: readonly { readonly address_type: string; readonly address: string }[];
}

const { vectors } = JSON.parse(readFileSync(new URL('../../vectors/hd-derivation.json', import.meta.url), 'utf8')) as {
  vectors: Vector[];
};
const WALLET = createTestWallet('a shop that looks before it takes money');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-wallets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function quittance(args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) {
  return runInProcess(args, { cwd: folder, input, env });
}

describe('wallet preview', () => {
  test('of a published key shows the published addresses, and stores nothing', async () => {
    const { key, addresses } = vectorOf('LTC', 'zpub');
    const { code, stdout, stderr } = await quittance(['wallet', 'preview', '--crypto', 'LTC', '--key', key, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const preview = JSON.parse(stdout) as Preview;
    expect(preview).toMatchObject({ crypto: 'LTC', key_form: 'zpub', address_type: 'p2wpkh' });
    expect(preview.addresses).toHaveLength(5);
    expect(preview.addresses.slice(0, addresses.length).map(({ address }) => address)).toEqual(addresses);
    expect(preview.addresses.map(({ derivation_path }) => derivation_path)).toEqual(
      [0, 1, 2, 3, 4].map((index) => `0/${index}`),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('reads the key from standard input, so that it is in no shell history', async () => {
    const args = ['wallet', 'preview', '--crypto', 'LTC', '--network', 'regtest', '--count', '2', '--json', '--key'];
    const given = await quittance([...args, WALLET.extendedPublicKey]);
    const piped = await quittance([...args, '-'], `${WALLET.extendedPublicKey}\n`);
    expect(piped).toEqual(given);
    const { addresses } = JSON.parse(piped.stdout) as Preview;
    expect(addresses.map(({ address }) => address)).toEqual([WALLET.addressAt(0), WALLET.addressAt(1)]);
  });

  test('states the assumption, and what the wallet would show otherwise', async () => {
    const { key, addresses } = vectorOf('BTC', 'xpub');
    const { code, stdout } = await quittance(['wallet', 'preview', '--crypto', 'BTC', '--key', key]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^BTC on bitcoin-mainnet: xpub, addresses of type p2pkh\. Compare them/);
    expect(stdout).toContain(`0/0   ${addresses[0]}\n`);
    expect(stdout).toMatch(/^Please check: A xpub does not say which addresses/m);
    expect(stdout).toMatch(/^--type p2wpkh +bc1q/m);
    expect(stdout).toMatch(/^--type p2sh-p2wpkh +3/m);
  });

  test('rejects a private key with a warning, without repeating it, and says where else it may be stored', async () => {
    const secret = WALLET.extendedPrivateKey;
    const args = ['wallet', 'preview', '--crypto', 'LTC', '--network', 'regtest', '--key'];
    const given = await quittance([...args, secret]);
    expect(given).toMatchObject({ code: 1, stdout: '' });
    expect(given.stderr).toMatch(/can spend your money .* your shell history\.\n$/);
    expect(given.stderr).not.toContain(secret.slice(0, 20));
    const piped = await quittance([...args, '-'], secret);
    expect(piped).toMatchObject({ code: 1, stdout: '' });
    expect(piped.stderr).toContain('can spend your money');
    expect(piped.stderr).not.toMatch(new RegExp(`shell|${secret.slice(0, 20)}`));
  });

  test('rejects a key of another coin in one line', async () => {
    const { key } = vectorOf('DOGE', 'dgub');
    const { code, stderr } = await quittance(['wallet', 'preview', '--crypto', 'LTC', '--key', key]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A dgub is a key of Dogecoin, not of Litecoin\. .*\n$/);
  });
});

describePostgres('wallet status', () => {
  test('lists every wallet of every merchant, or of one', async () => {
    const database = await createPostgresDatabase();
    const env = { DATABASE_URL: database.url ?? '', LTC_NETWORK: 'regtest', LTC_RPC_URL: 'http://127.0.0.1:1/' };
    const statusOf = async (...args: string[]) => (await quittance(['wallet', 'status', ...args], '', env)).stdout;
    try {
      expect(await statusOf()).toBe('No merchant has a wallet.\n');
      const merchants = ['Alder', 'Birch'].map((name) => ({
        name,
        email: `${name.toLowerCase()}@shop.example`,
        wallets: [{ crypto: 'LTC', extended_public_key: createTestWallet(name).extendedPublicKey }],
      }));
      await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants }));
      expect((await quittance(['provision', 'merchants.json', '--out', 's.json'], '', env)).code).toBe(0);

      const [alder, birch] = ['Alder', 'Birch'].map((name) => ({
        merchant: name,
        network: 'litecoin-regtest',
        cryptos: ['LTC'],
        handed_out: 0,
        highest_index: null,
        last_paid_index: null,
        unused_run: 0,
        warning: null,
      }));
      expect(JSON.parse(await statusOf('--json'))).toEqual({ wallets: [alder, birch] });
      expect(JSON.parse(await statusOf('--json', '--merchant', 'Birch'))).toEqual({ wallets: [birch] });
      expect(await statusOf('--merchant', 'Birch')).toMatch(
        /^MERCHANT .*\nBirch +litecoin-regtest +LTC +0 +- +- +0\n$/,
      );
      expect(await statusOf('--merchant', 'Cedar')).toBe('There is no merchant "Cedar" with a wallet.\n');
    } finally {
      await database.drop();
    }
  });
});

// Helpers

/** A published mainnet key with its receive addresses from index 0. */
function vectorOf(coin: string, prefix: string): { key: string; addresses: string[] } {
  for (const vector of vectors) {
    if (vector.coin !== coin || vector.network !== 'mainnet' || vector.prefix !== prefix || vector.key === null)
      continue;
    const received = vector.addresses.filter(({ change }) => change === 0);
    if (received.some(({ index }, position) => index !== position)) continue;
    return { key: vector.key, addresses: received.slice(0, 5).map(({ address }) => address) };
  }
  throw new Error(`test/vectors/hd-derivation.json has no ${prefix} of ${coin}`);
}
