import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSETS, parseCoins } from '../../../../machines/index.ts';
import { listViewVersions, type SimulateAction } from '../../../../src/payments/index.ts';
import { saveWatermark } from '../../../../src/platform/engine/index.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { parseTransferUri } from '../../../support/nodes/parse-transfer-uri.ts';
import { type CheckoutApp, STORE_NAME, startCheckoutApp, USDT_CONTRACT } from '../checkout-app.ts';

let app: CheckoutApp;
beforeAll(async () => {
  app = await startCheckoutApp();
});
afterAll(() => app.stop());

async function read(id: string) {
  const transaction = await app.transactions.get(id);
  if (transaction === null) throw new Error(`transaction ${id} should be there`);
  return transaction;
}

describe('the customer view of a transaction', () => {
  test('has exact decimals and a payment link with the amount due', async () => {
    const transaction = await read(await app.create());
    expect(transaction).toMatchObject({
      storeName: STORE_NAME,
      status: 'pending',
      exception: null,
      mode: 'test',
      isSimulated: true,
      crypto: 'LTC',
      network: { chain: 'litecoin', chainName: 'Litecoin', kind: 'regtest' },
      amountPaid: '0',
      amountExcess: '0',
      currencyFiat: 'EUR',
      exchangeRate: '80.5',
      fiatToUsdRate: '1.08',
      syncedUntil: null,
      payments: [],
    });
    expect(transaction.amountDue).toBe('0.33540373');
    expect(transaction.amountRemaining).toBe(transaction.amountDue);
    expect(transaction.paymentUri).toBe(`litecoin:${transaction.depositAddress}?amount=${transaction.amountDue}`);
  });

  test('contains exactly these fields, so that no merchant data leaks', async () => {
    const fields = Object.keys(await read(await app.create())).sort();
    expect(fields).toEqual(
      `
        id status exception sequence expiresAt clockOffsetMs isSimulated syncedUntil tipHeight mode
        storeName orderId crypto network depositAddress paymentUri amountDue amountPaid amountRemaining
        amountExcess amountFiat currencyFiat exchangeRate fiatToUsdRate confirmationsRequired payments
        successUrl cancelUrl canQuoteAnew createdAt completedAt completedBy isRejected isDismissed loss surplus brand receipt title items
      `
        .trim()
        .split(/\s+/)
        .sort(),
    );
  });

  test('after a partial payment: the link has the rest, and the payment its confirmations', async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'pay_partial', amountCrypto: 0.1 });
    await app.transactions.simulate(id, { action: 'confirm' });
    const transaction = await read(id);
    expect(transaction).toMatchObject({ status: 'partial', amountPaid: '0.1', amountRemaining: '0.23540373' });
    expect(transaction.paymentUri).toMatch(/\?amount=0\.23540373$/);
    expect(transaction.payments).toMatchObject([{ amount: '0.1', status: 'confirmed', confirmations: 3 }]);
  });

  test('after a double spend the payment is replaced, after a reorg it is not', async () => {
    const after = async (...actions: readonly SimulateAction[]) => {
      const id = await app.create();
      for (const action of actions) await app.transactions.simulate(id, { action });
      return (await read(id)).payments;
    };
    expect(await after('pay')).toMatchObject([{ status: 'detected', isReplaced: false }]);
    expect(await after('pay', 'double_spend')).toMatchObject([{ status: 'replaced', isReplaced: true }]);
    expect(await after('pay', 'confirm', 'reorg')).toMatchObject([{ status: 'replaced', isReplaced: false }]);
  });

  test('after an overpayment has the excess', async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'overpay', amountCrypto: 1 });
    expect(await read(id)).toMatchObject({
      status: 'awaiting_confirmation',
      amountRemaining: '0',
      amountExcess: '0.66459627',
      paymentUri: null,
    });
  });

  test('of a token in the simulation has no link, because one without a contract would request ether', async () => {
    const transaction = await read(await app.create({ crypto: 'USDT' }));
    expect(transaction).toMatchObject({ paymentUri: null, network: { chainName: 'Ethereum' } });
  });

  test('of a token has a link with its contract and the amount still due', async () => {
    const { db } = app.database;
    const id = await app.create({ mode: 'live', crypto: 'USDT' });
    const { amountDue, depositAddress, paymentUri } = await read(id);
    const dueBaseUnits = parseCoins(amountDue, ASSETS.USDT.decimals);
    const transfer = { contract: USDT_CONTRACT, chainId: 1, address: depositAddress };
    expect(parseTransferUri(paymentUri ?? '')).toEqual({ ...transfer, baseUnits: dueBaseUnits });

    const paid = { paid_base_units: '1000001' };
    await changeTransactions(db, paid, { id });
    expect(parseTransferUri((await read(id)).paymentUri ?? '')).toEqual({
      ...transfer,
      baseUnits: dueBaseUnits - 1_000_001n,
    });
  });

  test('of a live network states up to when that network is synced', async () => {
    const { db } = app.database;
    const id = await app.create({ mode: 'live' });
    expect(await read(id)).toMatchObject({ mode: 'live', isSimulated: false, syncedUntil: null, tipHeight: null });
    const reachedAt = Date.UTC(2026, 10, 21, 10);
    await saveWatermark(db, { gate: 'litecoin-mainnet', reachedAt, height: 2_700_000 });
    expect(await read(id)).toMatchObject({ syncedUntil: reachedAt, tipHeight: 2_700_000 });
  });

  test('of an unknown id is null', async () => {
    expect(await app.transactions.get('txn_00000000000000000000000000')).toBeNull();
  });
});

describe('versions', () => {
  test('are returned for all existing ids, and increase with every event', async () => {
    const { db } = app.database;
    const ids = [await app.create(), await app.create({ crypto: 'BTC' })];
    const sequences = async () => {
      const versions = await listViewVersions(db, [...ids, 'txn_00000000000000000000000000']);
      return new Map(versions.map(({ id, sequence }) => [id, sequence]));
    };
    const before = await sequences();
    expect([...before.keys()].sort()).toEqual([...ids].sort());
    const [first = '', second = ''] = ids;
    await app.transactions.simulate(first, { action: 'pay' });
    const after = await sequences();
    expect(after.get(first)).toBeGreaterThan(before.get(first) ?? 0);
    expect(after.get(second)).toBe(before.get(second));
  });

  test('equal the first fields of the whole transaction', async () => {
    const id = await app.create();
    const [version] = await listViewVersions(app.database.db, [id]);
    expect(await read(id)).toMatchObject(version ?? {});
  });

  test('of no ids are empty', async () => {
    expect(await listViewVersions(app.database.db, [])).toEqual([]);
  });
});
