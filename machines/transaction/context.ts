import type { BaseUnitsString } from '../vocabulary/amount.ts';
import type { CryptoSymbol, FiatCurrency } from '../vocabulary/asset.ts';
import type { Mode } from '../vocabulary/mode.ts';
import type { UnixMs } from '../vocabulary/time.ts';
import type { TransactionType } from '../vocabulary/transaction-type.ts';

/**
 * Context of one transaction. Plain JSON: a snapshot read back from the database equals the one in
 * memory. Amounts are base-unit strings, times are Unix milliseconds.
 */
export interface TransactionContext extends TransactionTerms {
  /** Every output recorded for the payment, sorted by first seen, then id. Never shrinks. */
  readonly outputs: readonly OutputRecord[];
  /** When the payment window closes. Moves only when a review stopped the clock. */
  readonly expiresAt: UnixMs;
  /** The network was scanned past `expiresAt`: no coins in time can appear. */
  readonly windowClosed: boolean;
  /** When seen coins must be in a block; null while none wait for one. */
  readonly confirmationDeadlineAt: UnixMs | null;
  /** When coins that vanished after the window count as lost; null while none are missing. */
  readonly lossSettlesAt: UnixMs | null;
  /**
   * While confirming: when each output seen in time stopped counting, by id; each has a timeout.
   */
  readonly lostSince?: Readonly<Record<string, UnixMs>> | undefined;
  /** When an unanswered verification is requested again; null while none is pending. */
  readonly verificationDueAt: UnixMs | null;
  /** Time of the last accepted event. */
  readonly updatedAt: UnixMs;
  /** Number of webhook notifications so far, equal to the `sequence` of the last one. */
  readonly notifications: number;
  /** Sum reported by the last payment.partial; null before the first. */
  readonly partialNotifiedBaseUnits: BaseUnitsString | null;
  /** Highest confirmed sum reported by a payment.overpaid; null before the first. */
  readonly overpaidNotifiedBaseUnits: BaseUnitsString | null;
  /** The last notification is payment.paid_late, and nothing was decided since. */
  readonly paidLateNotified: boolean;
  /** Set when a balance drop is unexplained, and kept afterwards as history. */
  readonly review: Review | null;
  /** Outputs already covered by a decision or a failure; they no longer raise paid_late. */
  readonly acknowledgedOutputIds: readonly string[];
  /**
   * Acknowledged outputs that are declined whatever failed the payment: settled by a user, or
   * declined before it missed its deadline. Absent while there are none.
   */
  readonly declinedOutputIds?: readonly string[] | undefined;
  /**
   * Balances that a decision or a failure covers: their sum then, and the order of that report.
   * Transactions that explain them later are the same money. Absent while there are none.
   */
  readonly decidedBalances?: Readonly<Record<string, DecidedBalance>> | undefined;
  /** Outputs unconfirmed when the payment failed; only their confirmation raises paid_late. */
  readonly givenUpOutputIds: readonly string[];
  readonly failedAt: UnixMs | null;
  readonly failedBy: 'loss' | 'deadline' | 'merchant' | null;
  readonly completedAt: UnixMs | null;
  readonly completedBy: 'chain' | 'merchant' | null;
  /**
   * The sum that completed it: confirmed, or seen when the merchant accepted it. If less remains on
   * the chain, the operator is alerted.
   */
  readonly settledBaseUnits: BaseUnitsString | null;
  /**
   * The sum that users have settled as too much since: it may have been refunded, so it does not
   * pay. Absent while there is none.
   */
  readonly surplusSettledBaseUnits?: BaseUnitsString | undefined;
  /**
   * The sum whose loss users have settled since: it may have been paid in another way, so it is
   * too much if it returns. Absent while there is none.
   */
  readonly lossSettledBaseUnits?: BaseUnitsString | undefined;
  readonly lossAlerted: boolean;
  /** Height the depth timer waits for; null when no output waits for depth. */
  readonly depthTimerHeight: number | null;
}

/** The terms fixed at creation. They never change. */
export interface TransactionTerms {
  readonly transactionId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly type: TransactionType;
  readonly crypto: CryptoSymbol;
  /** The network whose watcher reports this address, e.g. `litecoin-regtest` or `simulated-ltc`. */
  readonly network: string;
  readonly depositAddress: string;
  readonly dueBaseUnits: BaseUnitsString;
  /** Absolute tolerance: this much may be missing, and this much surplus is not "overpaid". */
  readonly toleranceBaseUnits: BaseUnitsString;
  readonly confirmationsRequired: number;
  /**
   * The merchant requires more than one confirmation, so a block lock (ChainLock) does not replace
   * them. Absent otherwise.
   */
  readonly waitsForDepth?: true;
  /** How long needed coins may stay outside a block before the payment fails. */
  readonly confirmationDeadlineMs: number;
  /**
   * How long coins that vanished after the window must stay away, as shown by a scanned network,
   * before they count as lost.
   */
  readonly lossSettlesMs: number;
  readonly createdAt: UnixMs;
  /** Length of the payment window. */
  readonly windowMs: number;
  /** The quote given to the customer, for webhooks: decimal strings exactly as they are sent. */
  readonly quote: Quote;
  /** The schedule period it pays; absent for one-off payments. */
  readonly schedule?: ScheduledPeriod;
}

/** Which period of which recurring payment request a payment is for. */
export interface ScheduledPeriod {
  readonly scheduleId: string;
  readonly periodNo: number;
}

export interface Quote {
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  readonly amountUsd: string;
  readonly amountCrypto: string;
  /** USD per unit of the fiat currency, at creation. */
  readonly fiatToUsdRate: string;
  /** USD per whole coin, locked at creation. */
  readonly exchangeRate: string;
}

export interface DecidedBalance {
  readonly baseUnits: BaseUnitsString;
  readonly order: ChainOrder;
}

/** One on-chain output (or token transfer, or unexplained balance rise) paying the address. */
export interface OutputRecord {
  /**
   * `txid:vout`, `txhash:logIndex`, `txhash`, `txhash:internal:address`, or
   * `balance:address:height:hash` when no transaction explains it.
   */
  readonly outputId: string;
  readonly txid: string | null;
  readonly amountBaseUnits: BaseUnitsString;
  readonly presence: Presence;
  /** Order of the observation this record reflects; older ones are ignored. See `ChainOrder`. */
  readonly order: ChainOrder;
  /**
   * Mempool time if a node saw it there, else block time. Taken from the first observation, which
   * need not be the earliest time.
   */
  readonly firstSeenAt: UnixMs;
  /** Order of the observation that `firstSeenAt` is from: the lowest one of its transaction. */
  readonly firstSeenOrder: ChainOrder;
  /**
   * Set while it is back in the mempool after being in a block or gone: the time of the first event
   * that reported so.
   */
  readonly backSince?: UnixMs;
  /** Inputs its transaction spends, as far as reported; see `Sighted.spends`. */
  readonly spends?: readonly string[];
  /** Outputs named by its reports, with the order before which each is outdated; see `Outdated`. */
  readonly outdates?: Readonly<Record<string, ChainOrder>>;
  /** Its own first sighting; present while `firstSeenAt` is inherited from a replaced one. */
  readonly ownSighting?: { readonly at: UnixMs; readonly order: ChainOrder };
  /** The first sightings of all that it replaces; present when those are several. */
  readonly replacedSightings?: readonly ChainOrder[];
  /**
   * Replaced by a newer transaction that spends the same coins, found under another id in another
   * block, or outdated by a report about another output that was processed first (see `Outdated`).
   */
  readonly superseded?: true;
  readonly height: number | null;
  readonly blockHash: string | null;
  /** When the required depth was verified in the output's current block; null until then. */
  readonly confirmedAt: UnixMs | null;
  /** The newest depth verification, kept when the output leaves that block. */
  readonly verified: Verification | null;
  readonly goneReason: GoneReason | null;
  /** A depth verification was requested and has no response yet. */
  readonly verifying: boolean;
}

/** A block in which an output was verified deep enough; holds again if the output returns to it. */
export interface Verification {
  readonly blockHash: string;
  readonly order: ChainOrder;
  readonly at: UnixMs;
}

export type Presence = 'mempool' | 'block' | 'gone';
export type GoneReason = 'replaced' | 'evicted' | 'reorged';

/**
 * Total order of one network's observations: the watcher's fencing epoch, then its counter, packed
 * as `epoch * 2^32 + counter` (a safe integer for two million epochs). The highest order wins, so
 * duplicates and reordering in transit cannot change the final state of a payment.
 */
export type ChainOrder = number;

/**
 * Outputs that were reported gone or smaller, together with another one or shortly before it:
 * observations of them before this order, the first of that report, no longer count.
 */
export interface Outdated {
  readonly outputIds: readonly string[];
  readonly before: ChainOrder;
}

/** An amount missing from a payment address. */
export interface Shortfall {
  readonly missingBaseUnits: BaseUnitsString;
  /**
   * Balance the address should hold. The same value again is the same loss, seen again or on
   * another branch. Absent where no watcher reports it, as in simulations.
   */
  readonly expectedBaseUnits?: BaseUnitsString;
}

export interface Review {
  readonly startedAt: UnixMs;
  readonly missingBaseUnits: BaseUnitsString;
  /** The parts whose expected balance is known, with the sum seen at that time; newest last. */
  readonly shortfalls?: readonly (Shortfall & { readonly seenBaseUnits: BaseUnitsString })[];
  readonly seenAtStartBaseUnits: BaseUnitsString;
  readonly resolvedAt: UnixMs | null;
}
