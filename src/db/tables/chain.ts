import type { ColumnType, Generated } from 'kysely';
import type { BaseUnits, Json, Moment, MomentOfInsert, NullableMoment } from './columns.ts';

/** One receive chain: an extended public key used on one network. Shared by everyone who gave the same key. */
export interface DerivationKeyTable {
  id: string;
  network: string;
  /** Whose payments it takes, for ever: a key of live payments never takes test payments, nor the other way round. */
  mode: 'live' | 'test';
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
  /** The chain was asked and knows no earlier history of it; null when it was not asked or could not tell. */
  vetted_at: NullableMoment;
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
  /** Why the newest look failed; null when it succeeded. */
  last_error: string | null;
  last_error_at: NullableMoment;
  /** Sentences about what an operator should mend although looking works. */
  warnings: ColumnType<unknown, string | undefined, string>;
  /** Tokens whose contract is not what the settings say: payments in them would not be seen. */
  unwatched_assets: ColumnType<unknown, string | undefined, string>;
  /** Up to which block `account_balance` was followed; another height than the cursor's when a former version moved it. */
  balances_height: number | null;
  /** Rises whenever balances were not followed for a while; see `AccountBalanceTable`. */
  balance_era: Generated<number>;
  /** Last sign of life of the watcher, whether its look succeeded or failed. */
  reported_at: NullableMoment;
}

/** Which process watches a network. Whoever finds the lease expired may take it. */
export interface ChainLeaseTable {
  network: string;
  holder: string;
  expires_at: Moment;
}

/**
 * What accounts of watched addresses should hold as of the network's cursor, to notice money that no transaction shows. See
 * the EVM watcher.
 */
export interface AccountBalanceTable {
  network: string;
  watch_key: string;
  asset: string;
  /** Null when nothing is known yet. */
  expected_base_units: BaseUnits | null;
  /** Rows of another era than their network's were not followed: what they say is unknown. */
  era: Generated<number>;
  /** When the account is to be compared next. */
  due_at: ColumnType<number, Date | undefined, Date>;
}

/**
 * Coins that belong to no running payment: they came to an address nobody was given, after its monitoring ended, or in
 * another coin than the payment's. Recorded so that money is never ignored.
 */
export interface StrayPaymentTable {
  network: string;
  output_id: string;
  asset: string;
  /** As the watcher matched it: hex output script or lower-case address belong to this address. */
  address: string;
  /** The payment the address was handed out for; null when it was free. */
  transaction_id: string | null;
  reason: 'unassigned_address' | 'monitoring_ended' | 'other_asset' | 'too_many_outputs';
  txid: string | null;
  amount_base_units: BaseUnits;
  /** Newest standing told by the watcher: mempool, block, confirmed or gone. */
  standing: string;
  height: number | null;
  /** Order of that standing; an older one changes nothing. */
  chain_order: number;
  first_seen_at: Moment;
  /**
   * When a person settled these coins, which may still leave the chain and come back; only of
   * `too_many_outputs`.
   */
  settled_at: NullableMoment;
}

export interface ChainBlockTable {
  network: string;
  height: number;
  block_hash: string;
  outputs: Json<unknown>;
  /** By how much watched accounts changed in it; null where a former version scanned it. */
  flows: Json<unknown> | null;
}
