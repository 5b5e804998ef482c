import { type Kysely, sql } from 'kysely';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { AccountBook } from '../../chains/index.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import { isOpenAccount } from './open-accounts.ts';

/** The accounts of one network's open payments, read anew each time: an account is open as soon as its payment is committed. */
export function createAccountBook({ db, network }: { db: Kysely<Database>; network: string }): AccountBook {
  return {
    async openAccounts() {
      const rows = await whileDatabaseAnswers(() =>
        db.transaction().execute(async (trx) => {
          // Few payments are open among many; without statistics the planner would read them all.
          await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
            set_config('enable_mergejoin', 'off', true)`.execute(trx);
          return (await readAccounts(network).execute(trx)).rows;
        }),
      );
      return rows.map((row) => ({
        watchKey: row.watch_key,
        asset: row.asset,
        expectedBaseUnits: row.expected_base_units,
        wasVetted: row.was_vetted,
      }));
    },
  };
}

// Helpers

interface AccountRow {
  watch_key: string;
  asset: CryptoSymbol;
  expected_base_units: bigint | null;
  was_vetted: boolean;
}

function readAccounts(network: string) {
  return sql<AccountRow>`
    select address.watch_key, transaction.crypto as asset, account_balance.expected_base_units,
      address.vetted_at is not null as was_vetted
    from transaction
    join address on address.transaction_id = transaction.id and address.network = transaction.network
    left join account_balance on account_balance.network = address.network
      and account_balance.watch_key = address.watch_key and account_balance.asset = transaction.crypto
    where ${isOpenAccount(network)}`;
}
