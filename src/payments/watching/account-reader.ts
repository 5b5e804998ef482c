import { type Kysely, sql, type Transaction } from 'kysely';
import type { AccountReader, OpenAccount } from '../../chains/index.ts';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import { adoptAccounts, expectedBalance, type NetworkAccounts, readDueAccounts } from './due-accounts.ts';
import { openAccountConditions } from './open-accounts.ts';

export interface AccountReaderDeps extends NetworkAccounts {
  readonly db: Kysely<Database>;
}

/**
 * The accounts of one network: those of open payments, read anew each time (an account is open once
 * its payment is committed), and those of all watched addresses when their check is due.
 */
export function createAccountReader({ db, network, coin }: AccountReaderDeps): AccountReader {
  /** Null when every watched account has a row. */
  let adoptAfter: string | null = '';

  return {
    openAccounts: () => readByNestedLoops(db, (trx) => readAccounts(trx, { network, coin })),

    dueAccounts: (limit) =>
      readByNestedLoops(db, async (trx) => {
        if (adoptAfter !== null) adoptAfter = await adoptAccounts(trx, { network, coin }, adoptAfter);
        return readDueAccounts(trx, { network, coin }, limit);
      }),
  };
}

// Helpers

/** Reads few accounts of many; without statistics the planner would join all of them. */
function readByNestedLoops<T>(db: Kysely<Database>, read: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return readByIndex(db, async (trx) => {
    await sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
      trx,
    );
    return read(trx);
  });
}

/** The account to be paid, and the native coin's at the same address until its balance is known. */
async function readAccounts(trx: Transaction<Database>, { network, coin }: NetworkAccounts): Promise<OpenAccount[]> {
  const [isUndecided, mayBeLate] = openAccountConditions(network);
  const { rows } = await sql<OpenAccount>`
    select address.watch_key as "watchKey", account.asset,
      ${expectedBalance(coin, sql`account_balance`)} as "expectedBaseUnits",
      case when address.vetted_at is not null
        then round(extract(epoch from address.taken_at) * 1000)::int8 end as "emptyUntil"
    from (
      select id, crypto from transaction_status as transaction where ${isUndecided}
      union all select id, crypto from transaction_status as transaction where ${mayBeLate}
    ) as transaction
    join transaction_terms as terms on terms.id = transaction.id
    join address on address.network = terms.network and address.address = terms.deposit_address
    cross join lateral unnest(
      case when transaction.crypto = ${coin} then array[${coin}::text] else array[transaction.crypto, ${coin}::text] end
    ) as account (asset)
    left join chain_cursor on chain_cursor.network = address.network
    left join account_balance on account_balance.network = address.network
      and account_balance.watch_key = address.watch_key and account_balance.asset = account.asset
    where (account.asset = transaction.crypto or ${expectedBalance(coin, sql`account_balance`)} is null)`.execute(trx);
  return rows;
}
