import { MINUTE_MS } from '../machines/index.ts';
import type { TransactionView } from '../src/payments/index.ts';
import type { Customer } from './customer.ts';
import { type Shop, WINDOW_MINUTES } from './shop.ts';
import type { World } from './world.ts';

/** What happens to a payment, and the expected result: the lifecycle table as data. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Every expected webhook, in order of its sequence, which begins with 1. */
  readonly webhooks: readonly ExpectedWebhook[];
  /** Total paid at the end, in percent of what is due. */
  readonly paidPercent: bigint;
  /** Final status of every on-chain payment. */
  readonly payments: readonly string[];
}

export interface Step {
  readonly does: (stage: Stage, scene: Scene) => Promise<void>;
  /** The status that the payment must reach by this step. */
  readonly comesTo: ReachedStatus;
}

/** Public status, with the exception in brackets when there is one. */
export type ReachedStatus = TransactionView['status'] | 'expired (paid_late)' | 'pending (needs_review)';

/** Event type, such as `payment.pending`, and the status in its payload. */
export type ExpectedWebhook = readonly [event: string, status: ReachedStatus];

export interface Stage {
  readonly world: World;
  readonly customer: Customer;
  readonly shop: Shop;
}

/** One payment while its scenario runs. */
export interface Scene {
  readonly transaction: TransactionView;
  /** Transactions sent by the customer so far. */
  readonly txids: string[];
}

/** Below 1 000 USD a Litecoin payment needs three confirmations. */
export const CONFIRMATIONS = 3;
const LITOSHI_PER_COIN = 1e8;

export const EXACT: Scenario = {
  name: 'exact amount',
  steps: [
    { does: pay(100n), comesTo: 'awaiting_confirmation' },
    { does: mine(CONFIRMATIONS), comesTo: 'completed' },
  ],
  webhooks: [
    ['payment.created', 'pending'],
    ['payment.pending', 'awaiting_confirmation'],
    ['payment.completed', 'completed'],
  ],
  paidPercent: 100n,
  payments: ['confirmed'],
};

export const TWO_PARTS: Scenario = {
  name: 'in two parts',
  steps: [
    { does: pay(40n), comesTo: 'partial' },
    { does: pay(60n), comesTo: 'awaiting_confirmation' },
    { does: mine(CONFIRMATIONS), comesTo: 'completed' },
  ],
  webhooks: [
    ['payment.created', 'pending'],
    ['payment.partial', 'partial'],
    ['payment.pending', 'awaiting_confirmation'],
    ['payment.completed', 'completed'],
  ],
  paidPercent: 100n,
  payments: ['confirmed', 'confirmed'],
};

export const OVERPAID: Scenario = {
  name: 'overpaid',
  steps: [
    { does: pay(150n), comesTo: 'awaiting_confirmation' },
    { does: mine(CONFIRMATIONS), comesTo: 'completed' },
  ],
  webhooks: [
    ['payment.created', 'pending'],
    ['payment.pending', 'awaiting_confirmation'],
    ['payment.completed', 'completed'],
    ['payment.overpaid', 'completed'],
  ],
  paidPercent: 150n,
  payments: ['confirmed'],
};

export const LATE: Scenario = {
  name: 'late',
  steps: [
    { does: windowPasses, comesTo: 'expired' },
    { does: pay(100n), comesTo: 'expired (paid_late)' },
    { does: mine(CONFIRMATIONS), comesTo: 'expired (paid_late)' },
  ],
  webhooks: [
    ['payment.created', 'pending'],
    ['payment.expired', 'expired'],
    ['payment.paid_late', 'expired (paid_late)'],
  ],
  paidPercent: 100n,
  payments: ['confirmed'],
};

export const DOUBLE_SPENT: Scenario = {
  name: 'replaced by a double spend',
  steps: [
    { does: pay(100n), comesTo: 'awaiting_confirmation' },
    { does: takeBack, comesTo: 'pending' },
    { does: mine(CONFIRMATIONS), comesTo: 'pending' },
    { does: windowPasses, comesTo: 'expired' },
  ],
  webhooks: [
    ['payment.created', 'pending'],
    ['payment.pending', 'awaiting_confirmation'],
    ['payment.expired', 'expired'],
  ],
  paidPercent: 0n,
  payments: ['replaced'],
};

/** The five scenarios of the demo. */
export const SCENARIOS: readonly Scenario[] = [EXACT, TWO_PARTS, OVERPAID, LATE, DOUBLE_SPENT];

/** Sends a share of what is due. */
export function pay(percent: bigint): Step['does'] {
  return async ({ customer }, { transaction, txids }) => {
    const litoshi = (dueLitoshi(transaction) * percent) / 100n;
    txids.push(await customer.pay(transaction.deposit_address, litoshi));
  };
}

export function mine(blocks: number): Step['does'] {
  return ({ customer }) => customer.mine(blocks);
}

export async function windowPasses({ world }: Stage): Promise<void> {
  world.advance((WINDOW_MINUTES + 1) * MINUTE_MS);
}

export async function takeBack({ customer }: Stage, { txids }: Scene): Promise<void> {
  const last = txids.at(-1);
  if (last === undefined) throw new Error('No payment to take back');
  await customer.takeBack(last);
}

export function dueLitoshi(transaction: Pick<TransactionView, 'amount_crypto'>): bigint {
  return litoshiOf(transaction.amount_crypto);
}

/** Amounts have at most eight decimals, so the numbers are exact after rounding. */
export function litoshiOf(coins: number): bigint {
  return BigInt(Math.round(coins * LITOSHI_PER_COIN));
}
