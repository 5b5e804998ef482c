import type { ColumnType, Generated } from 'kysely';
import type { Mode } from '../../../../machines/index.ts';
import type { BaseUnits, InsertTimestamp, Json, NullableTimestamp, Timestamp } from './columns.ts';

/**
 * One receive chain: an extended public key on one network. Shared by all merchants that entered
 * the same key.
 */
export interface DerivationKeyTable {
  id: string;
  network: string;
  /** Permanent: a key for live payments never receives test payments, and vice versa. */
  mode: Mode;
  /**
   * SHA-256 of network, address type, public key and chain code: the same key always maps to the
   * same row.
   */
  fingerprint: string;
  extended_public_key: string;
  address_type: string;
  /** Next derivation index. Only increases. */
  next_index: Generated<number>;
  created_at: InsertTimestamp;
}

export interface WalletTable {
  id: string;
  /** Null for the built-in test wallet of the simulated network. */
  merchant_id: string | null;
  crypto: string;
  network: string;
  derivation_key_id: string;
  created_at: InsertTimestamp;
}

/**
 * Every address ever derived, watched from then on. Unused ones (`taken_at` null) have a row in
 * `free_address`; an assigned address is never reused. `taken_at` without `transaction_id`: skipped
 * permanently, because a lost copy of this database or another program may have used it.
 */
export interface AddressTable {
  network: string;
  address: string;
  /** Hex output script, or lower-case address, by which the watcher matches outputs. */
  watch_key: string;
  derivation_key_id: string;
  derivation_index: number;
  transaction_id: string | null;
  taken_at: NullableTimestamp;
  /** The last block scanned when it was assigned to a payment; null before the first. */
  taken_height: number | null;
  /** When monitoring ended. */
  released_at: NullableTimestamp;
  /** When the chain was found to have no earlier history of it; null if not checked or unknown. */
  vetted_at: NullableTimestamp;
  /** When it was skipped because the chain has an earlier history of it; null for all others. */
  found_used_at: NullableTimestamp;
  /** Id of the inserting transaction, so that a watcher loads only rows it has not seen. */
  inserted_xid: ColumnType<string, never, never>;
}

/** Addresses that may be assigned: those of `AddressTable` whose `taken_at` is null. */
export interface FreeAddressTable {
  derivation_key_id: string;
  /** Not yet checked for earlier use: assigned last. False on simulated networks. */
  awaits_vetting: boolean;
  derivation_index: number;
  network: string;
}

export interface ChainCursorTable {
  network: string;
  /** Fencing token of the newest watcher. */
  epoch: number;
  height: number | null;
  block_hash: string | null;
  tip_height: number | null;
  synced_until: NullableTimestamp;
  /** Coins of undone blocks that were reported as gone and may return. */
  reorged: ColumnType<unknown, string | undefined, string>;
  /** Why the last poll failed; null after a success. */
  last_error: string | null;
  last_error_at: NullableTimestamp;
  /** Problems an operator should fix although polling works, as sentences. */
  warnings: ColumnType<unknown, string | undefined, string>;
  /** Tokens whose contract does not match the settings: payments in them are not detected. */
  unwatched_assets: ColumnType<unknown, string | undefined, string>;
  /**
   * The cost of a typical transfer of the chain's native coin, in its base units; null when
   * unknown.
   */
  coin_fee: BaseUnits | null;
  /** The same for a token, in base units of the chain's native coin. */
  token_fee: BaseUnits | null;
  /** When the node last returned fees. */
  fees_at: NullableTimestamp;
  /**
   * Block height up to which `account_balance` was updated; differs from the cursor's when an older
   * version moved it.
   */
  balances_height: number | null;
  /** Incremented whenever balance updates were interrupted; see `AccountBalanceTable`. */
  balance_era: Generated<number>;
  /** Last heartbeat of the watcher, whether its poll succeeded or failed. */
  reported_at: NullableTimestamp;
}

/** Tracked outputs that are in no scanned block: in the mempool, or dropped from a block. */
export interface UnsettledOutputTable {
  network: string;
  output_id: string;
  output: ColumnType<unknown, string, string>;
}

/** Which process watches a network. Any process may take an expired lease. */
export interface ChainLeaseTable {
  network: string;
  holder: string;
  expires_at: Timestamp;
}

/**
 * Expected balances of watched addresses at the network's cursor, to detect incoming coins that no
 * transaction shows. See the EVM watcher.
 */
export interface AccountBalanceTable {
  network: string;
  watch_key: string;
  asset: string;
  /** Null while unknown. */
  expected_base_units: BaseUnits | null;
  /** A row whose era is not the network's current one was not updated: its balance is unknown. */
  era: Generated<number>;
  /**
   * When the balance is next compared with the chain. `-infinity`: now, even if the address was
   * released.
   */
  due_at: ColumnType<number, Date | undefined, Date>;
}

/**
 * Unassigned deposits: coins that belong to no active payment. They arrived at an address not
 * assigned to a payment, before it was created, after its monitoring ended, in another coin than
 * the payment's, or as one output too many. Recorded so that no deposit is ignored.
 */
export interface UnassignedPaymentTable {
  network: string;
  output_id: string;
  asset: string;
  /** The derived address whose `watch_key` the watcher matched. */
  address: string;
  /** The payment the address was assigned to; null for an unused address. */
  transaction_id: string | null;
  reason: 'unassigned_address' | 'before_payment' | 'monitoring_ended' | 'other_asset' | 'too_many_outputs';
  txid: string | null;
  amount_base_units: BaseUnits;
  /** Latest status from the watcher: mempool, block, confirmed or gone. */
  status: string;
  height: number | null;
  /** Order of that status; an older one changes nothing. */
  chain_order: number;
  first_seen_at: Timestamp;
  /**
   * When a user settled these coins, which may still be dropped from the chain and return; only for
   * `too_many_outputs`.
   */
  settled_at: NullableTimestamp;
}

export interface ChainBlockTable {
  network: string;
  height: number;
  block_hash: string;
  outputs: Json<unknown>;
  /** Balance changes of watched accounts in this block; null on chains without accounts. */
  flows: Json<unknown> | null;
}
