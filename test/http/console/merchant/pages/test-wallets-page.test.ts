import { expect, test } from 'vitest';
import type { PaymentInfo } from '../../../../../src/http/console/merchant/payment/schemas.ts';
import type { WalletList } from '../../../../../src/http/console/merchant/wallets/schemas.ts';
import { seriousViolations } from '../../../../support/browser/axe.ts';
import { createTestWallet } from '../../../../support/nodes/wallet.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

/** No node listens there: adding wallets and starting payments works without one. */
const ONCHAIN = { TEST_MODE: 'onchain', TEST_LTC_NETWORK: 'regtest', TEST_LTC_RPC_URL: 'http://127.0.0.1:1' };
const WALLET = createTestWallet(`test wallet of the console ${process.pid}`);

describeConsolePages('test wallets, where test keys use test networks', { env: ONCHAIN }, (console) => {
  const call = (path: string, body?: unknown) =>
    console.call('owner', { path: `/merchant${path}`, ...(body === undefined ? {} : { method: 'POST', body }) });
  const list = async (): Promise<WalletList> => (await call('/wallets')).data;
  const key = WALLET.extendedPublicKey;

  test('can be added for the chains that have a test node, and for no others', async () => {
    const { chains } = await list();
    expect(chains.filter(({ mode }) => mode === 'live')).toHaveLength(5);
    expect(chains.filter(({ mode }) => mode === 'test')).toMatchObject([
      { chain: 'litecoin', networkKind: 'regtest', coins: [{ symbol: 'LTC', isAttached: false, problem: null }] },
    ]);
    expect(await call('/wallets/preview', { mode: 'test', crypto: 'BTC', extendedPublicKey: key })).toMatchObject({
      status: 400,
      error: 'INVALID_REQUEST',
      message: expect.stringContaining('has not connected a test node of Bitcoin'),
    });
  });

  test('are needed for a test payment, which is then created on the test network and cannot be simulated', async () => {
    const before = (await call('/overview?mode=test')).data;
    expect([before.testPayments, before.cryptos]).toEqual(['onchain', []]);
    const body = { crypto: 'LTC', amount: '25', currency: 'EUR' };
    expect(await call('/overview/test-payment', body)).toMatchObject({ status: 400, error: 'WALLET_NOT_CONFIGURED' });

    const watched = await console.open('owner', '/wallets?add=any');
    const { page } = watched;
    await page.getByRole('radio', { name: /^Litecoin \(LTC\) for test payments private test network/ }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Keys of live wallets are rejected').waitFor();
    await page.getByLabel('Extended public key').fill(key);
    await page.getByRole('button', { name: 'Show addresses' }).click();
    await page.getByText(WALLET.addressAt(0)).waitFor();
    await page.getByLabel(/^These match/).check();
    expect(await seriousViolations(watched)).toEqual([]);
    await page.getByRole('button', { name: 'Use this wallet' }).click();
    await page.getByRole('heading', { name: 'Your Litecoin test wallet is set' }).waitFor();
    await page.getByText('Test payments in LTC go to it from now on').waitFor();
    expect(watched.troubles).toEqual([]);
    await watched.close();

    expect((await call('/overview?mode=test')).data.cryptos).toEqual(['LTC']);
    const { status, data: started } = await call('/overview/test-payment', body);
    expect(status).toBe(201);
    const payment: PaymentInfo = (await call(`/payments/${started.id}?mode=test`)).data;
    expect(payment).toMatchObject({ networkKind: 'regtest', depositAddress: WALLET.addressAt(0), simulations: [] });
    expect(await call(`/payments/${started.id}/simulate`, { action: 'pay' })).toMatchObject({
      status: 403,
      message: expect.stringContaining('a real network, and cannot be simulated'),
    });
  });

  test('are distinguished from live wallets, and reject a key of a live wallet, and vice versa', async () => {
    const { wallets } = await list();
    expect(wallets).toMatchObject([{ mode: 'test', networkKind: 'regtest', cryptos: ['LTC'], problem: null }]);
    const mainnetKey =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    const previewed = await call('/wallets/preview', { mode: 'test', crypto: 'LTC', extendedPublicKey: mainnetKey });
    expect(previewed).toMatchObject({
      status: 400,
      error: 'INVALID_EXTENDED_KEY',
      message: expect.stringContaining('test payments never use a live wallet'),
    });
  });
});
