import type { ColumnType, Generated } from 'kysely';
import type { Json, MomentOfInsert, NullableMoment } from './columns.ts';

/** One receive chain: an extended public key used on one network. Shared by everyone who gave the same key. */
export interface DerivationKeyTable {
  id: string;
  network: string;
  /** SHA-256 over network, address type, public key and chain code: the same key always meets the same row. */
  fingerprint: string;
  extended_public_key: string;
  address_type: string;
  /** First index that has not been derived yet. Only ever rises. */
  next_index: Generated<number>;
  created_at: MomentOfInsert;
}

export interface WalletTable {
  id: string;
  /** Null: the built-in test wallet of the simulated network. */
  merchant_id: string | null;
  crypto: string;
  network: string;
  derivation_key_id: string;
  created_at: MomentOfInsert;
}

/**
 * Every address ever derived. Free ones (`taken_at` null) are derived ahead, watched like all others and handed out in
 * the order of their index; a taken one is never given to anybody else. Taken without a transaction: skipped
 * for good, because a lost copy of this database may have handed it out.
 */
export interface AddressTable {
  network: string;
  address: string;
  /** Hex output script, or lower-case address: what the watcher matches. */
  watch_key: string;
  derivation_key_id: string;
  derivation_index: number;
  transaction_id: string | null;
  taken_at: NullableMoment;
  /** Monitoring has ended. */
  released_at: NullableMoment;
  /** Transaction that inserted the row: lets a watcher load exactly what it has not seen. */
  inserted_xid: ColumnType<string, never, never>;
}

export interface ChainCursorTable {
  network: string;
  /** Fencing epoch of the newest watcher. */
  epoch: number;
  height: number | null;
  block_hash: string | null;
  tip_height: number | null;
  looked_until: NullableMoment;
  /** Outputs the watcher follows that are in no scanned block. */
  unsettled: ColumnType<unknown, string | undefined, string>;
}

export interface ChainBlockTable {
  network: string;
  height: number;
  block_hash: string;
  outputs: Json<unknown>;
}
