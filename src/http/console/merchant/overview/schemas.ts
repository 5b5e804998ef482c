import { type Static, Type } from 'typebox';
import type { Usage } from '../../../../billing/index.ts';
import type { listReplacedWallets } from '../../../../merchants/index.ts';
import type { StatsTotals } from '../../../../payments/index.ts';
import { refined } from '../../schema.ts';
import type { PaymentListItem } from '../payments/schemas.ts';
import { CryptoSymbol, FiatCurrency } from '../schemas.ts';

export type { Usage as PlanUsage } from '../../../../billing/index.ts';
/** Amounts are exact decimals. */
export type { StatsTotals } from '../../../../payments/index.ts';

/** A test payment, which the user pays in the customer's place. */
export interface StartedPayment {
  readonly id: string;
  readonly paymentUrl: string;
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
  /** Customers see on their payment pages how to reach the merchant. */
  readonly hasSupportContact: boolean;
  readonly hasLivePayment: boolean;
}

export type ReplacedWallet = Awaited<ReturnType<typeof listReplacedWallets>>[number];

/** The merchant's start page: setup steps and key figures. */
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
  readonly today: StatsTotals;
  /** The same for today and the six days before. */
  readonly week: StatsTotals;
  /** Payments completed this month that count toward the plan. */
  readonly usage: Usage;
  /** Newest first. */
  readonly latest: readonly PaymentListItem[];
  /** Wallets of both modes that were replaced in the last 7 days, newest first. */
  readonly replacedWallets: readonly ReplacedWallet[];
}

const Price = refined(
  Type.String({ errorMessage: 'must be a price like 25 or 19.99', errorCode: 'INVALID_AMOUNT' }),
  (price) => /^\d{1,9}(\.\d{1,2})?$/.test(price),
  'must be a price like 25 or 19.99',
);

export const TestPaymentBody = Type.Object({ crypto: CryptoSymbol, amount: Price, currency: FiatCurrency });
export type TestPaymentBody = Static<typeof TestPaymentBody>;
