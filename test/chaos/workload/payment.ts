import type { UnixMs } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import type { PlanName } from './plans.ts';

/** One payment of the run: what its payer plans to do, and what has been done. */
export interface ChaosPayment {
  readonly number: number;
  readonly network: 'litecoin' | 'ethereum' | 'simulated';
  readonly crypto: 'LTC' | 'ETH' | 'WBTC';
  readonly plan: PlanName;
  readonly id: string;
  readonly address: string;
  /** In 1e-8 of a coin, for every coin. */
  readonly dueLitoshi: bigint;
  readonly expiresAt: UnixMs;
  /** A response was lost, and a retry may have repeated it: checked only against the chain. */
  isUncertain: boolean;
}

const LITOSHI_PER_COIN = 1e8;

export function paymentOf(
  plan: Pick<ChaosPayment, 'number' | 'network' | 'crypto' | 'plan'>,
  { transaction_id: id, deposit_address: address, amount_crypto, expires_at }: TransactionView,
): ChaosPayment {
  const dueLitoshi = litoshiOf(amount_crypto);
  return { ...plan, id, address, dueLitoshi, expiresAt: Date.parse(expires_at), isUncertain: false };
}

/** Amounts have at most eight decimals, so rounding gives the exact number. */
export function litoshiOf(coins: number): bigint {
  return BigInt(Math.round(coins * LITOSHI_PER_COIN));
}

/**
 * A share of the due amount. The percentages of the plans have at most one decimal; the last part
 * takes the rounding remainder.
 */
export function shareOf(due: bigint, percents: readonly number[], index: number): bigint {
  const part = (percent: number) => (due * BigInt(Math.round(percent * 10)) + 999n) / 1_000n;
  return part(percents[index] ?? 0);
}
