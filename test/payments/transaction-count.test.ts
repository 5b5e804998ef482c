import { type Kysely, sql, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { connect, type Database } from '../../src/platform/db/index.ts';
import { createPostgresDatabase, describePostgres } from '../support/database/test-database.ts';
import { insertTransactions } from '../support/database/transaction-rows.ts';

/** More than there are slots, so that two connections start with the same one. */
const CONNECTIONS = 20;

describePostgres('list totals', () => {
  test('are counted by many concurrent commits, in any order, without a deadlock', async () => {
    const database = await createPostgresDatabase();
    const { db, close } = await connect({ url: database.url, dataDir: null, poolSize: CONNECTIONS });
    try {
      const shops = ['mer_a', 'mer_b', 'mer_c'];
      const begun = gate(CONNECTIONS);
      const commits = Array.from({ length: CONNECTIONS }, async (_, index) => {
        // Connections that start with the same slot update the shops in opposite orders.
        const order = index < CONNECTIONS / 2 ? shops : shops.toReversed();
        await db.transaction().execute(async (trx) => {
          await sql`select 1`.execute(trx);
          await begun.pass();
          for (const shop of order) await insertTransaction(trx, `txn_${index}_${shop}`, shop);
        });
      });
      const settled = await Promise.allSettled(commits);
      expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect(await totals(db)).toEqual(shops.map((shop) => ({ merchant_id: shop, total: CONNECTIONS })));
    } finally {
      await close();
      await database.drop();
    }
  });
});

// Helpers

/** Releases all callers once the expected number has arrived. */
function gate(expected: number): { pass(): Promise<void> } {
  let waiting = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    pass() {
      waiting += 1;
      if (waiting === expected) open();
      return opened;
    },
  };
}

async function insertTransaction(trx: Transaction<Database>, id: string, merchantId: string): Promise<void> {
  await insertTransactions(
    trx,
    sql`
    (values (${id}, ${merchantId}, 'live', 'basic', 'pending', 'LTC', 'litecoin-mainnet', ${id}, 1, 0, '0.00000001',
      '1', '1', 'USD', '1', '1', '[]', 1, now(), now(), now()))
      as given (id, merchant_id, mode, type, status, crypto, network, deposit_address, due_base_units,
        paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate,
        rate_sources, confirmations_required, created_at, updated_at, expires_at)`,
  );
}

async function totals(db: Kysely<Database>) {
  const { rows } = await sql<{ merchant_id: string; total: number }>`
    select merchant_id, sum(transactions)::int8 as total from transaction_count group by 1 order by 1`.execute(db);
  return rows;
}
