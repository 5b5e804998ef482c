import type {
  CryptoSymbol,
  FiatCurrency,
  PaymentStatus,
  TransactionException,
  TransactionStatus,
} from '../../../machines/index.ts';
import type { AttentionItemInfo } from './attention.ts';
import type { Mode } from './desk.ts';

/**
 * One payment of a merchant. Times are Unix ms on the payment's own clock, which can be moved for a
 * test payment.
 */

/**
 * The same amount in whole coins and in the fiat currency, at the rate locked at creation. Exact
 * decimals.
 */
export interface WorthInfo {
  readonly crypto: string;
  readonly fiat: string;
}

export type DecisionName = 'mark_paid' | 'dismiss' | 'confirm' | 'reject';

/** Response of GET `merchant/payments/:id`, and of every change of a payment. */
export interface PaymentInfo {
  readonly id: string;
  readonly mode: Mode;
  readonly type: 'basic' | 'detailed' | 'billing';
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /**
   * Increases with every event that changes the payment. A decision names the step it refers to.
   */
  readonly step: number;
  /** Decisions that are possible now. */
  readonly decisions: readonly DecisionName[];
  readonly crypto: CryptoSymbol;
  /** Like `Litecoin`. */
  readonly cryptoName: string;
  /** Like `bitcoin-testnet`. */
  readonly network: string;
  readonly chainName: string;
  readonly networkKind: 'mainnet' | 'testnet' | 'regtest' | 'simulated';
  readonly depositAddress: string;
  /** The customer's payment page. */
  readonly paymentUrl: string;
  readonly due: WorthInfo;
  readonly paid: WorthInfo;
  readonly remaining: WorthInfo;
  readonly excess: WorthInfo;
  /** The unexplained loss of an account-based address; null unless the payment is under review. */
  readonly missing: WorthInfo | null;
  readonly amountUsd: string;
  readonly currencyFiat: FiatCurrency;
  /** USD per whole coin, and USD per unit of the fiat currency. */
  readonly exchangeRate: string;
  readonly fiatToUsdRate: string;
  readonly rateSources: readonly string[];
  readonly confirmationsRequired: number;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly items: readonly ItemInfo[] | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly schedule: { readonly scheduleId: string; readonly periodNo: number } | null;
  readonly link: { readonly slug: string; readonly title: string } | null;
  readonly splits: readonly SplitInfo[];
  /** Unassigned deposits at its address, which do not affect the payment. */
  readonly strays: readonly StrayInfo[];
  /** Open ones first. */
  readonly attention: readonly AttentionItemInfo[];
  readonly events: readonly PaymentEventInfo[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEntryInfo[];
  /** There are more entries than these. */
  readonly isTimelineCut: boolean;
  /** Simulations that are possible now; empty for a payment that is not simulated. */
  readonly simulations: readonly SimulationName[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  readonly completedAt: number | null;
  readonly completedBy: 'chain' | 'merchant' | null;
  readonly confirmationDeadlineAt: number | null;
  readonly clockOffsetMs: number;
}

export interface ItemInfo {
  readonly name: string;
  readonly quantity: number;
  /** Exact decimal in the fiat currency, per item. */
  readonly price: string;
}

/** One on-chain transaction that paid the address. */
export interface SplitInfo {
  readonly outputId: string;
  /** Null when no transaction explains the coins. */
  readonly txid: string | null;
  readonly amount: WorthInfo;
  readonly confirmations: number;
  readonly status: PaymentStatus;
  readonly firstSeenAt: number;
  readonly confirmedAt: number | null;
  readonly isLate: boolean;
}

/**
 * A deposit after the 30 days for which the address is watched, or in another coin than requested.
 */
export interface StrayInfo {
  readonly outputId: string;
  readonly reason: 'monitoring_ended' | 'other_asset' | 'too_many_outputs';
  readonly asset: CryptoSymbol;
  readonly amountCrypto: string;
  readonly txid: string | null;
  readonly isConfirmed: boolean;
  readonly firstSeenAt: number;
}

/** A webhook event and the state of its delivery to each endpoint. */
export interface PaymentEventInfo {
  readonly id: string;
  readonly event: string;
  readonly createdAt: number;
  readonly deliveries: readonly {
    readonly id: string;
    readonly endpointId: string;
    readonly state: 'sending' | 'waiting' | 'delivered' | 'failed';
    readonly attempt: number;
  }[];
}

export interface TimelineEntryInfo {
  readonly sequence: number;
  readonly at: number;
  readonly who: TimelineWho;
  /** A plain sentence. */
  readonly words: string;
  /** The reason for a decision. */
  readonly reason: string | null;
  readonly txid: string | null;
  /** The status after it; null if unchanged. */
  readonly becomes: { readonly status: TransactionStatus; readonly exception: TransactionException | null } | null;
}

export type TimelineWho =
  | { readonly kind: 'shop' | 'customer' | 'chain' | 'clock' | 'operator' | 'service' }
  /** Null when the user is no longer with the merchant. */
  | { readonly kind: 'person'; readonly email: string | null };

/** Body of POST `merchant/payments/:id/decisions`. */
export interface DecisionBody {
  readonly decision: DecisionName;
  /** 1 to 500 characters. */
  readonly reason: string;
  /** `step` of the payment as shown: if it has changed since, nothing is decided. */
  readonly seenStep: number;
  /** One per click, generated by the page. */
  readonly requestId: string;
}

export type SimulationName =
  | 'pay'
  | 'pay_partial'
  | 'overpay'
  | 'pay_late'
  | 'confirm'
  | 'double_spend'
  | 'reorg'
  | 'drop_balance'
  | 'advance_clock';

/** Body of POST `merchant/payments/:id/simulate`, for test payments. */
export interface SimulationBody {
  readonly action: SimulationName;
  /** For `advance_clock`: 1 to 31,622,400. */
  readonly seconds?: number | undefined;
}
