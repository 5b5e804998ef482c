import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createTransactionReader, type Scope } from '../../src/payments/view/get-transaction.ts';
import type { TransactionView } from '../../src/payments/view/merchant-view.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { insertTransactions } from '../support/database/transaction-rows.ts';

const ALICE: Scope = { merchantId: 'mer_alice', mode: 'live' };
const ALICE_TESTING: Scope = { merchantId: 'mer_alice', mode: 'test' };
const BOB: Scope = { merchantId: 'mer_bob', mode: 'live' };
const SCOPES = [ALICE, ALICE_TESTING, BOB];
const PUBLIC_URL = 'https://pay.example';

describeDatabases('transactions read in the same tick', (database) => {
  afterEach(async () => {
    for (const table of ['transaction_terms', 'transaction_status', 'payment', 'watermark']) {
      await sql`delete from ${sql.table(table)}`.execute(database().db);
    }
  });

  test('are each visible only to their owner', async () => {
    const { db } = database();
    const ids = ['txn_1', 'txn_2', 'txn_3'];
    for (const [index, scope] of SCOPES.entries()) await insertTransaction(scope, ids[index] ?? '', 'litecoin-mainnet');
    const reader = createTransactionReader({ db, publicUrl: PUBLIC_URL });
    const responses = await Promise.all(
      SCOPES.map((scope) => Promise.all([...ids, 'txn_unknown'].map((id) => responseTo(reader.get(scope, id))))),
    );
    const nothing = 'TRANSACTION_NOT_FOUND';
    expect(responses).toEqual([
      ['txn_1', nothing, nothing, nothing],
      [nothing, 'txn_2', nothing, nothing],
      [nothing, nothing, 'txn_3', nothing],
    ]);
  });

  test('have their own payments, in the order they were seen, and the height of their own chain', async () => {
    const { db } = database();
    await insertTransaction(ALICE, 'txn_real', 'litecoin-mainnet');
    await insertTransaction(ALICE, 'txn_played', 'simulated-litecoin');
    await insertTransaction(ALICE, 'txn_blind', 'bitcoin-mainnet');
    await sql`insert into watermark (gate, height) values ('litecoin-mainnet', 109), ('simulated/txn_played', 101)`.execute(
      db,
    );
    await insertPayment('txn_real', { outputId: 'b:0', minute: 1, amountBaseUnits: '2' });
    await insertPayment('txn_real', { outputId: 'a:0', minute: 2, amountBaseUnits: '9'.repeat(30) });
    await insertPayment('txn_played', { outputId: 'c:0', minute: 1, amountBaseUnits: '3' });
    await insertPayment('txn_blind', { outputId: 'd:0', minute: 1, amountBaseUnits: '4' });
    const reader = createTransactionReader({ db, publicUrl: PUBLIC_URL });
    const views = await Promise.all(['txn_real', 'txn_played', 'txn_blind'].map((id) => reader.get(ALICE, id)));
    expect(views.map(({ payments }) => payments.map(({ txid, confirmations }) => [txid, confirmations]))).toEqual([
      [
        ['b', 10],
        ['a', 10],
      ],
      [['c', 2]],
      // Confirmed at the required depth, although the height of its chain is unknown here.
      [['d', 3]],
    ]);
    expect(views[0]?.payments[1]).toEqual({
      txid: 'a',
      amount_crypto: `${'9'.repeat(22)}.${'9'.repeat(8)}`,
      confirmations: 10,
      status: 'confirmed',
      detected_at: '2026-11-21T10:02:00.123Z',
      confirmed_at: '2026-11-21T11:00:00.000Z',
    });
  });

  async function insertTransaction({ merchantId, mode }: Scope, id: string, network: string): Promise<void> {
    await insertTransactions(
      database().db,
      sql`
    (values (${id}, ${merchantId}, ${mode}, 'basic', 'completed', 'LTC', ${network}, 'ltc1', 1, 0, '1', '1', '1', 'USD', '1',
        '1', '[]', 3, now(), now(), now()))
      as given (id, merchant_id, mode, type, status, crypto, network, deposit_address, due_base_units,
        paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate,
        rate_sources, confirmations_required, created_at, updated_at, expires_at)`,
    );
  }

  async function insertPayment(
    transactionId: string,
    { outputId, minute, amountBaseUnits }: { outputId: string; minute: number; amountBaseUnits: string },
  ): Promise<void> {
    const seenAt = new Date(Date.UTC(2026, 10, 21, 10, minute, 0, 123));
    await sql`
      insert into payment (transaction_id, output_id, network, txid, amount_base_units, presence, status, height,
        first_seen_at, confirmed_at)
      values (${transactionId}, ${outputId}, 'any', ${outputId[0]}, ${amountBaseUnits}::numeric, 'block', 'confirmed',
        100, ${seenAt}, '2026-11-21T11:00:00Z')`.execute(database().db);
  }
});

// Helpers

/** The id of what was found, or the error code. */
async function responseTo(requested: Promise<TransactionView<string>>): Promise<unknown> {
  try {
    return (await requested).transaction_id;
  } catch (error) {
    return error instanceof TerminalError ? error.code : error;
  }
}
