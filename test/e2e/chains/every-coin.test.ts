import { afterAll, beforeAll, expect, test } from 'vitest';
import { WINDOW_MINUTES } from '../../../demo/shop.ts';
import { waitFor } from '../../../demo/wait.ts';
import {
  ASSETS,
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  confirmationsRequired,
  MINUTE_MS,
} from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { deployContract } from '../../support/contracts/deploy.ts';
import { level } from '../../support/run/level.ts';
import { comesTo, expectWebhooks, paymentsAre } from '../expectations.ts';
import {
  describeEveryCoin,
  dueBaseUnits,
  type EveryCoinHarness,
  SEIZABLE,
  startEveryCoinHarness,
} from './every-coin-harness.ts';

const COMPLETED = ['created', 'pending', 'completed'];

let harness: EveryCoinHarness;

/** Every chain and one token: tokens differ only in their contract. */
const QUICK_COINS = ['BTC', 'LTC', 'DOGE', 'DASH', 'ETH', 'USDC'] as const satisfies readonly CryptoSymbol[];
const PAID_COINS: readonly CryptoSymbol[] = level.isFull ? CRYPTO_SYMBOLS : QUICK_COINS;

/** At the full level both the coin of the chain and a token; the quick level tests one of them. */
const oneOf = (coin: CryptoSymbol, token: CryptoSymbol, quick: CryptoSymbol) =>
  level.pick({ quick: [quick], full: [coin, token] });

describeEveryCoin('a shop that accepts every coin', () => {
  beforeAll(async () => {
    harness = await startEveryCoinHarness();
  });
  afterAll(() => harness?.close());

  // All coins at once, as in production: one poll of a chain then covers all of them.
  test('every coin is paid, confirmed and completed', async () => {
    const paid: { readonly transaction: TransactionView; readonly txid: string }[] = [];
    for (const crypto of PAID_COINS) {
      const transaction = await create(crypto);
      paid.push({ transaction, txid: await send(transaction, 100n) });
    }
    // An Ethereum node reports a payment once it is mined; the other nodes report it at once.
    for (const { transaction } of paid) await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');
    const mined = { utxo: 0, ethereum: 0 };
    const byDepth = paid.toSorted(
      (a, b) => a.transaction.confirmations_required - b.transaction.confirmations_required,
    );
    for (const { transaction, txid } of byDepth) {
      const { crypto, transaction_id: id, confirmations_required: confirmations } = transaction;
      expect([crypto, confirmations]).toEqual([crypto, confirmationsRequired(crypto, String(transaction.amount_usd))]);
      // Just as many blocks as needed.
      const chain = ASSETS[crypto].chain === 'ethereum' ? 'ethereum' : 'utxo';
      if (confirmations > mined[chain]) await harness.mine(crypto, confirmations - mined[chain]);
      mined[chain] = confirmations;
      const completed = await comesTo(harness, id, 'completed');
      expect([crypto, completed.amount_paid]).toEqual([crypto, transaction.amount_crypto]);
      expect([crypto, completed.payments.map((payment) => payment.txid)]).toEqual([crypto, [txid]]);
      await paymentsAre(harness, id, ['confirmed']);
      await expectWebhooks(harness.shop, id, COMPLETED);
    }
  });

  test('DASH completes with its first confirmation when masternodes have locked the block', async () => {
    const transaction = await create('DASH');
    await send(transaction, 100n);
    await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');
    await harness.mine('DASH', 1);
    harness.dash.lockBlock(await harness.world.node.rpc<string>('getbestblockhash'));
    await comesTo(harness, transaction.transaction_id, 'completed');
    await expectWebhooks(harness.shop, transaction.transaction_id, COMPLETED);
  });

  test.each(oneOf('ETH', 'USDC', 'ETH'))('%s can be paid in two parts', async (crypto) => {
    const transaction = await create(crypto);
    const { transaction_id: id, confirmations_required: confirmations } = transaction;
    await send(transaction, 40n);
    const { amount_remaining: remaining } = await comesTo(harness, id, 'partial');
    expect(remaining).toBeCloseTo((transaction.amount_crypto * 60) / 100, 6);
    await send(transaction, 60n);
    await comesTo(harness, id, 'awaiting_confirmation');
    await harness.mine(crypto, confirmations);
    await comesTo(harness, id, 'completed');
    await paymentsAre(harness, id, ['confirmed', 'confirmed']);
    await expectWebhooks(harness.shop, id, ['created', 'partial', 'pending', 'completed']);
  });

  test.each(oneOf('ETH', 'USDT', 'USDT'))('%s in a reorged-out block is awaited again', async (crypto) => {
    const transaction = await create(crypto);
    const { transaction_id: id, confirmations_required: confirmations } = transaction;
    await send(transaction, 100n);
    await comesTo(harness, id, 'awaiting_confirmation');
    await harness.anvil.reorg(1);
    await comesTo(harness, id, 'pending');
    await paymentsAre(harness, id, ['replaced']);
    await send(transaction, 100n);
    await comesTo(harness, id, 'awaiting_confirmation');
    await harness.mine(crypto, confirmations);
    await comesTo(harness, id, 'completed');
    await expectWebhooks(harness.shop, id, ['created', 'pending', 'pending', 'completed']);
  });

  test('ether forwarded by a contract is a payment like any other', async () => {
    const transaction = await create('ETH');
    const { transaction_id: id, confirmations_required: confirmations } = transaction;
    const forwarder = await deployContract(harness.anvil, 'Forwarder');
    await forwarder.send('forward', [transaction.deposit_address], { valueWei: dueBaseUnits(transaction) });
    await comesTo(harness, id, 'awaiting_confirmation');
    await harness.mine('ETH', confirmations);
    const { payments, amount_paid } = await comesTo(harness, id, 'completed');
    expect(amount_paid).toBe(transaction.amount_crypto);
    expect(payments).toHaveLength(1);
    await expectWebhooks(harness.shop, id, COMPLETED);
  });

  test('another token at the address does not pay it', async () => {
    const transaction = await create('USDC');
    const { deposit_address: address, transaction_id: id } = transaction;
    await harness.tokenOf('DAI').transfer(address, 10n ** 21n);
    await harness.anvil.send({ to: address, valueWei: 10n ** 18n });
    await send(transaction, 100n);
    const { payments } = await comesTo(harness, id, 'awaiting_confirmation');
    expect(payments).toHaveLength(1);
  });

  test('coins that leave the address without explanation require a decision until they are made up for', async () => {
    const transaction = await create(SEIZABLE);
    const { transaction_id: id, deposit_address: address, confirmations_required: confirmations } = transaction;
    await send(transaction, 40n);
    await comesTo(harness, id, 'partial');
    await harness.tokenOf(SEIZABLE).send('seizeSilently', [address, (dueBaseUnits(transaction) * 30n) / 100n]);
    await comesTo(harness, id, 'pending (needs_review)');
    await send(transaction, 60n);
    await comesTo(harness, id, 'awaiting_confirmation');
    await harness.mine(SEIZABLE, confirmations);
    await comesTo(harness, id, 'completed');
    await expectWebhooks(harness.shop, id, ['created', 'partial', 'needs_review', 'pending', 'completed']);
  });

  test('an owner who moves coins out while a payment is open triggers no review', async () => {
    const transaction = await create('DAI');
    const { transaction_id: id, deposit_address: address, confirmations_required: confirmations } = transaction;
    await send(transaction, 40n);
    await comesTo(harness, id, 'partial');
    await harness.anvil.impersonate(address);
    await harness.anvil.setBalance(address, 10n ** 18n);
    await harness
      .tokenOf('DAI')
      .transfer(harness.anvil.accounts[1]?.address ?? '', (dueBaseUnits(transaction) * 20n) / 100n, address);
    await send(transaction, 60n);
    await comesTo(harness, id, 'awaiting_confirmation');
    await harness.mine('DAI', confirmations);
    await comesTo(harness, id, 'completed');
    await expectWebhooks(harness.shop, id, ['created', 'partial', 'pending', 'completed']);
  });

  // Last, because it advances the clock for every payment of this shop.
  test.each(oneOf('ETH', 'LINK', 'ETH'))('%s that arrives after the window is late', async (crypto) => {
    const transaction = await create(crypto);
    const { transaction_id: id } = transaction;
    harness.world.advance((WINDOW_MINUTES + 1) * MINUTE_MS);
    await comesTo(harness, id, 'expired');
    await inTheWorldsTime();
    await send(transaction, 100n);
    await comesTo(harness, id, 'expired (paid_late)');
    await expectWebhooks(harness.shop, id, ['created', 'expired', 'paid_late']);
  });

  test('no paid payment has changed since, and no address was allocated twice', async () => {
    const { body } = await harness.shop.call<ListResponse>('GET', '/transactions/list?limit=100');
    const { transactions } = body.data;
    expect(new Set(transactions.map((each) => each.deposit_address)).size).toBe(transactions.length);
    const coins = new Set(transactions.map((each) => each.crypto));
    expect([...coins]).toEqual(expect.arrayContaining([...PAID_COINS]));
    const completed = transactions.filter((each) => each.status === 'completed');
    expect(completed.length).toBeGreaterThanOrEqual(PAID_COINS.length);
  });
});

// Helpers

interface ListResponse {
  readonly data: { readonly transactions: readonly TransactionView[] };
}

function create(crypto: CryptoSymbol): Promise<TransactionView> {
  return harness.shop.create({ crypto });
}

/** Sends a percentage of the amount that was due initially. */
function send(transaction: TransactionView, percent: bigint): Promise<string> {
  const { crypto, deposit_address: address } = transaction;
  return harness.pay(crypto, address, (dueBaseUnits(transaction) * percent) / 100n);
}

/** The Ethereum node takes block times from its own clock, which is behind the world's. */
async function inTheWorldsTime(): Promise<void> {
  const { anvil, world } = harness;
  await anvil.setNextBlockTimestamp(Math.ceil(world.now() / 1_000));
  await anvil.mine();
  const blockTime = async () => {
    const { timestamp } = await anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    return Number(timestamp) * 1_000;
  };
  await waitFor(
    async () => ((await blockTime()) + 1_000 >= world.now() ? true : null),
    () => 'the Ethereum node keeps another time',
  );
}
