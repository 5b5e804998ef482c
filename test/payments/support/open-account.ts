import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { insertTransactions } from '../../support/database/transaction-rows.ts';

export interface AccountOfTest {
  readonly network: string;
  readonly watchKey: string;
  readonly crypto: CryptoSymbol;
  readonly status?: string;
  readonly expiresAt?: number;
  readonly vettedAt?: number | null;
}

/** Inserts the rows of a payment without its actor; only the data of its account is real. */
export async function openAccount(db: Kysely<Database>, account: AccountOfTest): Promise<string> {
  const { network, watchKey, crypto, status = 'pending', expiresAt = 0, vettedAt = null } = account;
  const id = `txn_${randomUUID()}`;
  const key = `key_${randomUUID()}`;
  await sql`insert into derivation_key (id, network, fingerprint, extended_public_key, address_type)
    values (${key}, ${network}, ${key}, 'none', 'evm')`.execute(db);
  await sql`insert into address (network, address, watch_key, derivation_key_id, derivation_index, transaction_id,
      taken_at, vetted_at)
    values (${network}, ${watchKey.toUpperCase()}, ${watchKey}, ${key}, 0, ${id}, now(),
      ${vettedAt === null ? null : new Date(vettedAt)})`.execute(db);
  await insertTransactions(
    db,
    sql`
    (values (${id}, 'mer_1', 'live', 'basic', ${status}, ${crypto}, ${network}, ${watchKey.toUpperCase()}, 1, 0, '1', '1', '1', 'USD',
      '1', '1', '[]', 1, now(), now(), ${new Date(expiresAt)}))
      as given (id, merchant_id, mode, type, status, crypto, network, deposit_address, due_base_units,
        paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate,
        rate_sources, confirmations_required, created_at, updated_at, expires_at)`,
  );
  return id;
}
