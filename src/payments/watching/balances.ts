import { sql, type Transaction } from 'kysely';
import type { ExpectedBalance } from '../../chains/index.ts';
import type { Database } from '../../db/index.ts';
import { isOpenAccount } from './open-accounts.ts';

/** Balances of closed accounts are deleted with the first change of a balance, and then with every so many. */
const SWEEP_EVERY_SAVES = 100;

/** Writes what the accounts of one network should hold, inside the transaction that saves the progress. */
export interface BalanceWriter {
  save(trx: Transaction<Database>, balances: readonly ExpectedBalance[]): Promise<void>;
}

export function createBalanceWriter(network: string): BalanceWriter {
  let saves = 0;
  return {
    async save(trx, balances) {
      if (balances.length === 0) return;
      await upsertBalances(trx, network, balances);
      if (saves % SWEEP_EVERY_SAVES === 0) await deleteClosedBalances(trx, network);
      saves += 1;
    },
  };
}

// Helpers

async function upsertBalances(
  trx: Transaction<Database>,
  network: string,
  balances: readonly ExpectedBalance[],
): Promise<void> {
  // One account may change twice in one batch of blocks; the later entry is the one as of the cursor.
  const newest = [...new Map(balances.map((each) => [`${each.watchKey} ${each.asset}`, each])).values()];
  await sql`
    insert into account_balance (network, watch_key, asset, expected_base_units)
    select ${network}, watch_key, asset, expected_base_units
    from unnest(
      ${newest.map((each) => each.watchKey)}::text[], ${newest.map((each) => each.asset)}::text[],
      ${newest.map((each) => each.baseUnits.toString())}::numeric[]
    ) as changed (watch_key, asset, expected_base_units)
    on conflict (network, watch_key, asset) do update set expected_base_units = excluded.expected_base_units`.execute(
    trx,
  );
}

/** Nobody compares the balance of an account whose payment is closed. */
async function deleteClosedBalances(trx: Transaction<Database>, network: string): Promise<void> {
  await sql`
    delete from account_balance where network = ${network} and not exists (
      select 1 from address join transaction on transaction.id = address.transaction_id
      where address.network = account_balance.network and address.watch_key = account_balance.watch_key
        and transaction.crypto = account_balance.asset and ${isOpenAccount(network)}
    )`.execute(trx);
}
