import type { Mode } from './desk.ts';
import type { PaymentListItem } from './payments.ts';

/** Where a merchant begins: what is still to be set up, and how things go. */

/** GET `merchant/overview?mode=`. */
export interface Overview {
  /** The same in both modes. */
  readonly firstRun: FirstRun;
  /** Where programs reach the API, `/v1` included. */
  readonly apiUrl: string;
  /** What a test payment can be in now: coins, and currencies. */
  readonly cryptos: readonly string[];
  readonly currencies: readonly string[];
  /** Whether test payments are simulated, or made on a test network with coins of no value. */
  readonly testPayments: 'simulated' | 'onchain';
  /** Of payments created since the beginning of the day, in UTC. */
  readonly today: Sums;
  /** The same, of this day and the six before. */
  readonly week: Sums;
  /** Payments completed this month that count toward the plan. */
  readonly usage: PlanUsage;
  /** Newest first. */
  readonly latest: readonly PaymentListItem[];
  /** Wallets of both modes that were replaced in the last 7 days, newest first. */
  readonly replacedWallets: readonly ReplacedWallet[];
}

/** Another wallet took the place of one. */
export interface ReplacedWallet {
  readonly at: number;
  /** Like `litecoin-mainnet`. */
  readonly network: string;
  readonly cryptos: readonly string[];
  /** E-mail of the colleague who did it; null for a program, or a login that is gone. */
  readonly by: string | null;
}

/** Facts, not ticks: what was taken away again is to be done again. */
export interface FirstRun {
  /** A wallet for at least one coin. */
  readonly hasWallet: boolean;
  /** The service takes live payments in one of them now. */
  readonly canBePaid: boolean;
  /** Keys that work now. */
  readonly hasTestKey: boolean;
  readonly hasLiveKey: boolean;
  readonly hasEndpoint: boolean;
  /** An endpoint took an event: answered it with a status from 200 to 299. */
  readonly hasDelivered: boolean;
  readonly hasTestPayment: boolean;
  /** The newest test payment, while it waits to be paid or confirmed. */
  readonly openTestPayment: StartedPayment | null;
  readonly hasLivePayment: boolean;
}

export interface Sums {
  readonly created: number;
  readonly completed: number;
  /** Exact decimal, of the completed ones. */
  readonly volumeUsd: string;
}

export interface PlanUsage {
  readonly used: number;
  /** Null without bound. */
  readonly limit: number | null;
  readonly resetsAt: number;
}

/** Body of POST `merchant/overview/test-payment`. */
export interface TestPaymentBody {
  readonly crypto: string;
  /** Exact decimal, in the currency. */
  readonly amount: string;
  readonly currency: string;
}

/** Its answer: a test payment, to be paid by the member in the customer's place. */
export interface StartedPayment {
  readonly id: string;
  /** The page a customer would see. */
  readonly paymentUrl: string;
}

/** Query of GET `merchant/overview`. */
export interface OverviewQuery {
  readonly mode: Mode;
}
