import { type Kysely, sql, type Transaction } from 'kysely';
import { HOUR_MS, type UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';

/** A receive chain, and how quickly the restored database saw its addresses being handed out. */
export interface KeyAtBackup {
  readonly derivationKeyId: string;
  readonly network: string;
  /** Addresses given to payments in the busiest hour there was. */
  readonly busiestHour: number;
}

/** Skipped at least, however quiet a wallet was. */
const MIN_ADVANCE = 100;
/** More are skipped only when somebody says so: they would be a gap that few wallets look across. */
const MAX_SUGGESTED_ADVANCE = 100_000;

/** Every receive chain there is. Reads the whole table of addresses, so it is for the hour after a restore. */
export async function listKeysAtBackup(db: Kysely<Database>): Promise<readonly KeyAtBackup[]> {
  const { rows } = await sql<KeyAtBackup>`
    select derivation_key.id as "derivationKeyId", network, coalesce(max(handed_out), 0)::int4 as "busiestHour"
    from derivation_key left join (
      select derivation_key_id, count(*) as handed_out from address
      where transaction_id is not null group by derivation_key_id, date_trunc('hour', taken_at)
    ) as hours on hours.derivation_key_id = derivation_key.id
    group by derivation_key.id, network order by network, derivation_key.id`.execute(db);
  return rows;
}

/**
 * How many addresses of a wallet are skipped unless somebody says otherwise: twice as many as its busiest hour handed out, for every
 * hour begun since the backup. Generous, because a skipped address costs nothing and one handed out twice is two payments
 * on one address.
 */
export function suggestAdvance(busiestHour: number, sinceBackupMs: number): number {
  const hours = Math.max(1, Math.ceil(sinceBackupMs / HOUR_MS));
  return Math.min(MAX_SUGGESTED_ADVANCE, Math.max(MIN_ADVANCE, 2 * busiestHour * hours));
}

/**
 * When the last address was handed out that the restored database knows of; null for one that never did. The backup is no older. Reads
 * the whole table as well.
 */
export async function lastHandedOutAt(db: Kysely<Database>): Promise<UnixMs | null> {
  const { rows } = await sql<{ at: Date | number | null }>`
    select max(taken_at) as at from address where transaction_id is not null`.execute(db);
  const at = rows[0]?.at ?? null;
  return at === null ? null : Number(at);
}

/**
 * Transaction numbers begin anew on another server, and those of the backup may lie ahead of them: watchers would take every address
 * for one they have not seen, at every look. Returns how many were renumbered; none on the server the backup was made on.
 */
export async function renumberAddresses(trx: Transaction<Database>): Promise<number> {
  const { numAffectedRows } = await sql`
    update address set inserted_xid = pg_current_xact_id() where inserted_xid > pg_current_xact_id()`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
