import { createHash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CryptoSymbol, DAY_MS, HOUR_MS, PAID_LATE_WINDOW_MS, type UnixMs } from '../../../machines/index.ts';
import type { DueAccount } from '../../chains/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { isOpenAccount } from './open-accounts.ts';

/** A network, and the native coin of its chain. */
export interface NetworkAccounts {
  readonly network: string;
  readonly coin: CryptoSymbol;
}

/** Addresses examined per call for accounts without a row. */
const ADOPTED_TOGETHER = 5_000;

/**
 * `due_at` of an account with coins in undone blocks. They were reported as gone and may be in
 * another block, where only the balance shows them: the account is compared even if its address was
 * released.
 */
export const DUE_EVEN_IF_RELEASED = sql<number>`'-infinity'::timestamptz`;

/**
 * Accounts that are due for a check, longest overdue first. Accounts of addresses no longer
 * watched, and of tokens whose payment is closed, get no next check, except `DUE_EVEN_IF_RELEASED`.
 */
export async function readDueAccounts(
  db: Kysely<Database>,
  { network, coin }: NetworkAccounts,
  limit: number,
): Promise<DueAccount[]> {
  const { rows } = await sql<DueRow>`
    select due.watch_key, due.asset, ${expectedBalance(coin, sql`due`)} as expected_base_units,
      transaction.expires_at, round(extract(epoch from address.taken_at) * 1000)::int8 as assigned_at,
      case when due.asset = ${coin} then address.released_at is null or due.due_at = ${DUE_EVEN_IF_RELEASED}
        else ${isOpenAccount(network)} end as is_watched,
      clock_timestamp() as now
    from account_balance as due
    left join chain_cursor on chain_cursor.network = due.network
    left join address on address.network = due.network and address.watch_key = due.watch_key
    left join transaction_status as transaction on transaction.id = address.transaction_id
    where due.network = ${network} and due.due_at <= clock_timestamp()
    order by due.due_at limit ${limit}`.execute(db);
  return rows.map((row) => {
    const { watch_key: watchKey, asset, expires_at: expiresAt, assigned_at: assignedAt } = row;
    const turnAt = row.is_watched && expiresAt !== null ? nextCheckAt({ watchKey, expiresAt }, row.now) : null;
    return { watchKey, asset, expectedBaseUnits: row.expected_base_units, assignedAt, nextCheckAt: turnAt };
  });
}

/**
 * Inserts missing rows of watched accounts: of addresses assigned before all accounts were
 * compared. Returns the address to continue after, null when all were examined.
 */
export async function adoptAccounts(
  db: Kysely<Database>,
  { network, coin }: NetworkAccounts,
  after: string,
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null; count: number }>`
    with page as (
      select address, watch_key, transaction_id, released_at from address
      where network = ${network} and address > ${after} order by address limit ${ADOPTED_TOGETHER}
    ), adopted as (
      insert into account_balance (network, watch_key, asset, expected_base_units)
      select ${network}, watch_key, ${coin}, null from page where transaction_id is not null and released_at is null
      on conflict (network, watch_key, asset) do nothing
    )
    select max(address) as last, count(*)::int4 as count from page`.execute(db);
  const [page] = rows;
  return page?.count === ADOPTED_TOGETHER ? page.last : null;
}

/**
 * The expected balance of an account at the saved cursor; null when unknown. Balances of the native
 * coin are tracked only while this version moves the cursor; until it first does, those of open
 * payments are valid.
 */
export function expectedBalance(coin: CryptoSymbol, table: RawBuilder<unknown>): RawBuilder<bigint | null> {
  return sql<bigint | null>`case
    when ${table}.asset <> ${coin} or chain_cursor.balances_height is null then ${table}.expected_base_units
    when chain_cursor.balances_height = chain_cursor.height and ${table}.era = chain_cursor.balance_era
      then ${table}.expected_base_units
  end`;
}

/**
 * When a watched account is checked next, Unix ms: hourly until coins no longer count as late, then
 * daily. The time within the hour or day is a function of the address, so checks are spread evenly
 * and keep their time after an outage.
 */
export function nextCheckAt(
  { watchKey, expiresAt }: { readonly watchKey: string; readonly expiresAt: UnixMs },
  now: UnixMs,
): UnixMs {
  const periodMs = now < expiresAt + PAID_LATE_WINDOW_MS ? HOUR_MS : DAY_MS;
  const phaseMs = Math.floor(phaseOf(watchKey) * periodMs);
  return (Math.floor((now - phaseMs) / periodMs) + 1) * periodMs + phaseMs;
}

// Helpers

interface DueRow {
  watch_key: string;
  asset: CryptoSymbol;
  expected_base_units: bigint | null;
  expires_at: number | null;
  assigned_at: number | null;
  is_watched: boolean;
  now: number;
}

/** From 0 to below 1. */
function phaseOf(watchKey: string): number {
  return createHash('sha256').update(watchKey).digest().readUInt32BE(0) / 2 ** 32;
}
