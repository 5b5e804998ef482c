import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';

/**
 * A merchant's history: three in four payments were paid, the others expired; the newest ten are
 * still open.
 */

const ROWS_AT_ONCE = 50_000;
const OPEN = 10;
const NETWORK = 'litecoin-regtest';
const TIP_HEIGHT = 2_900_000;

/**
 * Inserts the rows that finished payments leave in the tables the API reads: the transaction, its
 * payment, the counts (by their trigger) and the chain height. Actors and journals are left out,
 * because no query here reads them.
 */
export async function fillTransactions(
  db: Kysely<Database>,
  { merchantId, rows }: { merchantId: string; rows: number },
): Promise<void> {
  await sql`insert into watermark (gate, reached_at, height) values (${NETWORK}, now(), ${TIP_HEIGHT}::int8)`.execute(
    db,
  );
  for (let first = 1; first <= rows; first += ROWS_AT_ONCE) {
    const last = Math.min(rows, first + ROWS_AT_ONCE - 1);
    await sql`
      with filled as (
        select 'txn_' || left(md5('bench ' || number), 26) as id, ${merchantId}::text as merchant_id, 'live' as mode,
          'basic' as type, 'LTC' as crypto, ${NETWORK}::text as network, number, status, due, fiat::text as fiat,
          trim_scale(fiat * 0.0125)::text as amount, created_at, created_at + interval '7 minutes' as updated_at
        from generate_series(${first}::int8, ${last}::int8) as series (number)
        cross join lateral (
          select 5 + number % 200 as fiat, (5 + number % 200) * 1250000 as due,
            now() - (${rows}::int8 - number) * interval '10 seconds' as created_at,
            case when number > ${rows - OPEN}::int8 then 'pending' when number % 4 = 0 then 'expired' else 'completed' end
              as status
        ) as facts
      ), agreed as (
        insert into transaction_terms (id, merchant_id, mode, type, crypto, network, deposit_address, due_base_units,
          amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate, rate_sources,
          rates_at, confirmations_required, metadata, success_url, created_at)
        select id, merchant_id, mode, type, crypto, network, 'rltc1q' || md5(number::text) || 'benchx', due, amount, fiat,
          fiat, 'USD', '1', '80', '["fixed"]', created_at, 3, jsonb_build_object('cart', number),
          'https://shop.example/thanks/' || number, created_at
        from filled
      )
      insert into transaction_status (id, merchant_id, mode, type, crypto, network, status, paid_base_units, created_at,
        updated_at, expires_at, completed_at, completed_by)
      select id, merchant_id, mode, type, crypto, network, status, case status when 'completed' then due else 0 end,
        created_at, updated_at, created_at + interval '30 minutes', case status when 'completed' then updated_at end,
        case status when 'completed' then 'chain' end
      from filled`.execute(db);
    await sql`
      insert into payment (transaction_id, output_id, network, txid, amount_base_units, presence, status, height,
        block_hash, first_seen_at, confirmed_at)
      select id, txid || ':0', network, txid, due_base_units, 'block', 'confirmed',
        ${TIP_HEIGHT}::int8 - (${rows}::int8 - number) / 15 - 3, txid, created_at + interval '1 minute', completed_at
      from generate_series(${first}::int8, ${last}::int8) as series (number)
      join transaction on id = 'txn_' || left(md5('bench ' || number), 26) and status = 'completed'
      cross join lateral (select md5('a ' || number) || md5('b ' || number) as txid) as hash`.execute(db);
  }
  for (const table of ['transaction_terms', 'transaction_status', 'payment', 'transaction_count']) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  }
  await sql`checkpoint`.execute(db);
}

/** The id of payment `number`, counted from 1. */
export function filledId(number: number): string {
  return `txn_${createHash('md5').update(`bench ${number}`).digest('hex').slice(0, 26)}`;
}
