import type { Mode } from './desk.ts';
import type { PaymentListItem } from './payments.ts';

/** The merchant's start page: setup steps and key figures. */

/** GET `merchant/overview?mode=`. */
export interface Overview {
  /** The same in both modes. */
  readonly firstRun: FirstRun;
  /** Base URL of the API, including `/v1`. */
  readonly apiUrl: string;
  /** The options of a test payment: coins that can be paid with now, and currencies. */
  readonly cryptos: readonly string[];
  readonly currencies: readonly string[];
  /** Whether test payments are simulated, or use a test network with coins without value. */
  readonly testPayments: 'simulated' | 'onchain';
  /** Payments created since the start of the day, in UTC. */
  readonly today: Sums;
  /** The same for today and the six days before. */
  readonly week: Sums;
  /** Payments completed this month that count toward the plan. */
  readonly usage: PlanUsage;
  /** Newest first. */
  readonly latest: readonly PaymentListItem[];
  /** Wallets of both modes that were replaced in the last 7 days, newest first. */
  readonly replacedWallets: readonly ReplacedWallet[];
}

/** A wallet that replaced another. */
export interface ReplacedWallet {
  readonly at: number;
  /** Like `litecoin-mainnet`. */
  readonly network: string;
  readonly cryptos: readonly string[];
  /** E-mail of the user who replaced it; null for a program or a deleted user. */
  readonly by: string | null;
}

/** Computed from the current data, not stored: a step that is undone becomes open again. */
export interface FirstRun {
  /** A wallet for at least one coin. */
  readonly hasWallet: boolean;
  /** The service accepts live payments in one of them now. */
  readonly canBePaid: boolean;
  /** Keys that work now. */
  readonly hasTestKey: boolean;
  readonly hasLiveKey: boolean;
  readonly hasEndpoint: boolean;
  /** An endpoint has accepted an event: responded with a status from 200 to 299. */
  readonly hasDelivered: boolean;
  readonly hasTestPayment: boolean;
  /** The newest test payment that waits for payment or confirmation. */
  readonly openTestPayment: StartedPayment | null;
  readonly hasLivePayment: boolean;
}

export interface Sums {
  readonly created: number;
  readonly completed: number;
  /** Exact decimal; completed payments only. */
  readonly volumeUsd: string;
}

export interface PlanUsage {
  readonly used: number;
  /** Null without limit. */
  readonly limit: number | null;
  readonly resetsAt: number;
}

/** Body of POST `merchant/overview/test-payment`. */
export interface TestPaymentBody {
  readonly crypto: string;
  /** Exact decimal in the currency. */
  readonly amount: string;
  readonly currency: string;
}

/** Response: a test payment, which the user pays in the customer's place. */
export interface StartedPayment {
  readonly id: string;
  /** The customer's payment page. */
  readonly paymentUrl: string;
}

/** Query of GET `merchant/overview`. */
export interface OverviewQuery {
  readonly mode: Mode;
}
