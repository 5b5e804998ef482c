import type { ColumnType, Generated, SelectType } from 'kysely';
import type {
  CryptoSymbol,
  FiatCurrency,
  Mode,
  PaymentStatus,
  Presence,
  TransactionException,
  TransactionStatus,
  TransactionType,
} from '../../../../machines/index.ts';
import type {
  BaseUnits,
  InsertTimestamp,
  Json,
  JsonWithDefault,
  NullableJson,
  NullableTimestamp,
  Timestamp,
} from './columns.ts';

/**
 * What was agreed for a payment, written by the start of its actor; only the address for the
 * receipt may be given later.
 */
export interface TransactionTermsTable {
  id: string;
  merchant_id: string;
  mode: Mode;
  type: TransactionType;
  crypto: CryptoSymbol;
  network: string;
  deposit_address: string;
  due_base_units: BaseUnits;
  /** Decimal strings exactly as webhooks send them. */
  amount_crypto: string;
  amount_fiat: string;
  amount_usd: string;
  currency_fiat: FiatCurrency;
  fiat_to_usd_rate: string;
  exchange_rate: string;
  rate_sources: Json<readonly string[]>;
  /** Time of the oldest price in the two rates. */
  rates_at: Timestamp;
  confirmations_required: number;
  order_id: string | null;
  customer_email: string | null;
  /** Whether `customer_email` was given on the payment page instead of by the merchant. */
  customer_gave_email: Generated<boolean>;
  items: NullableJson<unknown>;
  metadata: NullableJson<unknown>;
  success_url: string | null;
  cancel_url: string | null;
  idempotency_key: string | null;
  /** SHA-256 of the canonical request body: reusing the key with another body is a conflict. */
  request_hash: string | null;
  created_at: Timestamp;
}

/** What changes of a payment; written in the commits of its actor. */
export interface TransactionStatusTable
  // Repeated for the indexes of lists.
  extends Pick<TransactionTermsTable, 'id' | 'merchant_id' | 'mode' | 'type' | 'crypto' | 'network' | 'created_at'> {
  status: TransactionStatus;
  exception: TransactionException | null;
  /** Sequence of the journal entry that last changed it. */
  step: Generated<number>;
  paid_base_units: BaseUnits;
  /**
   * Keyed hash of the customer's address; cleared once the transaction can no longer be pending.
   */
  client_hash: string | null;
  /**
   * Publishable key that created it, and the hash of the client's network; cleared with
   * `client_hash`.
   */
  opened_by_key: string | null;
  client_subnet_hash: string | null;
  /** Hash of the browser; cleared once it is completed or no longer watched. */
  customer_hash: string | null;
  updated_at: Timestamp;
  expires_at: Timestamp;
  completed_at: NullableTimestamp;
  completed_by: 'chain' | 'merchant' | null;
  /** It is completed, but its coins no longer pay it: see `src/payments/projection/loss.ts`. */
  loss: 'unconfirmed' | 'gone' | null;
}

/** A row of the view that joins both tables, for readers. */
export type TransactionRow = ReadOnly<TransactionTermsTable & TransactionStatusTable>;

/** Metadata values that a payment is found by; inserted with it, and not changed afterwards. */
export interface TransactionMetadataTable {
  /** Hash of merchant, mode and value: see `src/payments/projection/metadata-values.ts`. */
  value_hash: number;
  transaction_id: string;
}

/**
 * Transaction counts: the sum over the slots. Maintained by triggers on `transaction_status` in the
 * statement that changes it, so exact in every snapshot.
 */
export interface TransactionCountTable {
  merchant_id: string;
  mode: Mode;
  status: TransactionStatus;
  crypto: CryptoSymbol;
  /** Empty string for none. */
  exception: string;
  slot: number;
  /** May be negative in one slot. */
  transactions: number;
}

/** One on-chain output toward a transaction. */
export interface PaymentTable {
  transaction_id: string;
  output_id: string;
  network: string;
  txid: string | null;
  amount_base_units: BaseUnits;
  presence: Presence;
  status: PaymentStatus;
  /** Another transaction spends its coins; see `replacedIds`. */
  is_replaced: Generated<boolean>;
  /** Declined by the merchant: in `paid_base_units` only of a payment that has ended unpaid. */
  is_declined: Generated<boolean>;
  /** It came in time, but was unconfirmed when the payment missed its deadline. */
  missed_deadline: Generated<boolean>;
  /** It was unconfirmed then, whenever it came: confirmed, it raises `paid_late`. */
  given_up: Generated<boolean>;
  height: number | null;
  block_hash: string | null;
  first_seen_at: Timestamp;
  confirmed_at: NullableTimestamp;
}

export interface OperatorAlertTable {
  id: Generated<number>;
  actor_id: string | null;
  alert: string;
  detail: string;
  created_at: InsertTimestamp;
  resolved_at: NullableTimestamp;
}

/**
 * An item about a payment that needs a person's attention, or did. Written in the commits of the
 * payment's actor.
 */
export interface AttentionItemTable {
  transaction_id: string;
  kind: 'paid_late' | 'needs_review' | 'coins_lost' | 'underpaid' | 'overpaid' | 'coins_on_closed' | 'unassigned_coins';
  merchant_id: string;
  mode: Mode;
  /** The amount it concerns: received, in excess, or missing; without what was settled before. */
  base_units: BaseUnits;
  /** Ids of the outputs it concerns. */
  output_ids: Json<readonly string[]>;
  /** Incremented whenever the coins it concerns change. */
  revision: Generated<number>;
  /** When it was last opened, in wall-clock time. */
  raised_at: Timestamp;
  /** Null while it is open. */
  settled_at: NullableTimestamp;
  /** Opaque id of the user who settled it; null also when it was resolved automatically. */
  settled_by: string | null;
  /** The note of the last settlement; kept when the item opens again. */
  note: string | null;
  /** Sum of what users have settled. Coins beyond it open the item again. */
  settled_base_units: ColumnType<bigint, string | undefined, string>;
  settled_output_ids: JsonWithDefault<readonly string[]>;
}

// Helpers

type ReadOnly<Table> = { [Column in keyof Table]: ColumnType<SelectType<Table[Column]>, never, never> };
