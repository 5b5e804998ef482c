import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { parseCoins } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { connect } from '../../src/platform/db/index.ts';
import { type DeployedToken, deployToken } from '../support/contracts/deploy.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { type Anvil, startAnvil } from '../support/nodes/anvil.ts';
import { describeWith } from '../support/run/components.ts';
import { type CommandRun, runCommand, servedUrl } from './command.ts';
import { type CommandResult, runToEnd } from './run-to-end.ts';

const NETWORK = 'ethereum-regtest';
/** Confirmations required for 25 USD of a stablecoin. */
const CONFIRMATIONS = 12;
const NOWHERE = `0x${'9'.repeat(40)}`;

// At the quick level test/e2e/every-coin.test.ts covers ETH and tokens,
// test/cli/verified-tokens.test.ts contracts that are not what the settings say, and
// test/cli/rescan-in-parts.test.ts `chain rescan`.
const describeEthereum = describeWith('postgres', 'anvil');

describeEthereum('a service connected to an Ethereum node', () => {
  let anvil: Anvil;
  let usdc: DeployedToken;
  let wrongDai: DeployedToken;
  let database: TestDatabase | undefined;
  let folder = '';
  let service: CommandRun | undefined;
  let url = '';
  let key = '';

  beforeAll(async () => {
    anvil = await startAnvil();
    usdc = await deployToken(anvil, { decimals: 6 });
    wrongDai = await deployToken(anvil, { decimals: 6 });
    database = await createPostgresDatabase();
    folder = await mkdtemp(join(tmpdir(), 'quittance-ethereum-'));
    const wallets = ['ETH', 'USDC', 'DAI', 'LINK', 'UNI'].map((crypto) => {
      return { crypto, extended_public_key: accountKey(folder) };
    });
    const merchants = [{ name: 'Corner shop', email: 'owner@shop.example', plan: 'enterprise', wallets }];
    await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants }));
    await writeFile(
      join(folder, 'tokens.json'),
      JSON.stringify({ USDC: usdc.address, DAI: wrongDai.address, LINK: NOWHERE }),
    );
  });
  afterAll(async () => {
    await service?.kill();
    await database?.drop();
    await anvil?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function settings(): Readonly<Record<string, string>> {
    return {
      PORT: '0',
      DATABASE_URL: database?.url ?? '',
      ETH_NETWORK: 'regtest',
      ETH_RPC_URL: 'http://127.0.0.1:1',
      ETH_RPC_URL_2: anvil.url,
      ETH_TOKENS: 'tokens.json',
      RATES_FIXED: '{"ETH":"2500","USDC":"1","DAI":"1","LINK":"10","UNI":"5"}',
    };
  }

  function quittance(args: readonly string[]): Promise<CommandResult> {
    return runToEnd(args, { cwd: folder, env: settings() });
  }

  async function start(): Promise<void> {
    const args = ['--provision', 'merchants.json', '--out', 'secrets.json'];
    service = runCommand(args, { cwd: folder, env: settings() });
    url = await servedUrl(service);
    const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as {
      merchants: { keys: { sk_live: string } }[];
    };
    key = secrets.merchants[0]?.keys.sk_live ?? '';
  }

  async function ask(path: string, body?: unknown): Promise<{ status: number; data: TransactionView; text: string }> {
    const response = await fetch(`${url}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, data: (JSON.parse(text) as { data: TransactionView }).data, text };
  }

  async function create(crypto: string): Promise<TransactionView> {
    const { status, data, text } = await ask('/transactions/create', { crypto, amount: 25 });
    expect([status, text]).toEqual([201, expect.any(String)]);
    return data;
  }

  async function comesTo(id: string, status: string): Promise<void> {
    let last = '';
    const poll = async () => {
      last = (await ask(`/transactions/${id}`)).data.status;
      return last === status || null;
    };
    await waitFor(poll, () => `never came to ${status}; it is ${last}: ${service?.output()}`);
  }

  const due = (transaction: TransactionView, decimals: number) =>
    parseCoins(String(transaction.amount_crypto), decimals);

  test('accepts the coin and a token of ETH_TOKENS through the second URL while the first does not answer', {
    timeout: 120_000,
  }, async () => {
    await start();
    const inToken = await create('USDC');
    const inCoin = await create('ETH');
    await usdc.transfer(inToken.deposit_address, due(inToken, 6));
    await anvil.send({ to: inCoin.deposit_address, valueWei: due(inCoin, 18) });
    await comesTo(inToken.transaction_id, 'awaiting_confirmation');
    await anvil.mine(CONFIRMATIONS);
    await comesTo(inToken.transaction_id, 'completed');
    await comesTo(inCoin.transaction_id, 'completed');
  });

  test('reports the error in the contracts of other tokens, and continues without them', async () => {
    const { stdout } = await quittance(['chain', 'status', '--json']);
    const { networks } = JSON.parse(stdout) as { networks: { state: string; warnings: string[] }[] };
    expect(networks).toMatchObject([{ network: NETWORK, state: 'watching', last_error: null }]);
    expect(networks[0]?.warnings).toEqual([
      expect.stringMatching(`${wrongDai.address}, configured as DAI, has 6 decimals \\(expected: 18\\)\\..*ETH_TOKENS`),
      expect.stringMatching(`No contract found at ${NOWHERE}, configured as LINK\\..*ETH_TOKENS`),
    ]);
    expect(service?.output()).toMatch(/"symbol":"DAI".*a token is not watched: correct ETH_TOKENS and restart/);
  });

  test('rejects a payment in a token without a contract, with the remedy', async () => {
    const { status, text } = await ask('/transactions/create', { crypto: 'UNI', amount: 25 });
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      {
        error: 'WALLET_NOT_CONFIGURED',
        message: expect.stringMatching(/no contract of UNI on ethereum-regtest .*ETH_TOKENS/),
      },
    ]);
  });

  test.each(['DAI', 'LINK'])('rejects a payment in %s, whose contract does not match the settings', async (crypto) => {
    const rejected = await waitFor(
      async () => {
        const { status, text } = await ask('/transactions/create', { crypto, amount: 25 });
        return status === 400 ? text : null;
      },
      () => `${crypto} was never refused`,
    );
    expect(JSON.parse(rejected)).toMatchObject({
      error: 'WALLET_NOT_CONFIGURED',
      message: expect.stringContaining(`its contract on ${NETWORK} differs from the operator’s setting`),
    });
  });

  test('finds a payment missed by its watcher with chain rescan', { timeout: 120_000 }, async () => {
    const created = await create('USDC');
    service?.signal('SIGTERM');
    expect(await service?.end()).toMatchObject({ code: 0 });
    await usdc.transfer(created.deposit_address, due(created, 6));
    const from = await anvil.height();
    await anvil.mine(CONFIRMATIONS);
    await skipToTip();
    await start();
    const { code, stdout, stderr } = await quittance(['chain', 'rescan', '--network', NETWORK, '--from', String(from)]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/: 1 found\n$/)]);
    expect(stdout).toBe(
      `${NETWORK}: rescanned blocks ${from} to ${from + CONFIRMATIONS}; ` + 'outputs to addresses of this service: 1\n',
    );
    await comesTo(created.transaction_id, 'completed');
  });

  /** Moves the watcher's cursor to the tip. */
  async function skipToTip(): Promise<void> {
    const connection = await connect({ url: database?.url ?? null, dataDir: null, poolSize: 1 });
    const height = await anvil.height();
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [`0x${height.toString(16)}`, false]);
    await connection.db.deleteFrom('chain_block').where('network', '=', NETWORK).execute();
    await connection.db
      .updateTable('chain_cursor')
      .set({ height, block_hash: hash })
      .where('network', '=', NETWORK)
      .execute();
    await connection.close();
  }
});

// Helpers

/** The account's public key in the format that wallets export for test networks. */
function accountKey(name: string): string {
  const versions = { public: 0x043587cf, private: 0x04358394 };
  const seed = sha512(new TextEncoder().encode(name));
  return HDKey.fromMasterSeed(seed, versions).derive("m/44'/1'/0'").publicExtendedKey;
}
