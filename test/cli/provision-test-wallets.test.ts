import { expect, test } from 'vitest';
import { findMerchant } from '../../src/merchants/index.ts';
import { type Environment, loadConfig } from '../../src/platform/config/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { paymentNetworksOf } from '../../src/service/payment-networks-of.ts';
import { applyProvisioning } from '../../src/service/provisioning/apply.ts';
import { parseProvisioningFile } from '../../src/service/provisioning/file.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { PUBLIC_ONLY, TEST_KEY } from '../webhooks/harness.ts';

const ONCHAIN = { TEST_MODE: 'onchain', TEST_LTC_NETWORK: 'regtest', TEST_LTC_RPC_URL: 'http://127.0.0.1:1' };
const LIVE = { LTC_NETWORK: 'testnet', LTC_RPC_URL: 'http://127.0.0.1:2' };
let merchants = 0;

describeDatabases('test wallets in the provisioning file', (database) => {
  async function apply(env: Environment, wallets: readonly object[], known?: string) {
    merchants += 1;
    const name = known ?? `Shop no${merchants}`;
    const file = parseProvisioningFile(
      { merchants: [{ name, email: `${name.slice(7)}@shop.test`, wallets }] },
      'the test',
    );
    const deps = {
      db: database().db,
      clock: createTestClock(),
      networks: paymentNetworksOf(loadConfig(env)),
      endpoints: { secretBox: createSecretBox(TEST_KEY), urls: PUBLIC_ONLY, plansEnabled: true },
    };
    const applied = await applyProvisioning(deps, file, async () => {});
    return { name, wallets: (await findMerchant(database().db, name))?.wallets, shown: applied.wallets };
  }

  test('are attached on the network of the test node, next to live ones', async () => {
    const { wallets, shown } = await apply({ ...LIVE, ...ONCHAIN }, [
      walletOf('one'),
      { ...walletOf('two'), mode: 'test' },
    ]);
    expect(wallets).toHaveLength(2);
    expect(wallets).toEqual(
      expect.arrayContaining([
        { crypto: 'LTC', network: 'litecoin-testnet', mode: 'live' },
        { crypto: 'LTC', network: 'litecoin-regtest', mode: 'test' },
      ]),
    );
    expect(shown[1]).toMatchObject({
      network: 'litecoin-regtest',
      addresses: [0, 1, 2].map((index) => createTestWallet('two').addressAt(index)),
    });
  });

  test('mail the owners when they change where live payments go, and only then', async () => {
    const env = { ...LIVE, ...ONCHAIN };
    const { name } = await apply(env, [walletOf('seven')]);
    const mails = () => database().db.selectFrom('mail').select('subject').execute();
    expect(await mails()).toEqual([]);
    await apply(env, [walletOf('seven'), { ...walletOf('eight'), mode: 'test' }], name);
    expect(await mails()).toEqual([]);
    for (let time = 0; time < 2; time += 1) await apply(env, [walletOf('nine')], name);
    expect(await mails()).toEqual([{ subject: 'A wallet was replaced' }]);
  });

  test('may have the key of another merchant, whose owners are emailed once', async () => {
    const env = { ...LIVE, ...ONCHAIN };
    const owned = await apply(env, [walletOf('shared')]);
    const mailed = () =>
      database().db.selectFrom('mail').select(['recipient', 'subject']).where('subject', 'like', '%shared%').execute();
    const { name, wallets } = await apply(env, [walletOf('shared')]);
    await apply(env, [walletOf('shared')], name);
    expect(wallets).toEqual(owned.wallets);
    expect(await mailed()).toEqual([
      { recipient: `${owned.name.slice(7)}@shop.test`, subject: 'A wallet is shared with another merchant' },
    ]);
  });

  const rejections: readonly (readonly [string, Environment, readonly object[], RegExp])[] = [
    [
      'while test payments are simulated',
      LIVE,
      [{ ...walletOf('three'), mode: 'test' }],
      /^\$\.merchants\[0\]\.wallets\[0\]\.mode: "test" needs TEST_MODE=onchain, because .*; set it, or remove this wallet$/,
    ],
    [
      'for a coin without a test node',
      ONCHAIN,
      [{ ...walletOf('four'), crypto: 'BTC', mode: 'test' }],
      /wallets\[0\]\.mode: "test" needs a node of bitcoin for test keys; set TEST_BTC_NETWORK and TEST_BTC_RPC_URL/,
    ],
    [
      'with the key of a live wallet of the same file',
      { ...LIVE, ...ONCHAIN },
      [walletOf('five'), { ...walletOf('five'), mode: 'test' }],
      /wallets\[1\]\.extended_public_key: This key already receives live payments \(litecoin-testnet\)/,
    ],
    ['in a mode that does not exist', {}, [{ ...walletOf('six'), mode: 'sandbox' }], /mode: must be one of live, test/],
  ];
  test.each(rejections)('are rejected %s', async (_, env, wallets, message) => {
    await expect(apply(env, wallets)).rejects.toThrow(message);
  });
});

// Helpers

function walletOf(name: string) {
  return { crypto: 'LTC', extended_public_key: createTestWallet(name).extendedPublicKey };
}
