import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../demo/wait.ts';
import { parseCoins } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { type DeployedToken, deployToken } from '../../support/contracts/deploy.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts';
import { createTestAccountKey } from '../../support/nodes/wallet.ts';
import { describeWith } from '../../support/run/components.ts';
import { type CommandResult, runToEnd } from '../run-to-end.ts';
import { type ShopProcess, startShop, writeShopFile } from '../shop-process.ts';

const NETWORK = 'ethereum-regtest';
/** Confirmations required for 25 USD of a stablecoin. */
const CONFIRMATIONS = 12;
const NOWHERE = `0x${'9'.repeat(40)}`;

// At the quick level test/e2e/chains/every-coin.test.ts covers ETH and tokens,
// test/cli/verified-tokens.test.ts contracts that are not what the settings say, and
// test/cli/rescan-in-parts.test.ts `chain rescan`.
const describeEthereum = describeWith('postgres', 'anvil');

describeEthereum('a service connected to an Ethereum node', () => {
  let anvil: Anvil;
  let usdc: DeployedToken;
  let wrongDai: DeployedToken;
  let database: TestDatabase | undefined;
  let folder = '';
  let shop: ShopProcess;

  beforeAll(async () => {
    anvil = await startAnvil();
    usdc = await deployToken(anvil, { decimals: 6 });
    wrongDai = await deployToken(anvil, { decimals: 6 });
    database = await createPostgresDatabase();
    folder = await mkdtemp(join(tmpdir(), 'quittance-ethereum-'));
    const wallets = ['ETH', 'USDC', 'DAI', 'LINK', 'UNI'].map((crypto) => {
      return { crypto, extended_public_key: createTestAccountKey(folder) };
    });
    await writeShopFile(folder, { wallets });
    await writeFile(
      join(folder, 'tokens.json'),
      JSON.stringify({ USDC: usdc.address, DAI: wrongDai.address, LINK: NOWHERE }),
    );
  });
  afterAll(async () => {
    await shop?.command.kill();
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
    shop = await startShop(folder, settings());
  }

  async function rejectionOf(crypto: string): Promise<unknown> {
    const { status, body } = await shop.live.call('POST', '/transactions/create', { crypto, amount: 25 });
    return status === 400 ? body : null;
  }

  const due = (transaction: TransactionView, decimals: number) =>
    parseCoins(String(transaction.amount_crypto), decimals);

  test('accepts the coin and a token of ETH_TOKENS through the second URL while the first does not answer', {
    timeout: 120_000,
  }, async () => {
    await start();
    const inToken = await shop.live.create('USDC');
    const inCoin = await shop.live.create('ETH');
    await usdc.transfer(inToken.deposit_address, due(inToken, 6));
    await anvil.send({ to: inCoin.deposit_address, valueWei: due(inCoin, 18) });
    await shop.live.comesTo(inToken.transaction_id, 'awaiting_confirmation');
    await anvil.mine(CONFIRMATIONS);
    await shop.live.comesTo(inToken.transaction_id, 'completed');
    await shop.live.comesTo(inCoin.transaction_id, 'completed');
  });

  test('reports the error in the contracts of other tokens, and continues without them', async () => {
    const { stdout } = await quittance(['chain', 'status', '--json']);
    const { networks } = JSON.parse(stdout) as { networks: { state: string; warnings: string[] }[] };
    expect(networks).toMatchObject([{ network: NETWORK, state: 'watching', last_error: null }]);
    expect(networks[0]?.warnings).toEqual([
      expect.stringMatching(`${wrongDai.address}, configured as DAI, has 6 decimals \\(expected: 18\\)\\..*ETH_TOKENS`),
      expect.stringMatching(`No contract found at ${NOWHERE}, configured as LINK\\..*ETH_TOKENS`),
    ]);
    expect(shop.command.output()).toMatch(/"symbol":"DAI".*a token is not watched: correct ETH_TOKENS and restart/);
  });

  test('rejects a payment in a token without a contract, with the remedy', async () => {
    expect(await rejectionOf('UNI')).toMatchObject({
      error: 'WALLET_NOT_CONFIGURED',
      message: expect.stringMatching(/no contract of UNI on ethereum-regtest .*ETH_TOKENS/),
    });
  });

  test.each(['DAI', 'LINK'])('rejects a payment in %s, whose contract does not match the settings', async (crypto) => {
    const rejected = await waitFor(
      () => rejectionOf(crypto),
      () => `${crypto} was never refused`,
    );
    expect(rejected).toMatchObject({
      error: 'WALLET_NOT_CONFIGURED',
      message: expect.stringContaining(`its contract on ${NETWORK} differs from the operator’s setting`),
    });
  });

  test('finds a payment missed by its watcher with chain rescan', { timeout: 120_000 }, async () => {
    const created = await shop.live.create('USDC');
    await shop.stop();
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
    await shop.live.comesTo(created.transaction_id, 'completed');
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
