import type {
  CryptoSymbol,
  FiatCurrency,
  PaymentStatus,
  TransactionException,
  TransactionStatus,
} from '../../../machines/index.ts';
import type { AttentionItemInfo } from './attention.ts';
import type { Mode } from './desk.ts';

/** One payment of a merchant. Moments are Unix ms in the payment's own time, which a test payment may have moved. */

/** The same money in whole coins and in the fiat currency, at the rate locked at creation. Exact decimals. */
export interface WorthInfo {
  readonly crypto: string;
  readonly fiat: string;
}

export type DecisionName = 'mark_paid' | 'dismiss' | 'confirm' | 'reject';

/** Answer of GET `merchant/payments/:id`, and of everything that is done to one. */
export interface PaymentInfo {
  readonly id: string;
  readonly mode: Mode;
  readonly type: 'basic' | 'detailed' | 'billing';
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /** Rises with every event that changes the payment. A decision names the step it is about. */
  readonly step: number;
  /** What can be decided about it now. */
  readonly decisions: readonly DecisionName[];
  readonly crypto: CryptoSymbol;
  /** Like `Litecoin`. */
  readonly cryptoName: string;
  /** Like `bitcoin-testnet`. */
  readonly network: string;
  readonly chainName: string;
  readonly networkKind: 'mainnet' | 'testnet' | 'regtest' | 'simulated';
  readonly depositAddress: string;
  /** The customer's page. */
  readonly paymentUrl: string;
  readonly due: WorthInfo;
  readonly paid: WorthInfo;
  readonly remaining: WorthInfo;
  readonly excess: WorthInfo;
  /** What an account lost that nothing explains; null unless it is under review. */
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
  /** Coins at its address that are no payment and change nothing about it. */
  readonly strays: readonly StrayInfo[];
  /** Open ones first. */
  readonly attention: readonly AttentionItemInfo[];
  readonly events: readonly PaymentEventInfo[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEntryInfo[];
  /** There is more than what is here. */
  readonly isTimelineCut: boolean;
  /** What simulating can do with it now; empty for what is not simulated. */
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
  /** Exact decimal in the fiat currency, per piece. */
  readonly price: string;
}

/** One transaction of the chain that paid the address. */
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

/** Coins that came after the address had been watched for 30 days, or another coin than was asked for. */
export interface StrayInfo {
  readonly outputId: string;
  readonly reason: 'monitoring_ended' | 'other_asset' | 'too_many_outputs';
  readonly asset: CryptoSymbol;
  readonly amountCrypto: string;
  readonly txid: string | null;
  readonly isConfirmed: boolean;
  readonly firstSeenAt: number;
}

/** A webhook event and what has become of it at each endpoint. */
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
  /** Why somebody decided so. */
  readonly reason: string | null;
  readonly txid: string | null;
  /** How it stands after it; null where that did not change. */
  readonly becomes: { readonly status: TransactionStatus; readonly exception: TransactionException | null } | null;
}

export type TimelineWho =
  | { readonly kind: 'shop' | 'customer' | 'chain' | 'clock' | 'operator' | 'service' }
  /** Null when they are no longer with the merchant. */
  | { readonly kind: 'person'; readonly email: string | null };

/** Body of POST `merchant/payments/:id/decisions`. */
export interface DecisionBody {
  readonly decision: DecisionName;
  /** 1 to 500 characters. */
  readonly reason: string;
  /** `step` of the payment as it was shown: when it has moved on since, nothing is decided. */
  readonly seenStep: number;
  /** One per click, made by the page. */
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
