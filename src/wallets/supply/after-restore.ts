import { type Kysely, sql, type Transaction } from 'kysely';
import { HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { advanceIndex } from './skip-addresses.ts';

/** Addresses of one receive chain that are never issued again. */
export interface SkippedAddresses {
  readonly network: string;
  readonly skipped: number;
  readonly next_index: number;
}

/** Minimum number of skipped addresses, even for a wallet with little activity. */
const MIN_ADVANCE = 100;
/** More only if the operator requests it: few wallets scan across such a gap. */
const MAX_SUGGESTED_ADVANCE = 100_000;

/**
 * Skips addresses of every receive chain that may have been issued since the backup, so that none
 * serves two payments: `advance` of each, or as many as its busiest hour suggests when null. Scans
 * the whole `address` table.
 */
export async function skipAddressesAfterRestore(
  trx: Transaction<Database>,
  advance: number | null,
  now: UnixMs,
): Promise<readonly SkippedAddresses[]> {
  const last = await lastAllocatedAt(trx);
  const sinceBackupMs = now - (last ?? now);
  const chains: SkippedAddresses[] = [];
  for (const { derivationKeyId, network, busiestHour } of await listReceiveChains(trx)) {
    const skipped = advance ?? suggestAdvance(busiestHour, sinceBackupMs);
    chains.push({ network, skipped, next_index: await advanceIndex(trx, derivationKeyId, skipped) });
  }
  return chains;
}

/**
 * Resets `inserted_xid` values ahead of this server's transaction ids. A new PostgreSQL server
 * counts them from the start, so watchers would treat addresses of the backup as new in every poll.
 * Returns how many were reset; 0 on the server that made the backup.
 */
export async function renumberAddresses(trx: Transaction<Database>): Promise<number> {
  const { numAffectedRows } = await sql`
    update address set inserted_xid = pg_current_xact_id() where inserted_xid > pg_current_xact_id()`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

// Helpers

interface ReceiveChain {
  readonly derivationKeyId: string;
  readonly network: string;
  /** Addresses assigned to payments in the busiest hour, according to the restored database. */
  readonly busiestHour: number;
}

async function listReceiveChains(db: Kysely<Database>): Promise<readonly ReceiveChain[]> {
  const { rows } = await sql<ReceiveChain>`
    select derivation_key.id as "derivationKeyId", network, coalesce(max(allocated), 0)::int4 as "busiestHour"
    from derivation_key left join (
      select derivation_key_id, count(*) as allocated from address
      where transaction_id is not null group by derivation_key_id, date_trunc('hour', taken_at)
    ) as hours on hours.derivation_key_id = derivation_key.id
    group by derivation_key.id, network order by network, derivation_key.id`.execute(db);
  return rows;
}

/**
 * Default number of addresses to skip: twice the busiest hour's count for every started hour since
 * the backup, within the limits above. Generous, because a skipped address costs nothing, while a
 * reused one would serve two payments.
 */
function suggestAdvance(busiestHour: number, sinceBackupMs: number): number {
  const hours = Math.max(1, Math.ceil(sinceBackupMs / HOUR_MS));
  return Math.min(MAX_SUGGESTED_ADVANCE, Math.max(MIN_ADVANCE, 2 * busiestHour * hours));
}

/**
 * When the restored database last assigned an address; null if it never did. The backup is at least
 * that recent.
 */
async function lastAllocatedAt(db: Kysely<Database>): Promise<UnixMs | null> {
  const { rows } = await sql<{ at: Date | number | null }>`
    select max(taken_at) as at from address where transaction_id is not null`.execute(db);
  const at = rows[0]?.at ?? null;
  return at === null ? null : Number(at);
}
