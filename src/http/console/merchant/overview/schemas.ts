import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, refined } from '../../schema.ts';
import { PaymentListItem } from '../payments/schemas.ts';
import { CryptoSymbol, FiatCurrency } from '../schemas.ts';

/** A test payment, which the user pays in the customer's place. */
export const StartedPayment = Type.Object({
  id: Type.String(),
  /** The customer's payment page. */
  paymentUrl: Type.String(),
});
export type StartedPayment = Static<typeof StartedPayment>;

/** Computed from the current data, not stored: a step that is undone becomes open again. */
export const FirstRun = Type.Object({
  /** A wallet for at least one coin. */
  hasWallet: Type.Boolean(),
  /** The service accepts live payments in one of them now. */
  canBePaid: Type.Boolean(),
  /** Keys that work now. */
  hasTestKey: Type.Boolean(),
  hasLiveKey: Type.Boolean(),
  hasEndpoint: Type.Boolean(),
  /** An endpoint has accepted an event: responded with a status from 200 to 299. */
  hasDelivered: Type.Boolean(),
  hasTestPayment: Type.Boolean(),
  /** The newest test payment that waits for payment or confirmation. */
  openTestPayment: nullable(StartedPayment),
  hasLivePayment: Type.Boolean(),
});
export type FirstRun = Static<typeof FirstRun>;

export const Sums = Type.Object({
  created: Type.Number(),
  completed: Type.Number(),
  /** Exact decimal; completed payments only. */
  volumeUsd: Type.String(),
});
export type Sums = Static<typeof Sums>;

export const PlanUsage = Type.Object({
  used: Type.Number(),
  /** Null without limit. */
  limit: nullable(Type.Number()),
  resetsAt: Type.Number(),
});
export type PlanUsage = Static<typeof PlanUsage>;

/** A wallet that replaced another. */
export const ReplacedWallet = Type.Object({
  at: Type.Number(),
  /** Like `litecoin-mainnet`. */
  network: Type.String(),
  cryptos: list(Type.String()),
  /** E-mail of the user who replaced it; null for a program or a deleted user. */
  by: nullable(Type.String()),
});
export type ReplacedWallet = Static<typeof ReplacedWallet>;

/** The merchant's start page: setup steps and key figures. */
export const Overview = Type.Object({
  /** The same in both modes. */
  firstRun: FirstRun,
  /** Base URL of the API, including `/v1`. */
  apiUrl: Type.String(),
  /** The options of a test payment: coins that can be paid with now, and currencies. */
  cryptos: list(Type.String()),
  currencies: list(Type.String()),
  /** Whether test payments are simulated, or use a test network with coins without value. */
  testPayments: oneOf(['simulated', 'onchain']),
  /** Payments created since the start of the day, in UTC. */
  today: Sums,
  /** The same for today and the six days before. */
  week: Sums,
  /** Payments completed this month that count toward the plan. */
  usage: PlanUsage,
  /** Newest first. */
  latest: list(PaymentListItem),
  /** Wallets of both modes that were replaced in the last 7 days, newest first. */
  replacedWallets: list(ReplacedWallet),
});
export type Overview = Static<typeof Overview>;

const Price = refined(
  Type.String({ errorMessage: 'must be a price like 25 or 19.99', errorCode: 'INVALID_AMOUNT' }),
  (price) => /^\d{1,9}(\.\d{1,2})?$/.test(price),
  'must be a price like 25 or 19.99',
);

export const TestPaymentBody = Type.Object({ crypto: CryptoSymbol, amount: Price, currency: FiatCurrency });
export type TestPaymentBody = Static<typeof TestPaymentBody>;
