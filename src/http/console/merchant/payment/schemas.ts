import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, text, whole } from '../../schema.ts';
import { AttentionItemInfo } from '../attention/schemas.ts';
import {
  ClockSeconds,
  CryptoSymbol,
  FiatCurrency,
  Mode,
  PaymentStatus,
  TransactionException,
  TransactionStatus,
} from '../schemas.ts';

/**
 * The same amount in whole coins and in the fiat currency, at the rate locked at creation. Exact
 * decimals.
 */
export const WorthInfo = Type.Object({
  crypto: Type.String(),
  fiat: Type.String(),
});
export type WorthInfo = Static<typeof WorthInfo>;

export const DecisionName = oneOf(['mark_paid', 'dismiss', 'confirm', 'reject']);
export type DecisionName = Static<typeof DecisionName>;

const ItemInfo = Type.Object({
  name: Type.String(),
  quantity: Type.Number(),
  /** Exact decimal in the fiat currency, per item. */
  price: Type.String(),
});

/** One on-chain transaction that paid the address. */
export const SplitInfo = Type.Object({
  outputId: Type.String(),
  /** Null when no transaction explains the coins. */
  txid: nullable(Type.String()),
  amount: WorthInfo,
  confirmations: Type.Number(),
  status: PaymentStatus,
  firstSeenAt: Type.Number(),
  confirmedAt: nullable(Type.Number()),
  isLate: Type.Boolean(),
});
export type SplitInfo = Static<typeof SplitInfo>;

/**
 * A deposit after the 30 days for which the address is watched, or in another coin than requested.
 */
export const UnassignedInfo = Type.Object({
  outputId: Type.String(),
  reason: oneOf(['monitoring_ended', 'other_asset', 'too_many_outputs']),
  asset: CryptoSymbol,
  amountCrypto: Type.String(),
  txid: nullable(Type.String()),
  isConfirmed: Type.Boolean(),
  firstSeenAt: Type.Number(),
});
export type UnassignedInfo = Static<typeof UnassignedInfo>;

/** A webhook event and the state of its delivery to each endpoint. */
export const PaymentEventInfo = Type.Object({
  id: Type.String(),
  event: Type.String(),
  createdAt: Type.Number(),
  deliveries: list(
    Type.Object({
      id: Type.String(),
      endpointId: Type.String(),
      state: oneOf(['sending', 'waiting', 'delivered', 'failed']),
      attempt: Type.Number(),
    }),
  ),
});
export type PaymentEventInfo = Static<typeof PaymentEventInfo>;

export const TimelineWho = Type.Union([
  Type.Object({
    kind: oneOf(['shop', 'customer', 'chain', 'clock', 'operator', 'service']),
  }),
  /** Null when the user is no longer with the merchant. */
  Type.Object({
    kind: Type.Literal('person'),
    email: nullable(Type.String()),
  }),
]);
export type TimelineWho = Static<typeof TimelineWho>;

export const TimelineEntryInfo = Type.Object({
  sequence: Type.Number(),
  at: Type.Number(),
  who: TimelineWho,
  /** A plain sentence. */
  words: Type.String(),
  /** The reason for a decision. */
  reason: nullable(Type.String()),
  txid: nullable(Type.String()),
  /** The status after it; null if unchanged. */
  becomes: nullable(
    Type.Object({
      status: TransactionStatus,
      exception: nullable(TransactionException),
    }),
  ),
});
export type TimelineEntryInfo = Static<typeof TimelineEntryInfo>;

export const SimulationName = oneOf([
  'pay',
  'pay_partial',
  'overpay',
  'pay_late',
  'confirm',
  'double_spend',
  'reorg',
  'drop_balance',
  'advance_clock',
]);
export type SimulationName = Static<typeof SimulationName>;

/** Times are Unix ms on the payment's own clock, which can be moved for a test payment. */
export const PaymentInfo = Type.Object({
  id: Type.String(),
  mode: Mode,
  type: oneOf(['basic', 'detailed', 'billing']),
  status: TransactionStatus,
  exception: nullable(TransactionException),
  /**
   * Increases with every event that changes the payment. A decision names the step it refers to.
   */
  step: Type.Number(),
  /** Decisions that are possible now. */
  decisions: list(DecisionName),
  crypto: CryptoSymbol,
  /** Like `Litecoin`. */
  cryptoName: Type.String(),
  /** Like `bitcoin-testnet`. */
  network: Type.String(),
  chainName: Type.String(),
  networkKind: oneOf(['mainnet', 'testnet', 'regtest', 'simulated']),
  depositAddress: Type.String(),
  /** The customer's payment page. */
  paymentUrl: Type.String(),
  due: WorthInfo,
  paid: WorthInfo,
  remaining: WorthInfo,
  excess: WorthInfo,
  /** The unexplained loss of an account-based address; null unless the payment is under review. */
  missing: nullable(WorthInfo),
  amountUsd: Type.String(),
  currencyFiat: FiatCurrency,
  /** USD per whole coin, and USD per unit of the fiat currency. */
  exchangeRate: Type.String(),
  fiatToUsdRate: Type.String(),
  rateSources: list(Type.String()),
  confirmationsRequired: Type.Number(),
  orderId: nullable(Type.String()),
  customerEmail: nullable(Type.String()),
  items: nullable(list(ItemInfo)),
  metadata: nullable(Type.Record(Type.String(), Type.Unknown())),
  schedule: nullable(
    Type.Object({
      scheduleId: Type.String(),
      periodNo: Type.Number(),
    }),
  ),
  link: nullable(
    Type.Object({
      slug: Type.String(),
      title: Type.String(),
    }),
  ),
  splits: list(SplitInfo),
  /** Unassigned deposits at its address, which do not affect the payment. */
  unassigned: list(UnassignedInfo),
  /** Open ones first. */
  attention: list(AttentionItemInfo),
  events: list(PaymentEventInfo),
  /** Oldest first. */
  timeline: list(TimelineEntryInfo),
  /** There are more entries than these. */
  isTimelineCut: Type.Boolean(),
  /** Simulations that are possible now; empty for a payment that is not simulated. */
  simulations: list(SimulationName),
  createdAt: Type.Number(),
  updatedAt: Type.Number(),
  expiresAt: Type.Number(),
  completedAt: nullable(Type.Number()),
  completedBy: nullable(oneOf(['chain', 'merchant'])),
  confirmationDeadlineAt: nullable(Type.Number()),
  clockOffsetMs: Type.Number(),
});
export type PaymentInfo = Static<typeof PaymentInfo>;

export const DecisionBody = Type.Object({
  decision: DecisionName,
  reason: text(500),
  /** `step` of the payment as shown: if it has changed since, nothing is decided. */
  seenStep: whole(1, Number.MAX_SAFE_INTEGER),
  /** One per click, generated by the page. */
  requestId: text(100),
});
export type DecisionBody = Static<typeof DecisionBody>;

/** Block heights are 32-bit numbers on every network. */
const MAX_BLOCK_HEIGHT = 2_147_483_647;

export const SearchBody = Type.Object({
  /** Of the transaction to search, as an explorer shows it. */
  txid: text(100),
  /** The block it is in, for nodes that cannot find a transaction by its id. */
  height: Type.Optional(whole(0, MAX_BLOCK_HEIGHT)),
});
export type SearchBody = Static<typeof SearchBody>;

/** For test payments. */
export const SimulationBody = Type.Object({
  action: SimulationName,
  /** For `advance_clock`. */
  seconds: Type.Optional(ClockSeconds),
});
export type SimulationBody = Static<typeof SimulationBody>;
