import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { derivationPathOf } from '../../wallets/index.ts';

/** An address of a wallet that no further payment will get. */
export interface ExportedAddress {
  readonly index: number;
  /** Below the account level, such as `0/12`. */
  readonly derivationPath: string;
  readonly address: string;
  /**
   * - payment  issued to a payment of this merchant
   * - other_account  issued to a payment of another merchant who shares the wallet
   * - skipped  never issued: skipped by a user, or used before elsewhere
   */
  readonly use: 'payment' | 'other_account' | 'skipped';
  /** Null for another account's, which would show when its customers began to pay. */
  readonly takenAt: UnixMs | null;
  /** Whether the network is still watched for coins to it; null for another account's. */
  readonly isWatched: boolean | null;
  /** Its payment; null unless `use` is `payment`. */
  readonly payment: {
    readonly id: string;
    readonly crypto: string;
    readonly status: string;
    readonly exception: string | null;
  } | null;
}

/** Rows per query, and so held in memory by one export. */
const BATCH_ROWS = 500;

/**
 * The addresses of a merchant's wallet that were used so far, by index, in batches: the next one is
 * read when it is requested. Throws a `TerminalError` `WALLET_NOT_FOUND`, also for another
 * merchant's wallet, and a `RetryableError` without a database.
 */
export async function* exportAddresses(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, walletId }: { readonly merchantId: string; readonly walletId: string },
): AsyncGenerator<readonly ExportedAddress[]> {
  const keyId = await requireKey(db, merchantId, walletId);
  for (let after = -1; ; ) {
    const batch = await readBatch(db, { merchantId, keyId, after });
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last.index;
  }
}

// Helpers

async function requireKey(db: Kysely<Database>, merchantId: string, walletId: string): Promise<string> {
  const wallet = await db
    .selectFrom('wallet')
    .select('derivation_key_id')
    .where('id', '=', walletId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (wallet !== undefined) return wallet.derivation_key_id;
  throw new TerminalError('WALLET_NOT_FOUND', 'Wallet not found; it may have been replaced. Reload the list');
}

async function readBatch(
  db: Kysely<Database>,
  { merchantId, keyId, after }: { merchantId: string; keyId: string; after: number },
): Promise<ExportedAddress[]> {
  const { rows } = await sql<ExportedAddressRow>`
    select address.derivation_index as index, address.address, address.taken_at, address.released_at,
      address.transaction_id is not null as is_allocated, own.id, own.crypto, own.status, own.exception
    from address
    left join transaction as own on own.id = address.transaction_id and own.merchant_id = ${merchantId}
    where address.derivation_key_id = ${keyId} and address.derivation_index > ${after} and address.taken_at is not null
    order by address.derivation_index limit ${BATCH_ROWS}`.execute(db);
  return rows.map(toExported);
}

interface ExportedAddressRow {
  readonly index: number;
  readonly address: string;
  readonly taken_at: UnixMs | null;
  readonly released_at: UnixMs | null;
  readonly is_allocated: boolean;
  readonly id: string | null;
  readonly crypto: string;
  readonly status: string;
  readonly exception: string | null;
}

function toExported(row: ExportedAddressRow): ExportedAddress {
  const { index, address, id, crypto, status, exception } = row;
  const unowned = row.is_allocated ? 'other_account' : 'skipped';
  const use = id === null ? unowned : 'payment';
  const isOthers = use === 'other_account';
  return {
    index,
    derivationPath: derivationPathOf(index),
    address,
    use,
    takenAt: isOthers ? null : row.taken_at,
    isWatched: isOthers ? null : row.released_at === null,
    payment: id === null ? null : { id, crypto, status, exception },
  };
}
