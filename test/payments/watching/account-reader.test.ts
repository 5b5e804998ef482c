import { randomUUID } from 'node:crypto';
import { type CompiledQuery, Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS, PAID_LATE_WINDOW_MS } from '../../../machines/index.ts';
import { createAccountReader, createWatcherStore } from '../../../src/payments/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { openRecorded } from '../../support/database/recorded-connection.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../../support/database/test-database.ts';
import { insertTransactions } from '../../support/database/transaction-rows.ts';
import { openAccount } from '../support/open-account.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

describeDatabases('the compared accounts', (database) => {
  test('are those of undecided payments on this network, with the expected balance and since when a vetted one is assigned', async () => {
    const { db } = database();
    const network = `ethereum-${randomUUID()}`;
    const open = { network, expiresAt: NOW };
    await openAccount(db, { ...open, watchKey: '0xa1', crypto: 'ETH', vettedAt: NOW });
    await openAccount(db, { ...open, watchKey: '0xa2', crypto: 'USDC', status: 'partial' });
    await openAccount(db, { ...open, watchKey: '0xa3', crypto: 'DAI', status: 'awaiting_confirmation' });
    await openAccount(db, { ...open, watchKey: '0xb1', crypto: 'ETH', status: 'completed' });
    await openAccount(db, { ...open, watchKey: '0xb2', crypto: 'ETH', status: 'failed' });
    await openAccount(db, { ...open, watchKey: '0xb3', crypto: 'ETH', network: `${network}-elsewhere` });
    const store = createWatcherStore({ db, network, onProgress: () => {} });
    await store.nextEpoch();
    const cursor = { height: 5, blockHash: 'hash' };
    const balances = [
      { watchKey: '0xa2', asset: 'USDC' as const, baseUnits: 12n },
      { watchKey: '0xa1', asset: 'USDC' as const, baseUnits: 99n },
    ];
    await store.saveProgress({
      forkHeight: 4,
      blocks: [],
      cursor,
      tipHeight: 5,
      syncedUntil: NOW,
      balances,
    });

    const accounts = await createAccountReader({ db, network, coin: 'ETH' }).openAccounts();
    expect([...accounts].sort((one, other) => (one.watchKey < other.watchKey ? -1 : 1))).toEqual([
      { watchKey: '0xa1', asset: 'ETH', expectedBaseUnits: null, emptyUntil: expect.any(Number) },
      { watchKey: '0xa2', asset: 'USDC', expectedBaseUnits: 12n, emptyUntil: null },
      { watchKey: '0xa2', asset: 'ETH', expectedBaseUnits: null, emptyUntil: null },
      { watchKey: '0xa3', asset: 'DAI', expectedBaseUnits: null, emptyUntil: null },
      { watchKey: '0xa3', asset: 'ETH', expectedBaseUnits: null, emptyUntil: null },
    ]);
  });

  test('continue after the window for ETH, until the network was polled past the time for late coins', async () => {
    const { db } = database();
    const network = `ethereum-${randomUUID()}`;
    const ended = NOW - PAID_LATE_WINDOW_MS;
    const expired = { network, status: 'expired' };
    await openAccount(db, { ...expired, watchKey: '0xc1', crypto: 'ETH', expiresAt: ended + 1 });
    await openAccount(db, { ...expired, watchKey: '0xc2', crypto: 'ETH', expiresAt: ended });
    await openAccount(db, { ...expired, watchKey: '0xc3', crypto: 'USDT', expiresAt: ended + HOUR_MS });
    const open = async () => {
      const accounts = await createAccountReader({ db, network, coin: 'ETH' }).openAccounts();
      return accounts.map(({ watchKey }) => watchKey).sort();
    };
    expect(await open(), 'nothing is synced yet').toEqual(['0xc1', '0xc2']);
    await sql`insert into chain_cursor (network, epoch, synced_until) values (${network}, 1, ${new Date(NOW)})`.execute(
      db,
    );
    expect(await open()).toEqual(['0xc1']);
  });
});

describePostgres('the statement that reads the accounts', () => {
  test.each([
    ['an empty database', 0],
    ['a database that was filled a moment ago', 3_000],
  ])('uses the index of open payments on %s', async (_name, closed) => {
    const database = await createPostgresDatabase();
    const queries: CompiledQuery[] = [];
    const db = openRecorded(database, (query) => void queries.push(query));
    try {
      const network = 'ethereum-mainnet';
      for (const table of ['transaction_terms', 'transaction_status', 'address', 'account_balance', 'chain_cursor']) {
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db);
      }
      await fill(database.db, network, closed);
      await fill(database.db, network, closed, 'expired');
      await sql`insert into chain_cursor (network, epoch, synced_until) values (${network}, 1, now())`.execute(
        database.db,
      );
      if (closed > 0) await openAccount(database.db, { network, watchKey: '0xd1', crypto: 'ETH', expiresAt: NOW });
      const found = await createAccountReader({ db, network, coin: 'ETH' }).openAccounts();
      expect(found).toHaveLength(closed > 0 ? 1 : 0);

      const settings = queries.find((query) => query.sql.includes('set_config'));
      const reading = queries.find((query) => query.sql.includes('from transaction_status'));
      if (settings === undefined || reading === undefined) throw new Error('the statements were not seen');
      const plan = await db.transaction().execute(async (trx) => {
        await trx.executeQuery(settings);
        return trx.executeQuery<Record<string, string>>({ ...reading, sql: `explain ${reading.sql}` });
      });
      const lines = plan.rows.map((row) => row['QUERY PLAN'] ?? '').join('\n');
      // One range for the undecided payments, and one that leaves out what expired long ago.
      expect(lines).toMatch(/Index Cond:.*status = 'expired'.*expires_at > /);
      expect(lines.match(/transaction_open_account/g)).toHaveLength(2);
      expect(lines).not.toContain('Seq Scan');
    } finally {
      await db.destroy();
      await database.drop();
    }
  });
});

// Helpers

/** Completed payments, which are the most numerous, or those that expired a day ago. */
async function fill(
  db: Kysely<Database>,
  network: string,
  count: number,
  status: 'completed' | 'expired' = 'completed',
): Promise<void> {
  await insertTransactions(
    db,
    sql`
    (select ${`txn_${status}`} || index, 'mer_1', 'live', 'basic', ${status}, 'ETH', ${network}, ${`0x${status}`} || index, 1, 1, '1', '1', '1',
      'USD', '1', '1', '[]', 1, now(), now(), now() - interval '1 day' from generate_series(1, ${count}) as index)
      as given (id, merchant_id, mode, type, status, crypto, network, deposit_address, due_base_units,
        paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate,
        rate_sources, confirmations_required, created_at, updated_at, expires_at)`,
  );
}
