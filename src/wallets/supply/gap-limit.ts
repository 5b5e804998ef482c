import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';

/** How many addresses in a row have received nothing: a wallet scans across few. */
export interface UnusedRun {
  readonly merchantName: string;
  readonly network: string;
  readonly derivationKeyId: string;
  /** Symbols paid to this wallet; Ethereum and its tokens share one wallet. */
  readonly cryptos: readonly string[];
  /** Addresses assigned to payments of all merchants who share the wallet. */
  readonly allocated: number;
  readonly highestIndex: number | null;
  /** Highest index that received coins, including unassigned deposits; null if none did. */
  readonly lastPaidIndex: number | null;
  /**
   * Addresses above `lastPaidIndex` that were assigned or skipped; at least the most that were ever
   * skipped in a row, since a wallet that stops there shows no later payment. Excludes those
   * skipped because the chain has an earlier history of them: the wallet sees it too.
   */
  readonly run: number;
  /** A sentence for the merchant, when the wallet misses payments or soon will; else null. */
  readonly warning: string | null;
}

/** The default gap limit of wallets: BIP44 stops scanning after 20 unused addresses. */
export const CUSTOMARY_GAP_LIMIT = 20;

/**
 * The unused runs of the current wallets of all merchants, or of one merchant. Payments that are
 * gone again (reorged, replaced or evicted) do not count, because wallets do not see them either.
 */
export async function unusedRuns(
  db: Kysely<Database>,
  { merchantName, merchantId }: { merchantName?: string; merchantId?: string } = {},
): Promise<UnusedRun[]> {
  const { rows } = await sql<Omit<UnusedRun, 'warning'>>`
    select wallets.merchant_name as "merchantName", wallets.network, wallets.derivation_key_id as "derivationKeyId",
      wallets.cryptos, taken.allocated, highest.index as "highestIndex", paid.index as "lastPaidIndex",
      greatest(unused.run, skipped.run) as run
    from (
      select merchant.name as merchant_name, wallet.network, wallet.derivation_key_id,
        array_agg(wallet.crypto order by wallet.crypto) as cryptos
      from wallet join merchant on merchant.id = wallet.merchant_id
      where (${merchantName ?? null}::text is null or merchant.name = ${merchantName ?? null})
        and (${merchantId ?? null}::text is null or merchant.id = ${merchantId ?? null})
      group by merchant.name, wallet.network, wallet.derivation_key_id
    ) as wallets
    cross join lateral (
      select count(*) as allocated from address
      where derivation_key_id = wallets.derivation_key_id and transaction_id is not null
    ) as taken
    left join lateral (
      select derivation_index as index from address
      where derivation_key_id = wallets.derivation_key_id and transaction_id is not null
      order by derivation_index desc limit 1
    ) as highest on true
    left join lateral (
      select derivation_index as index from address
      where derivation_key_id = wallets.derivation_key_id and taken_at is not null
        and (${hasPayment} or ${hasUnassigned})
      order by derivation_index desc limit 1
    ) as paid on true
    cross join lateral (
      select count(*) as run from address
      where derivation_key_id = wallets.derivation_key_id and taken_at is not null and found_used_at is null
        and derivation_index > coalesce(paid.index, -1)
    ) as unused
    cross join lateral (
      select max(run) as run from (
        select count(*) as run from (
          select derivation_index - row_number() over (order by derivation_index) as start from address
          where derivation_key_id = wallets.derivation_key_id and taken_at is not null and transaction_id is null
            and found_used_at is null and not ${hasUnassigned}
        ) as each group by start
      ) as runs
    ) as skipped
    order by wallets.merchant_name, wallets.network, wallets.derivation_key_id`.execute(db);
  return rows.map((row) => ({ ...row, warning: warningOf(row.run) }));
}

// Helpers

// Evaluated per address from the highest index down, rarely for many. `limit 1` keeps the planner
// from reading all payments first.
const hasPayment = sql`coalesce((
  select true from payment where payment.transaction_id = address.transaction_id and payment.presence <> 'gone' limit 1
), false)`;
const hasUnassigned = sql`coalesce((
  select true from unassigned_payment
  where unassigned_payment.network = address.network and unassigned_payment.address = address.address
    and unassigned_payment.status <> 'gone' limit 1
), false)`;

/** Unused addresses in a row from which on to warn, while wallets still show the next payments. */
const WARNED_FROM = 15;
/** Headroom in the advised gap limit for payments until the next check. */
const ADVISED_ROOM = 100;

function warningOf(run: number): string | null {
  if (run < WARNED_FROM) return null;
  const effect =
    run < CUSTOMARY_GAP_LIMIT ? 'soon they will not show a new payment' : 'they will not show the next payment';
  const advised = Math.ceil((run + ADVISED_ROOM) / ADVISED_ROOM) * ADVISED_ROOM;
  return (
    `No payment is known for ${run} addresses in a row, issued or skipped, and most wallets scan only ` +
    `${CUSTOMARY_GAP_LIMIT} addresses beyond the last used one (BIP44 gap limit): ${effect}. Make sure that the gap ` +
    `limit or scan range of the wallet is ${advised} or more, and rescan. The coins are yours in any case.`
  );
}
