import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { expect, test } from 'vitest';
import { readStandings } from '../../src/billing/index.ts';
import { type Connection, type Database, migrate } from '../../src/db/index.ts';
import * as createEngine from '../../src/db/migrations/2026_11_21_1000_create_engine.ts';
import * as createMerchantsAndWallets from '../../src/db/migrations/2026_11_21_1010_create_merchants_and_wallets.ts';
import * as createTransactionsAndWebhooks from '../../src/db/migrations/2026_11_21_1020_create_transactions_and_webhooks.ts';
import * as watchEveryCoin from '../../src/db/migrations/2026_11_21_1100_watch_every_coin.ts';
import * as foreignMoneyAndVetting from '../../src/db/migrations/2026_11_21_1110_foreign_money_and_vetting.ts';
import { createAuthenticator } from '../../src/merchants/index.ts';
import { listTransactions } from '../../src/payments/index.ts';
import { hashApiKey } from '../../src/secrets/index.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';
import { createTestClock } from '../support/engine.ts';

/** The schema before plans, links and totals existed. */
const FORMER: Readonly<Record<string, Migration>> = {
  '2026_11_21_1000_create_engine': createEngine,
  '2026_11_21_1010_create_merchants_and_wallets': createMerchantsAndWallets,
  '2026_11_21_1020_create_transactions_and_webhooks': createTransactionsAndWebhooks,
  '2026_11_21_1100_watch_every_coin': watchEveryCoin,
  '2026_11_21_1110_foreign_money_and_vetting': foreignMoneyAndVetting,
};
const TRANSACTIONS = 5_000;
const PUBLIC_URL = 'https://pay.example.com';
const SHOP = { merchantId: 'mer_old', mode: 'live' } as const;

describePostgres('A database of the former release', () => {
  test('keeps its merchants, keys and transactions, and they are listed, counted and let in as before', async () => {
    await withFormerSchema(async ({ db }) => {
      const clock = createTestClock();
      await fill(db);
      await migrate(db);

      for (const status of [undefined, 'completed', 'pending', 'expired'] as const) {
        const wanted = { limit: 100, offset: 0, ...(status === undefined ? {} : { status }) };
        const { pagination, transactions } = await listTransactions({ db, publicUrl: PUBLIC_URL }, SHOP, wanted);
        expect(pagination.total).toBe(await countOf(db, status ?? null));
        expect(transactions).toHaveLength(100);
      }
      const late = { limit: 100, offset: 0, exception: 'paid_late' } as const;
      const { pagination } = await listTransactions({ db, publicUrl: PUBLIC_URL }, SHOP, late);
      expect(pagination.total).toBe(TRANSACTIONS / 10);

      const caller = await createAuthenticator({ db, clock }).authenticate('sk_live_old');
      expect(caller).toMatchObject({ ...SHOP, plan: 'business', allowedCidrs: [], oneOpenPaymentPerIp: false });
      const standing = (await readStandings(db, [SHOP.merchantId], clock.now())).get(SHOP.merchantId);
      expect(standing).toMatchObject({
        plan: { tier: 'business' },
        expiresAt: null,
        used: 0,
        limitFirstReachedIn: null,
      });
    });
  });

  test('counts what happens to old transactions afterwards', async () => {
    await withFormerSchema(async ({ db }) => {
      await fill(db);
      await migrate(db);
      await sql`update transaction set status = 'expired', exception = null where status = 'pending'`.execute(db);
      await sql`delete from transaction where id in ('txn_1', 'txn_2')`.execute(db);
      const { rows: wrong } = await sql`
        select * from (
          select status, crypto, coalesce(exception, '') as exception, count(*) as n from transaction group by 1, 2, 3
        ) as held full join (
          select status, crypto, exception, sum(transactions) as n from transaction_count group by 1, 2, 3
          having sum(transactions) <> 0
        ) as counted using (status, crypto, exception)
        where held.n is distinct from counted.n`.execute(db);
      expect(wrong).toEqual([]);
    });
  });
});

// Helpers

async function withFormerSchema(work: (connection: Connection) => Promise<void>): Promise<void> {
  const database = await createPostgresDatabase();
  try {
    await sql`drop schema public cascade`.execute(database.db);
    await sql`create schema public`.execute(database.db);
    const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => ({ ...FORMER }) } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw new Error('the former schema could not be made', { cause: error });
    await work(database);
  } finally {
    await database.drop();
  }
}

async function fill(db: Kysely<Database>): Promise<void> {
  await sql`insert into merchant (id, name, email, plan) values (${SHOP.merchantId}, 'Old', 'o@shop.test', 'business')`.execute(
    db,
  );
  await sql`
    insert into api_key (id, merchant_id, kind, mode, key_hash, hint, created_at)
    values ('key_old', ${SHOP.merchantId}, 'secret', 'live', ${hashApiKey('sk_live_old')}, '_old', now())`.execute(db);
  await sql`
    insert into transaction (id, merchant_id, mode, type, status, exception, crypto, network, deposit_address,
      due_base_units, paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate,
      exchange_rate, rate_sources, confirmations_required, created_at, updated_at, expires_at)
    select 'txn_' || n, ${SHOP.merchantId}, 'live', 'basic',
      case n % 10 when 0 then 'expired' when 1 then 'pending' when 2 then 'expired' else 'completed' end,
      case n % 10 when 0 then 'paid_late' end, case n % 3 when 0 then 'LTC' else 'BTC' end, 'litecoin-mainnet',
      'address ' || n, 1, 0, '0.00000001', '1', '1', 'USD', '1', '1', '[]', 1, now() - n * interval '1 minute', now(),
      now()
    from generate_series(1, ${TRANSACTIONS}::int4) as n`.execute(db);
}

async function countOf(db: Kysely<Database>, status: string | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from transaction where status = ${status}::text or ${status}::text is null`.execute(db);
  return rows[0]?.n ?? 0;
}
