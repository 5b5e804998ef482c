import type { BaseUnitsString } from '../vocabulary/amount.ts';
import type { CryptoSymbol, FiatCurrency } from '../vocabulary/asset.ts';
import type { UnixMs } from '../vocabulary/time.ts';

/**
 * What one transaction knows. Plain JSON: a snapshot written to the database and read back is equal to the
 * one in memory. Amounts are base-unit strings, moments are Unix milliseconds.
 */
export interface TransactionContext extends TransactionTerms {
  /** Every output that the payment took, sorted by first seen, then id. Never shrinks. */
  readonly outputs: readonly OutputRecord[];
  /** When the payment window closes. Moves only when a review stopped the clock. */
  readonly expiresAt: UnixMs;
  /** The network has been looked at past `expiresAt`: nothing in time can surface any more. */
  readonly windowClosed: boolean;
  /** When coins that were seen must be in a block; null while nothing waits for that. */
  readonly confirmationDeadlineAt: UnixMs | null;
  /** When coins that vanished after the window count as lost for good; null while nothing is missing. */
  readonly lossSettlesAt: UnixMs | null;
  /**
   * While coins confirm: since when each output that came in time does not count, by its id. Each
   * loss has its own time.
   */
  readonly lostSince?: Readonly<Record<string, UnixMs>> | undefined;
  /** When a verification that nobody has answered is asked for again; null while none is under way. */
  readonly verificationDueAt: UnixMs | null;
  /** The clock reading of the last event that was accepted. */
  readonly updatedAt: UnixMs;
  /** Number of webhook notifications so far; the last one's `sequence`. */
  readonly notifications: number;
  /** Sum that the last payment.partial told; null before the first. */
  readonly partialToldBaseUnits: BaseUnitsString | null;
  /** Highest confirmed sum that a payment.overpaid told; null before the first. */
  readonly overpaidToldBaseUnits: BaseUnitsString | null;
  readonly paidLateTold: boolean;
  /** Set while a balance drop is unexplained, and kept afterwards as history. */
  readonly review: Review | null;
  /** Output ids that a decision or a failure has already dealt with; they raise paid_late no more. */
  readonly acknowledgedOutputIds: readonly string[];
  /** Output ids that were on their way, unconfirmed, when the payment failed; only their confirmation raises paid_late. */
  readonly givenUpOutputIds: readonly string[];
  readonly failedAt: UnixMs | null;
  readonly failedBy: 'loss' | 'deadline' | 'merchant' | null;
  readonly completedAt: UnixMs | null;
  readonly completedBy: 'chain' | 'merchant' | null;
  /** What completed it: the confirmed sum, or what was there when the merchant said so. Less on the chain alarms the operator. */
  readonly settledBaseUnits: BaseUnitsString | null;
  readonly lossAlerted: boolean;
  /** Height the depth timer waits for; null when no output waits for depth. */
  readonly depthTimerHeight: number | null;
}

/** What was agreed at creation. Nothing here changes later. */
export interface TransactionTerms {
  readonly transactionId: string;
  readonly merchantId: string;
  readonly mode: 'live' | 'test';
  readonly type: 'basic' | 'detailed' | 'billing';
  readonly crypto: CryptoSymbol;
  /** The network whose watcher reports this address, e.g. `litecoin-regtest` or `simulated-ltc`. */
  readonly network: string;
  readonly depositAddress: string;
  readonly dueBaseUnits: BaseUnitsString;
  /** Absolute tolerance: this much may be missing, this much too much is not "overpaid". */
  readonly toleranceBaseUnits: BaseUnitsString;
  readonly confirmationsRequired: number;
  /** The merchant asks for more confirmations than one, so a lock on a block does not take their place. Left out otherwise. */
  readonly waitsForDepth?: true;
  /** How long coins that are needed may be in no block before the payment fails. */
  readonly confirmationDeadlineMs: number;
  /** How long coins that vanished after the window must stay away, as a network that is looked at shows, until they are lost. */
  readonly lossSettlesMs: number;
  readonly createdAt: UnixMs;
  /** Length of the payment window. */
  readonly windowMs: number;
  /** What the customer was quoted, for webhooks: decimal strings exactly as they are sent. */
  readonly quote: Quote;
  /** The period of a schedule that it is to pay; left out for payments of their own. */
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

/** One on-chain output (or token transfer, or unexplained balance rise) paying the address. */
export interface OutputRecord {
  /**
   * `txid:vout`, `txhash:logIndex`, `txhash`, `txhash:internal:address`, or or
   * `balance:address:height:hash` when no transaction explains it.
   */
  readonly outputId: string;
  readonly txid: string | null;
  readonly amountBaseUnits: BaseUnitsString;
  readonly presence: Presence;
  /** The observation this record stands for; older ones are ignored. See `ChainOrder`. */
  readonly order: ChainOrder;
  /** Mempool time when a node saw it there, else block time. What was observed first says so, not what is earliest. */
  readonly firstSeenAt: UnixMs;
  /** The observation that `firstSeenAt` is from: the lowest order ever reported of its transaction. */
  readonly firstSeenOrder: ChainOrder;
  /**
   * While it waits in the mempool after it was in a block, or was gone: since when, by the
   * first event that said so.
   */
  readonly backSince?: UnixMs;
  /** What its transaction uses up, as far as it was reported; see `Sighted.spends`. */
  readonly spends?: readonly string[];
  /** Outputs that its reports named, with the order before which they are outdated; see `Outdated`. */
  readonly outdates?: Readonly<Record<string, ChainOrder>>;
  /** Present while `firstSeenAt` is that of a transaction which this one replaces: its own first sighting. */
  readonly ownSighting?: { readonly at: UnixMs; readonly order: ChainOrder };
  /**
   * Replaced by a newer transaction that spends the same coins, found under another name in another
   * block, or reported gone with, or before, an output that was processed first.
   */
  readonly superseded?: true;
  readonly height: number | null;
  readonly blockHash: string | null;
  /** When the required depth was verified in the block the output is in; null until then. */
  readonly confirmedAt: UnixMs | null;
  /** The newest verification of its depth, kept when the output leaves that block. */
  readonly verified: Verification | null;
  readonly goneReason: GoneReason | null;
  /** A depth verification was asked for and not answered yet. */
  readonly verifying: boolean;
}

/** A block in which an output was found deep enough. Should it come back to that block, it is deep again. */
export interface Verification {
  readonly blockHash: string;
  readonly order: ChainOrder;
  readonly at: UnixMs;
}

export type Presence = 'mempool' | 'block' | 'gone';
export type GoneReason = 'replaced' | 'evicted' | 'reorged';

/**
 * Total order of one network's observations: fencing epoch of the watcher, then its counter, packed as
 * `epoch * 2^32 + counter` (a safe integer for two million epochs). The highest order wins, so
 * duplicates and reordering on the way cannot change where a payment ends.
 */
export type ChainOrder = number;

/**
 * Outputs that were reported as gone, or smaller, together with another one or shortly before it:
 * what was observed of them before this order, the first of its report, counts no more.
 */
export interface Outdated {
  readonly outputIds: readonly string[];
  readonly before: ChainOrder;
}

/** Coins that a payment address lacks. */
export interface Shortfall {
  readonly missingBaseUnits: BaseUnitsString;
  /**
   * What the address should hold. The same once more is the same loss, seen again or in another
   * branch. Left out where no watcher says so, as in simulations.
   */
  readonly expectedBaseUnits?: BaseUnitsString;
}

export interface Review {
  readonly startedAt: UnixMs;
  readonly missingBaseUnits: BaseUnitsString;
  /**
   * Its parts, of which it is known what the address should hold, with the sum that was seen then;
   * the newest last.
   */
  readonly shortfalls?: readonly (Shortfall & { readonly seenBaseUnits: BaseUnitsString })[];
  readonly seenAtStartBaseUnits: BaseUnitsString;
  readonly resolvedAt: UnixMs | null;
}
